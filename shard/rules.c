#include "shard/rules.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/embedded.h"
#include "proto/base/err.h"

enum { MAX_WORDS = 24, MAX_INCLUDES = 4 };

/* The line being read. */
struct line {
	struct rules *r;
	const char *file;
	int number, depth;
	char *word[MAX_WORDS];
	int n;
	struct err *e;
};

static int bad(const struct line *l, const char *what, const char *word)
{
	return err_set(l->e, ERR_INTERNAL, "%s:%d: %s: %s", l->file, l->number, what, word);
}

static const struct { const char *name; bool callable; } kinds[] = {
#define KIND(name, callable, doc) { #name, callable },
#include "proto/kinds.def"
};

static int kind_find(struct line *l, const char *word, const char **kind, bool *callable)
{
	for (size_t i = 0; i < LEN(kinds); i++)
		if (!strcmp(kinds[i].name, word)) {
			*kind = kinds[i].name;
			if (callable)
				*callable = kinds[i].callable;
			return 0;
		}
	return bad(l, "no such kind in proto/kinds.def", word);
}

static int path_read(struct line *l, char *text, struct path *p)
{
	char *save = NULL;

	for (char *s = strtok_r(text, "/", &save); s; s = strtok_r(NULL, "/", &save)) {
		size_t n = strlen(s);
		if (p->n == (int)LEN(p->step))
			return bad(l, "path too long", text);
		if (s[n - 1] == '*') {
			s[--n] = '\0';
			p->chain = true;
		}
		p->step[p->n].field = ts_language_field_id_for_name(l->r->grammar, s, (uint32_t)n);
		p->step[p->n++].type = arena_str(l->r->arena, s);
	}
	return 0;
}

/* `PATH:REST` */
static int when_read(struct line *l, char *text, struct path *p, const char **rest)
{
	char *colon = strchr(text, ':');

	if (!colon)
		return bad(l, "no `:` in the condition", text);
	*colon = '\0';
	*rest = arena_str(l->r->arena, colon + 1);
	return path_read(l, text, p);
}

static int option_flag(struct line *l, struct def_rule *d, const char *word)
{
	const struct { const char *name; bool *flag; } flags[] = {
		{ "flat", &d->flat }, { "each", &d->each }, { "top", &d->top },
		{ "dotted", &d->dotted }, { "docstring", &d->docstring }, { "scoped", &d->scoped },
	};

	for (size_t i = 0; i < LEN(flags); i++)
		if (!strcmp(flags[i].name, word)) {
			*flags[i].flag = true;
			return 0;
		}
	return bad(l, "unknown option", word);
}

static int option_read(struct line *l, struct def_rule *d, char *word)
{
	char *value = strchr(word, '=');
	const struct { const char *name; struct path *path; } paths[] = {
		{ "name", &d->name }, { "body", &d->body }, { "value", &d->value }, { "owner", &d->owner },
	};
	const struct { const char *name; const char **text; } texts[] = {
		{ "has", &d->words }, { "without", &d->without }, { "last", &d->last }, { "notlast", &d->notlast },
		{ "members", &d->members },
	};

	if (!value)
		return option_flag(l, d, word);
	*value++ = '\0';
	for (size_t i = 0; i < LEN(paths); i++)
		if (!strcmp(paths[i].name, word))
			return path_read(l, value, paths[i].path);
	for (size_t i = 0; i < LEN(texts); i++)
		if (!strcmp(texts[i].name, word)) {
			*texts[i].text = arena_str(l->r->arena, value);
			return 0;
		}
	if (!strcmp(word, "member"))
		return kind_find(l, value, &d->member, NULL);
	if (!strcmp(word, "if"))
		return when_read(l, value, &d->when, &d->when_types);
	return bad(l, "unknown option", word);
}

/* Call `each` with the rule of every symbol called `type`; `?type` need not exist. */
static int each_symbol(struct line *l, const char *type, void (*each)(struct node_rule *, void *), void *arg)
{
	bool optional = *type == '?', found = false;
	struct rules *r = l->r;

	type += optional;
	for (uint32_t s = 0; s < r->nsymbols; s++) {
		if (ts_language_symbol_type(r->grammar, (TSSymbol)s) != TSSymbolTypeRegular ||
		    strcmp(ts_language_symbol_name(r->grammar, (TSSymbol)s), type))
			continue;
		if (!r->of[s])
			r->of[s] = arena_one(r->arena, struct node_rule);
		each(r->of[s], arg);
		found = true;
	}
	return found || optional ? 0 : bad(l, "the grammar has no node type", type);
}

static void add_def(struct node_rule *rule, void *def)
{
	struct def_rule **at = &rule->defs;

	while (*at && *at != def)
		at = &(*at)->next;
	*at = def;
}

static void add_mark(struct node_rule *rule, void *mark)
{
	rule->marks |= *(unsigned *)mark;
}

static void add_op(struct node_rule *rule, void *op)
{
	rule->op = *(enum value_op *)op;
}

static void add_exports(struct node_rule *rule, void *from)
{
	const struct node_rule *f = from;

	rule->exports = f->exports;
	rule->exports_when = f->exports_when;
	rule->exports_text = f->exports_text;
}

/* def NODE KIND option... */
static int row_def(struct line *l)
{
	struct def_rule *d = arena_one(l->r->arena, struct def_rule);

	if (l->n < 3)
		return bad(l, "too short", "def NODE KIND option...");
	if (kind_find(l, l->word[2], &d->kind, &d->callable))
		return -1;
	for (int i = 3; i < l->n; i++)
		if (option_read(l, d, l->word[i]))
			return -1;
	return each_symbol(l, l->word[1], add_def, d);
}

/* value NODE OP */
static int row_value(struct line *l)
{
	static const char *const names[] = { "", "text", "join", "inner", "name", "call" };

	for (enum value_op op = VALUE_TEXT; l->n == 3 && op < LEN(names); op++)
		if (!strcmp(names[op], l->word[2]))
			return each_symbol(l, l->word[1], add_op, &op);
	return bad(l, "not a row", "value NODE text|join|inner|name|call");
}

/* exports NODE PATH [PATH:TEXT] */
static int row_exports(struct line *l)
{
	struct node_rule r = { 0 };

	if (l->n < 3)
		return bad(l, "too short", "exports NODE PATH");
	if (path_read(l, l->word[2], &r.exports))
		return -1;
	if (l->n > 3 && when_read(l, l->word[3], &r.exports_when, &r.exports_text))
		return -1;
	return each_symbol(l, l->word[1], add_exports, &r);
}

static void add_extends(struct node_rule *rule, void *from)
{
	rule->extends = ((const struct node_rule *)from)->extends;
	rule->opens = ((const struct node_rule *)from)->opens;
}

/* extend NODE PATH [PATH] */
static int row_extend(struct line *l)
{
	struct node_rule r = { 0 };

	if (l->n != 3 && l->n != 4)
		return bad(l, "not a row", "extend NODE PATH [PATH]");
	if (path_read(l, l->word[2], &r.extends) || (l->n == 4 && path_read(l, l->word[3], &r.opens)))
		return -1;
	return each_symbol(l, l->word[1], add_extends, &r);
}

static void add_section(struct node_rule *rule, void *texts)
{
	rule->marks |= MARK_SECTION;
	rule->section = texts;
}

/* section NODE [TEXT|TEXT] */
static int row_section(struct line *l)
{
	if (l->n != 2 && l->n != 3)
		return bad(l, "not a row", "section NODE [TEXT|TEXT]");
	return each_symbol(l, l->word[1], add_section, l->n == 3 ? arena_str(l->r->arena, l->word[2]) : NULL);
}

static void add_bind(struct node_rule *rule, void *from)
{
	const struct node_rule *f = from;

	rule->marks |= MARK_BIND;
	rule->bind_name = f->bind_name;
	rule->bind_value = f->bind_value;
}

/* bind NODE NAME VALUE */
static int row_bind(struct line *l)
{
	struct node_rule r = { 0 };

	if (l->n != 4)
		return bad(l, "not a row", "bind NODE NAME VALUE");
	if (path_read(l, l->word[2], &r.bind_name) || path_read(l, l->word[3], &r.bind_value))
		return -1;
	return each_symbol(l, l->word[1], add_bind, &r);
}

/* exported RULE */
static int row_exported(struct line *l)
{
	static const char *const names[] = { "all", "upper", "public", "pub", "wrapped", "plain", "not-static",
		"visible" };

	for (size_t i = 0; l->n == 2 && i < LEN(names); i++)
		if (!strcmp(names[i], l->word[1])) {
			l->r->exported = (enum export_rule)i;
			return 0;
		}
	return bad(l, "not a row", "exported all|upper|public|pub|wrapped|plain|not-static|visible");
}

/* call NAME HOW */
static int row_call(struct line *l)
{
	static const char *const hows[] = { "printf", "brace", "default", "first" };
	struct rules *r = l->r;

	for (size_t i = 0; l->n == 3 && i < LEN(hows); i++)
		if (!strcmp(hows[i], l->word[2])) {
			struct call_rule *v = arena_many(r->arena, r->calls.n + 1, struct call_rule);
			if (r->calls.n)
				memcpy(v, r->calls.v, r->calls.n * sizeof *v);
			v[r->calls.n].name = arena_str(r->arena, l->word[1]);
			v[r->calls.n++].how = (int)i;
			r->calls.v = v;
			return 0;
		}
	return bad(l, "not a row", "call NAME printf|brace|default|first");
}

static int row_words(struct line *l, struct words *w)
{
	const char **v = arena_many(l->r->arena, w->n + (size_t)l->n, const char *);

	if (w->n)
		memcpy(v, w->v, w->n * sizeof *v);
	w->v = v;
	for (int i = 1; i < l->n; i++)
		w->v[w->n++] = arena_str(l->r->arena, l->word[i]);
	return 0;
}

static int row_mark(struct line *l, unsigned mark)
{
	for (int i = 1; i < l->n; i++)
		if (each_symbol(l, l->word[i], add_mark, &mark))
			return -1;
	return 0;
}

static int load(struct rules *, const char *folder, int depth, struct err *);

static int row(struct line *l)
{
	static const struct { const char *name; int (*read)(struct line *); } rows[] = {
		{ "def", row_def }, { "value", row_value }, { "exports", row_exports },
		{ "exported", row_exported }, { "call", row_call }, { "bind", row_bind },
		{ "extend", row_extend }, { "section", row_section },
	};
	const struct { const char *name; unsigned mark; } marks[] = {
		{ "wrap", MARK_WRAP }, { "export", MARK_WRAP | MARK_EXPORT }, { "comment", MARK_COMMENT },
		{ "scope", MARK_SCOPE }, { "annotation", MARK_ANNOTATION }, { "piece", MARK_PIECE },
		{ "escape", MARK_ESCAPE }, { "hole", MARK_HOLE }, { "before", MARK_BEFORE },
		{ "unnamed", MARK_UNNAMED },
	};
	const struct { const char *name; struct words *words; } lists[] = {
		{ "hidden", &l->r->hidden }, { "cut", &l->r->cut }, { "inner", &l->r->inner },
		{ "refuse", &l->r->refuse }, { "test", &l->r->tests }, { "test-word", &l->r->test_words },
		{ "letters", &l->r->letters },
		{ "constructor", &l->r->constructors },
	};

	for (size_t i = 0; i < LEN(rows); i++)
		if (!strcmp(rows[i].name, l->word[0]))
			return rows[i].read(l);
	for (size_t i = 0; i < LEN(marks); i++)
		if (!strcmp(marks[i].name, l->word[0]))
			return row_mark(l, marks[i].mark);
	for (size_t i = 0; i < LEN(lists); i++)
		if (!strcmp(lists[i].name, l->word[0]))
			return row_words(l, lists[i].words);
	if (!strcmp(l->word[0], "include") && l->n == 2 && l->depth < MAX_INCLUDES)
		return load(l->r, l->word[1], l->depth + 1, l->e);
	return bad(l, "unknown row", l->word[0]);
}

static int line_read(struct line *l, char *text)
{
	char *save = NULL;

	l->number++;
	l->n = 0;
	for (char *w = strtok_r(text, " \t\r", &save); w && *w != '#'; w = strtok_r(NULL, " \t\r", &save)) {
		if (l->n == MAX_WORDS)
			return bad(l, "too many words", w);
		l->word[l->n++] = w;
	}
	return l->n ? row(l) : 0;
}

static int load(struct rules *r, const char *folder, int depth, struct err *e)
{
	const char *file = arena_printf(r->arena, "shard/lang/%s/nodes.tab", folder);
	const char *text = embedded_get(file);
	struct line l = { .r = r, .file = file, .depth = depth, .e = e };
	int rc = 0;

	if (!text)
		return err_set(e, ERR_INTERNAL, "%s is not in this program", file);
	row_words(&(struct line){ .r = r, .word = { NULL, (char *)folder }, .n = 2 }, &r->folders);
	while (*text && !rc) {
		size_t n = strcspn(text, "\n");
		rc = line_read(&l, arena_strn(r->arena, text, n));
		text += n + (text[n] == '\n');
	}
	return rc;
}

struct rules *rules_new(const char *folder, const TSLanguage *grammar, struct err *e)
{
	struct arena *a = arena_new();
	struct rules *r = arena_one(a, struct rules);

	r->arena = a;
	r->grammar = grammar;
	r->nsymbols = ts_language_symbol_count(grammar);
	r->of = arena_many(a, r->nsymbols, struct node_rule *);
	if (!load(r, folder, 0, e))
		return r;
	rules_free(r);
	return NULL;
}

void rules_free(struct rules *r)
{
	if (r)
		arena_free(r->arena);
}

bool type_among(const char *type, const char *types)
{
	size_t n = strlen(type);

	for (const char *s = types; s; s = strchr(s, '|') ? strchr(s, '|') + 1 : NULL)
		if (!strncmp(s, type, n) && (s[n] == '|' || !s[n]))
			return true;
	return false;
}

bool path_step_is(const struct path *p, int step, TSFieldId field, TSNode child)
{
	if (p->step[step].field)
		return field == p->step[step].field && ts_node_is_named(child);
	return !strcmp(ts_node_type(child), p->step[step].type);
}

static TSNode step_get(const struct path *p, int i, TSNode n)
{
	if (p->step[i].field)
		return ts_node_child_by_field_id(n, p->step[i].field);
	for (uint32_t k = 0, count = ts_node_named_child_count(n); k < count && k < 16; k++) {
		TSNode c = ts_node_named_child(n, k);
		if (!strcmp(ts_node_type(c), p->step[i].type))
			return c;
	}
	return (TSNode){ 0 };
}

TSNode path_get(const struct path *p, TSNode n)
{
	for (int i = 0; i < p->n && !ts_node_is_null(n); i++)
		n = step_get(p, i, n);
	return n;
}
