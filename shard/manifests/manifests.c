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
#include "proto/process/embedded.h"
#include "shard/formats/value_tree.h"
#include "shard/manifests/manifests.h"

static const char TABLE[] = "shard/lang/manifests.tab";

enum { MOST_ROWS = 5000 };	/* of a file */

struct manifest_kind {
	const char *names, *ecosystem;	/* names: patterns with | between */
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
		    { "source=", &r->f.source },
		{ "path=", &r->f.path }, { "key=", &r->f.key }, { "with=", &r->f.with },
		    { "ref=", &r->f.ref },
		{ "form=", &r->form }, { "file=", &r->file }, { "if=", &r->condition },
	};
	char *turn = strchr(word, '>');

	for (size_t i = 0; i < LEN(texts); i++)
		if (!strncmp(word, texts[i].name, strlen(texts[i].name))) {
			*texts[i].at = word + strlen(texts[i].name);
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
	struct manifest_kind *k = &m->kinds.v[m->kinds.n - 1];
	k->rules.v = grow(k->rules.v, &k->rules.cap, k->rules.n + 1, sizeof r);
	k->rules.v[k->rules.n++] = r;
	return NULL;
}

static const char *row_read(void *m, char **word, int n)
{
	static const struct { const char *word, *side; } sides[] = {
		{ "publish", "publishes" }, { "depend", "depends" }, { "inherit", "inherits" },
		    { "manage", "manages" }, { "take", "takes" },
		{ "set", "sets" }, { "bundle", "bundles" }, { "replace", "replaces" },
		    { "source", "replaces" },
	};

	if (!strcmp(word[0], "manifest"))
		return row_manifest(m, word, n);
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

/* ---- which rows fit ---- */

/*
 * Whether the first or last letter of a pattern, where it stands for itself, is another one:
 * nearly always, and fnmatch is slow.
 */
static bool cannot_match(const char *pattern, size_t n, const char *name, size_t nname)
{
	char first = n ? pattern[0] : '*', last = n ? pattern[n - 1] : '*';

	return (!strchr("*?[\\", first) && first != name[0]) ||
	    (!strchr("*?]\\", last) && (!nname || last != name[nname - 1]));
}

/*
 * Whether a name, or the end of a path for patterns with a slash, is one of several patterns with
 * | between.
 */
static bool matches_any_pattern(const char *patterns, const char *name, int flags)
{
	size_t nname = strlen(name);
	char one[200];

	for (const char *s = patterns; *s; s += strcspn(s, "|"), s += *s == '|') {
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

	return slash ? slash + 1 : path;
}

/* With the folder that the file is in. */
static const char *last_two(const char *path)
{
	const char *name = last_name(path), *s = name > path ? name - 1 : path;

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

/* Whether the way to an item is what the first `n` steps say. */
static bool item_path_matches(const struct manifest_rule *r, size_t n, const struct value_node *x)
{
	if (!n)
		return !x->up;
	if (!strcmp(r->step[n - 1], "**"))
		return item_path_matches(r, n - 1, x) || (x->up && item_path_matches(r, n, x->up));
	return x->up && matches_any_pattern(r->step[n - 1], x->name ? x->name : "", 0) &&
	    item_path_matches(r, n - 1, x->up);
}

/* PATH:VALUE, of which the value may be a beginning. */
static bool condition_matches(
    const struct manifest_reader *r, const struct value_node *x, const char *condition)
{
	const char *colon = strrchr(condition, ':');
	const char *value = rule_field(r, x, arena_strn(r->a, condition, (size_t)(colon - condition)));

	return value && !strncasecmp(value, colon + 1, strlen(colon + 1));
}

/* ---- fields ---- */

/* What is at a path below an item: the first of several that has a value. */
static const struct value_node *below(const struct value_node *x, const char *path)
{
	size_t n = strcspn(path, "/");

	for (const struct value_node *c = x->child; c; c = c->next) {
		if (!c->name || strncmp(c->name, path, n) || c->name[n])
			continue;
		const struct value_node *found = path[n] ? below(c, path + n + 1) : c->value ? c : NULL;
		if (found)
			return found;
	}
	return NULL;
}

/*
 * The text that an item has; a word stands for what the file gives it, or for a property of that
 * name.
 */
static const char *text_of(const struct manifest_reader *r, const struct value_node *x)
{
	if (!x || !x->value || !x->word)
		return x ? x->value : NULL;
	const struct value_node *given = value_tree_child(r->t, r->t->root, x->value);
	if (given && given->value && !given->word)
		return given->value;
	if (strcmp(r->ecosystem, "maven"))
		return NULL;
	return arena_printf(r->a, "${%s}", x->value);
}

/* The arguments without names, from the `from`-th on, or only that one. */
static const char *arguments(
    const struct manifest_reader *r, const struct value_node *x, size_t from, bool more)
{
	const char *out = NULL;
	size_t i = 0;

	for (const struct value_node *c = x->child; c; c = c->next) {
		if (c->name || !c->value || ++i < from || (out && !more))
			continue;
		const char *text = text_of(r, c);
		if (out && text)
			out = arena_printf(r->a, "%s, %s", out, text);
		else if (text)
			out = text;
		else
			out = out;
	}
	return out;
}

static const char *file_stem(const struct manifest_reader *r)
{
	const char *name = last_name(r->path), *dot = strrchr(name, '.');

	return arena_strn(r->a, name, dot ? (size_t)(dot - name) : strlen(name));
}

const char *rule_field(
    const struct manifest_reader *r, const struct value_node *x, const char *fields)
{
	for (const char *s = fields; s && *s; s += strcspn(s, "|"), s += *s == '|') {
		const char *one = arena_strn(r->a, s, strcspn(s, "|"));
		const char *value = !strcmp(one, "@") ? x->name :
		    !strcmp(one, ".")                 ? text_of(r, x) :
		    !strcmp(one, "?")                 ? "" :
		    !strcmp(one, "FILE")              ? file_stem(r) :
		    !strcmp(one, "1")                 ? arguments(r, x, 1, false) :
		    !strcmp(one, "2")                 ? arguments(r, x, 2, true) :
		                                        text_of(r, below(x, one));
		if (value)
			return value;
	}
	return NULL;
}

/* ---- rows ---- */

/* The group that a gem is in: its own `group:`, else that of the block around. */
static const char *group_scope(struct value_tree *t, const struct value_node *x)
{
	static const struct {
		const char *word, *scope;
	} scopes[] = { { "test", "test" }, { "development", "dev" }, { "production", NULL },
		{ "default", NULL } };
	const char *scope = NULL;

	for (const struct value_node *g = value_tree_child(t, x, "group"); x;
	     x = x->up, g = x && x->name && !strcmp(x->name, "group") ? x : NULL) {
		const struct value_node *v = g && g->value ? g : g ? g->child : NULL;
		for (; v && budget_spend(&t->budget, 1, v->line); v = v == g ? NULL : v->next)
			for (size_t i = 0; v->value && i < LEN(scopes); i++)
				if (!strcmp(v->value, scopes[i].word)) {
					if (!scopes[i].scope)
						return NULL;
					if (!scope)
						scope = scopes[i].scope;
				}
	}
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

static void make_row(
    struct manifest_reader *r, const struct manifest_rule *rule, const struct value_node *x)
{
	const struct value_node *named = rule->f.name && !strcmp(rule->side, "publishes") ?
	    below(x, arena_strn(r->a, rule->f.name, strcspn(rule->f.name, "|"))) :
	    NULL;
	struct package p = { .side = rule->side,
		.ecosystem = r->ecosystem,
		.name = rule_field(r, x, rule->f.name),
		.range = rule_field(r, x, rule->f.range),
		.scope = scope_of(r, rule, x),
		.source = rule_field(r, x, rule->f.source),
		.path = rule_field(r, x, rule->f.path),
		.key = rule_field(r, x, rule->f.key),
		.line = named ? named->line : x->line };
	const char *ref = rule_field(r, x, rule->f.ref);

	if (ref)
		p.range = arena_printf(r->a, "${%s}", ref);
	if (rule->f.with)
		p.key = rule_field(r, x, rule->f.with);
	if (!strcmp(p.side, "sets")) {
		p.key = x->name;
		if (x->word)
			p.range = NULL;
		else
			p.range = x->value;
	}
	if (!strcmp(p.side, "bundles"))
		p.name = x->up->name;
	if (rule->form) {
		manifest_form_of(rule->form)(r, rule, x, p);
		return;
	}
	if (rule->f.group && p.name) {
		const char *group = rule_field(r, x, rule->f.group);
		p.name = arena_printf(r->a, "%s:%s", group ? group : "", p.name);
	}
	manifest_add_package(r, p);
}

/* A word in place of a list means the list of that name. */
static void resolve_word(struct manifest_reader *r, struct value_node *x)
{
	const struct value_node *given = NULL;

	if (x->word && x->value && !x->child && x->name)
		given = value_tree_child(r->t, r->t->root, x->value);
	if (!given || given == x)
		return;
	for (const struct value_node *c = given->child; c; c = c->next) {
		struct value_node *copy = value_tree_add(r->t, x, c->name, c->value, c->line);
		if (!copy)
			return;
		for (const struct value_node *d = c->child; d; d = d->next)
			value_tree_add(r->t, copy, d->name, d->value, d->line);
	}
}

static void walk(struct manifest_reader *r, const struct manifest_kind *k, struct value_node *x)
{
	resolve_word(r, x);
	for (size_t i = 0; i < k->rules.n; i++) {
		const struct manifest_rule *rule = &k->rules.v[i];
		if ((!rule->file || matches_any_pattern(rule->file, last_name(r->path), 0)) &&
		    item_path_matches(rule, rule->steps, x) &&
		    (!rule->condition || condition_matches(r, x, rule->condition))) {
			make_row(r, rule, x);
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
		c = strcmp(a->name ? a->name : "", b->name ? b->name : "");
	if (c)
		return c;
	return strcmp(a->key ? a->key : "", b->key ? b->key : "");
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
	*out = arena_many(a, r.n + 1, struct package);
	if (r.n) {
		memcpy(*out, r.v, r.n * sizeof *r.v);
		qsort(*out, r.n, sizeof **out, by_line);
	}
	free(r.v);
	return MIN(r.n, MOST_ROWS);
}
