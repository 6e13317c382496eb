#include "shard/manifests/manifests_internal.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/process/embedded.h"
#include "shard/formats/value_tree.h"
#include "shard/manifests/manifests.h"

static const char TABLE[] = "shard/lang/manifests.tab";

enum { MAX_ROWS = 20000 }; /* of a file */

struct manifest_kind {
	const char *names, *ecosystem;	/* names: |-separated patterns */
	value_tree_reader *read;
	struct { struct manifest_rule *v; size_t n, cap; } rules;
};

struct manifests {
	struct arena *a;
	struct { struct manifest_kind *v; size_t n, cap; } kinds;
};

/* ---- lang/manifests.tab ---- */

static const char *row_manifest(struct manifests *m, char **word, int n)
{
	if (n != 4)
		return "not manifest NAMES NOTATION ECOSYSTEM";
	struct manifest_kind k = {
		.names = word[1], .ecosystem = word[3], .read = value_tree_reader_of(word[2])
	};
	if (!k.read)
		return "no such notation";
	m->kinds.v = grow(m->kinds.v, &m->kinds.cap, m->kinds.n + 1, sizeof k);
	m->kinds.v[m->kinds.n++] = k;
	return NULL;
}

static const char *rule_option(struct manifest_rule *r, char *word)
{
	const struct { const char *name, **at; } texts[] = {
		{ "name=", &r->f.name }, { "group=", &r->f.group }, { "range=", &r->f.range },
		{ "source=", &r->f.source }, { "path=", &r->f.path }, { "key=", &r->f.key },
		{ "with=", &r->f.with }, { "ref=", &r->f.ref }, { "form=", &r->form },
		{ "file=", &r->file }, { "if=", &r->condition },
	};
	char *turn = strchr(word, '>');

	for (size_t i = 0; i < LEN(texts); i++) {
		size_t n = strlen(texts[i].name);
		if (strncmp(word, texts[i].name, n))
			continue;
		*texts[i].at = word + n;
		if (r->form && !manifest_form_of(r->form))
			return "no such form";
		return NULL;
	}
	if (!strcmp(word, "groups")) {
		r->groups = true;
	} else if (turn && r->turns < RULE_TURNS) {
		*turn = 0;
		r->turn[r->turns].when = word;
		r->turn[r->turns++].scope = turn + 1;
	} else if (!r->scope && !strpbrk(word, "=:>")) {
		r->scope = word;
	} else {
		return "unknown option";
	}
	return NULL;
}

static void add_rule(struct manifests *m, const struct manifest_rule *r)
{
	struct manifest_kind *k = &m->kinds.v[m->kinds.n - 1];

	k->rules.v = grow(k->rules.v, &k->rules.cap, k->rules.n + 1, sizeof *r);
	k->rules.v[k->rules.n++] = *r;
}

/* A rule for the root of the file. */
static const char *row_govern(struct manifests *m, char **word, int n)
{
	bool is_known = n == 3 && (!strcmp(word[2], "beside") || !strcmp(word[2], "below"));

	if (!is_known || !m->kinds.n)
		return "not govern NAMES beside|below, or not below a manifest";
	add_rule(m, &(struct manifest_rule){ .side = "governs", .scope = word[2], .names = word[1] });
	return NULL;
}

static const char *row_rule(struct manifests *m, const char *side, char **word, int n)
{
	struct manifest_rule r = { .side = side };
	char *save = NULL;

	if (n < 2 || *word[1] != '/' || !m->kinds.n)
		return "no path, or not below a manifest";
	for (char *s = strtok_r(word[1], "/", &save); s; s = strtok_r(NULL, "/", &save)) {
		if (r.steps == RULE_STEPS)
			return "path too long";
		r.step[r.steps++] = s;
	}
	for (int i = 2; i < n; i++) {
		const char *bad = rule_option(&r, word[i]);
		if (bad)
			return bad;
	}
	add_rule(m, &r);
	return NULL;
}

static const char *row_read(void *m, char **word, int n)
{
	static const struct { const char *word, *side;
	} sides[] = {
		{ "publish", "publishes" },
		{ "depend", "depends" },
		{ "inherit", "inherits" },
		{ "manage", "manages" },
		{ "take", "takes" },
		{ "set", "sets" },
		{ "bundle", "bundles" },
		{ "replace", "replaces" },
		{ "source", "replaces" },
		{ "lock", "locks" },
	};

	if (!strcmp(word[0], "manifest"))
		return row_manifest(m, word, n);
	if (!strcmp(word[0], "govern"))
		return row_govern(m, word, n);
	for (size_t i = 0; i < LEN(sides); i++)
		if (!strcmp(word[0], sides[i].word))
			return row_rule(m, sides[i].side, word, n);
	return "not a row";
}

struct manifests *manifests_new(struct err *e)
{
	struct arena *a = arena_new();
	struct manifests *m = arena_one(a, struct manifests);

	m->a = a;
	if (!embedded_each_row(TABLE, a, row_read, m, e))
		return m;
	manifests_free(m);
	return NULL;
}

void manifests_free(struct manifests *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->kinds.n; i++)
		free(m->kinds.v[i].rules.v);
	free(m->kinds.v);
	arena_free(m->a);
}

/* ---- which rows match ---- */

/* The next of several alternatives separated by |. */
static const char *next_alternative(const char *s)
{
	s += strcspn(s, "|");
	return s + (*s == '|');
}

/*
 * Whether the first or last character of a pattern is a literal that the name does not have.  This
 * is nearly always so, and fnmatch is slow.
 */
static bool cannot_match(const char *pattern, size_t n, const char *name, size_t nname)
{
	if (!n)
		return false;
	char first = pattern[0], last = pattern[n - 1];
	if (!strchr("*?[\\", first) && first != name[0])
		return true;
	if (strchr("*?]\\", last))
		return false;
	return !nname || last != name[nname - 1];
}

/* Whether a name, or the end of a path, matches one of the |-separated patterns. */
static bool matches_any_pattern(const char *patterns, const char *name, int flags)
{
	size_t nname = strlen(name);
	char one[200];

	for (const char *s = patterns; *s; s = next_alternative(s)) {
		size_t n = strcspn(s, "|");
		if (n >= sizeof one || cannot_match(s, n, name, nname))
			continue;
		memcpy(one, s, n);
		one[n] = 0;
		if (!fnmatch(one, name, flags))
			return true;
	}
	return false;
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return path;
	return slash + 1;
}

bool manifest_name_matches(const char *patterns, const char *path)
{
	return matches_any_pattern(patterns, last_name(path), 0);
}

/* FOLDER/NAME at the end of a path. */
static const char *last_two(const char *path)
{
	const char *s = last_name(path);

	if (s > path)
		s--;
	while (s > path && s[-1] != '/')
		s--;
	return s;
}

static const struct manifest_kind *manifest_kind_of(const struct manifests *m, const char *path)
{
	for (size_t i = 0; i < m->kinds.n; i++)
		if (matches_any_pattern(m->kinds.v[i].names, last_name(path), FNM_PATHNAME) ||
		    matches_any_pattern(m->kinds.v[i].names, last_two(path), FNM_PATHNAME))
			return &m->kinds.v[i];
	return NULL;
}

bool manifests_match_path(const struct manifests *m, const char *path)
{
	return manifest_kind_of(m, path) != NULL;
}

static const char *name_of(const struct value_node *x)
{
	return text_or_empty(x->name);
}

/* Whether the path from the root to an item matches the first `n` steps. */
static bool item_path_matches(const struct manifest_rule *r, size_t n, const struct value_node *x)
{
	if (!n)
		return !x->up;
	const char *step = r->step[n - 1];
	if (!strcmp(step, "**"))
		return item_path_matches(r, n - 1, x) || (x->up && item_path_matches(r, n, x->up));
	if (!x->up || !matches_any_pattern(step, name_of(x), 0))
		return false;
	return item_path_matches(r, n - 1, x->up);
}

/* PATH:VALUE: whether the value at the path begins with VALUE, whatever the case. */
static bool condition_matches(
    const struct manifest_reader *r, const struct value_node *x, const char *condition)
{
	const char *colon = strrchr(condition, ':');
	const char *value = rule_field(r, x, arena_strn(r->a, condition, (size_t)(colon - condition)));

	return value && !strncasecmp(value, colon + 1, strlen(colon + 1));
}

/* ---- fields ---- */

/* The first node at a path below an item that has a value. */
static const struct value_node *below(const struct value_node *x, const char *path)
{
	size_t n = strcspn(path, "/");

	for (const struct value_node *c = x->child; c; c = c->next) {
		if (!c->name || strncmp(c->name, path, n) || c->name[n])
			continue;
		const struct value_node *found = NULL;
		if (path[n])
			found = below(c, path + n + 1);
		else if (c->value)
			found = c;
		if (found)
			return found;
	}
	return NULL;
}

/*
 * The text of an item.  An identifier is replaced by the value that the file assigns to it; in
 * maven, else by a property of that name.
 */
static const char *text_of(const struct manifest_reader *r, const struct value_node *x)
{
	if (!x)
		return NULL;
	if (!x->value || !x->word)
		return x->value;
	const struct value_node *assigned = value_tree_child(r->t, r->t->root, x->value);
	if (assigned && assigned->value && !assigned->word)
		return assigned->value;
	if (strcmp(r->ecosystem, "maven"))
		return NULL;
	return arena_printf(r->a, "${%s}", x->value);
}

/*
 * The arguments without names from number `from` on, joined by commas; or only the first of them.
 */
static const char *arguments(
    const struct manifest_reader *r, const struct value_node *x, size_t from, bool all)
{
	const char *out = NULL;
	size_t i = 0;

	for (const struct value_node *c = x->child; c; c = c->next) {
		if (c->name || !c->value)
			continue;
		i++;
		if (i < from)
			continue;
		if (out && !all)
			break;
		const char *text = text_of(r, c);
		if (out && text)
			out = arena_printf(r->a, "%s, %s", out, text);
		else if (text)
			out = text;
	}
	return out;
}

/* The name of the file without its extension. */
static const char *file_stem(const struct manifest_reader *r)
{
	const char *name = last_name(r->path), *dot = strrchr(name, '.');

	if (!dot)
		return arena_str(r->a, name);
	return arena_strn(r->a, name, (size_t)(dot - name));
}

/* One alternative of a field; lang/TABLES.md lists the special ones. */
static const char *field_value(
    const struct manifest_reader *r, const struct value_node *x, const char *field)
{
	for (; *field == '^' && x; field++)
		x = x->up;
	if (!x)
		return NULL;
	if (!strcmp(field, "@"))
		return x->name;
	if (!strcmp(field, "."))
		return text_of(r, x);
	if (!strcmp(field, "?"))
		return "";
	if (!strcmp(field, "FILE"))
		return file_stem(r);
	if (!strcmp(field, "1"))
		return arguments(r, x, 1, false);
	if (!strcmp(field, "2"))
		return arguments(r, x, 2, true);
	return text_of(r, below(x, field));
}

const char *rule_field(
    const struct manifest_reader *r, const struct value_node *x, const char *fields)
{
	if (!fields)
		return NULL;
	for (const char *s = fields; *s; s = next_alternative(s)) {
		const char *one = arena_strn(r->a, s, strcspn(s, "|"));
		const char *value = field_value(r, x, one);
		if (value)
			return value;
	}
	return NULL;
}

/* ---- rows ---- */

/* The groups of gems.  A gem that is in a group with scope NULL is needed in production. */
static const struct gem_group {
	const char *name, *scope;
} gem_groups[] = {
	{ "test", "test" },
	{ "development", "dev" },
	{ "production", NULL },
	{ "default", NULL },
};

static const struct gem_group *gem_group_of(const char *name)
{
	for (size_t i = 0; name && i < LEN(gem_groups); i++)
		if (!strcmp(name, gem_groups[i].name))
			return &gem_groups[i];
	return NULL;
}

/*
 * Look through the groups that `g` names: its value or its children.  *scope becomes that of the
 * first known group.  Returns whether one of them means production.
 */
static bool find_gem_scope(struct value_tree *t, const struct value_node *g, const char **scope)
{
	const struct value_node *v = g->value ? g : g->child;

	while (v && budget_spend(&t->budget, 1, v->line)) {
		const struct gem_group *group = gem_group_of(v->value);
		if (group && !group->scope)
			return true;
		if (group && !*scope)
			*scope = group->scope;
		v = v == g ? NULL : v->next;
	}
	return false;
}

/* The scope of a gem, by its own `group:` and the group blocks around it. */
static const char *group_scope(struct value_tree *t, const struct value_node *x)
{
	const struct value_node *own = value_tree_child(t, x, "group");
	const char *scope = NULL;

	if (own && find_gem_scope(t, own, &scope))
		return NULL;
	for (x = x->up; x; x = x->up)
		if (!strcmp(name_of(x), "group") && find_gem_scope(t, x, &scope))
			return NULL;
	return scope;
}

static const char *scope_of(
    const struct manifest_reader *r, const struct manifest_rule *rule, const struct value_node *x)
{
	const char *scope = NULL;

	if (rule->groups)
		scope = group_scope(r->t, x);
	for (size_t i = 0; i < rule->turns; i++)
		if (condition_matches(r, x, rule->turn[i].when))
			return rule->turn[i].scope;
	return scope ? scope : rule->scope;
}

/* The line of a row: for a published package the line of its name, if there is one. */
static uint32_t line_of(
    const struct manifest_reader *r, const struct manifest_rule *rule, const struct value_node *x)
{
	const char *name = rule->f.name;

	if (!name || strcmp(rule->side, "publishes"))
		return x->line;
	const struct value_node *named = below(x, arena_strn(r->a, name, strcspn(name, "|")));
	return named ? named->line : x->line;
}

static void make_row(
    struct manifest_reader *r, const struct manifest_rule *rule, const struct value_node *x)
{
	struct package p = { .side = rule->side,
		.ecosystem = r->ecosystem,
		.name = rule_field(r, x, rule->f.name),
		.range = rule_field(r, x, rule->f.range),
		.scope = scope_of(r, rule, x),
		.source = rule_field(r, x, rule->f.source),
		.path = rule_field(r, x, rule->f.path),
		.key = rule_field(r, x, rule->f.key),
		.line = line_of(r, rule, x) };
	const char *ref = rule_field(r, x, rule->f.ref);

	if (ref)
		p.range = arena_printf(r->a, "${%s}", ref);
	if (rule->f.with)
		p.key = rule_field(r, x, rule->f.with);
	if (!strcmp(p.side, "sets")) {
		p.key = x->name;
		p.range = x->word ? NULL : x->value;
	}
	if (!strcmp(p.side, "bundles"))
		p.name = x->up->name;
	if (rule->names)
		p.key = rule->names;
	if (rule->form) {
		manifest_form_of(rule->form)(r, rule, x, p);
		return;
	}
	if (rule->f.group && p.name) {
		const char *group = rule_field(r, x, rule->f.group);
		if (!group)
			group = "";
		p.name = arena_printf(r->a, "%s:%s", group, p.name);
	}
	manifest_add_package(r, p);
}

/* Where an identifier is in place of a list, copy the list that the file assigns to it. */
static void resolve_word(struct manifest_reader *r, struct value_node *x)
{
	bool is_reference = x->word && x->value && !x->child;

	if (!is_reference || !x->name)
		return;
	const struct value_node *list = value_tree_child(r->t, r->t->root, x->value);
	if (!list || list == x)
		return;
	for (const struct value_node *c = list->child; c; c = c->next) {
		struct value_node *copy = value_tree_add(r->t, x, c->name, c->value, c->line);
		if (!copy)
			return;
		for (const struct value_node *d = c->child; d; d = d->next)
			value_tree_add(r->t, copy, d->name, d->value, d->line);
	}
}

static bool rule_matches(
    const struct manifest_reader *r, const struct manifest_rule *rule, const struct value_node *x)
{
	if (rule->file && !manifest_name_matches(rule->file, r->path))
		return false;
	if (!item_path_matches(rule, rule->steps, x))
		return false;
	return !rule->condition || condition_matches(r, x, rule->condition);
}

static void walk(struct manifest_reader *r, const struct manifest_kind *k, struct value_node *x)
{
	resolve_word(r, x);
	for (size_t i = 0; i < k->rules.n; i++) {
		if (rule_matches(r, &k->rules.v[i], x)) {
			make_row(r, &k->rules.v[i], x);
			break;
		}
	}
	for (struct value_node *c = x->child; c; c = c->next)
		walk(r, k, c);
}

static int by_line(const void *x, const void *y)
{
	const struct package *a = x, *b = y;
	int c = (a->line > b->line) - (a->line < b->line);

	if (!c)
		c = strcmp(a->side, b->side);
	if (!c)
		c = compare_texts(a->name, b->name);
	if (!c)
		c = compare_texts(a->key, b->key);
	return c;
}

size_t manifests_read(const struct manifests *m, const char *path, const char *text, size_t n,
    struct arena *a, struct package **out)
{
	const struct manifest_kind *k = manifest_kind_of(m, path);
	struct value_tree t;
	struct manifest_reader r = { .t = &t, .path = path, .a = a };

	*out = NULL;
	if (!k)
		return 0;
	r.ecosystem = k->ecosystem;
	value_tree_init(&t, n, a);
	k->read(&t, text, n);
	walk(&r, k, t.root);
	if (r.n > MAX_ROWS)
		budget_report_limit(&t.budget, MAX_ROWS, "packages", 0);
	*out = arena_many(a, r.n + 1, struct package);
	if (r.n) {
		memcpy(*out, r.v, r.n * sizeof *r.v);
		qsort(*out, r.n, sizeof **out, by_line);
	}
	free(r.v);
	return MIN(r.n, MAX_ROWS);
}
