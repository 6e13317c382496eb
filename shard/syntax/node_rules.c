#include "shard/syntax/node_rules.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/process/embedded.h"
#include "shard/syntax/node_rules_internal.h"

enum { MAX_INCLUDES = 4 };

int rule_line_error(const struct rule_line *l, const char *what, const char *word)
{
	return err_set(l->e, ERR_INTERNAL, "%s:%d: %s: %s", l->file, l->number, what, word);
}

static const struct { const char *name; bool callable; } kinds[] = {
#define KIND(name, callable, doc) { #name, callable },
#include "proto/record/kinds.def"
};

int kind_find(struct rule_line *l, const char *word, const char **kind, bool *callable)
{
	for (size_t i = 0; i < LEN(kinds); i++)
		if (!strcmp(kinds[i].name, word)) {
			*kind = kinds[i].name;
			if (callable)
				*callable = kinds[i].callable;
			return 0;
		}
	return rule_line_error(l, "no such kind in proto/record/kinds.def", word);
}

static bool is_number(const char *s)
{
	s += *s == '-';
	return *s && !s[strspn(s, "0123456789")];
}

/* One step: a field, a position, a node type, or a word or sign of the grammar. */
static int step_read(struct rule_line *l, struct node_path *p, const char *s, size_t n)
{
	const TSLanguage *g = l->r->grammar;
	bool optional = *s == '?';
	const char *type = arena_strn(l->r->arena, s + optional, n - optional);

	if (p->n == PATH_STEPS)
		return rule_line_error(l, "path too long", type);
	p->step[p->n].type = type;
	if (is_number(type))
		p->step[p->n].nth = atoi(type);
	else
		p->step[p->n].field = ts_language_field_id_for_name(g, type, (uint32_t)strlen(type));
	p->step[p->n].symbol = ts_language_symbol_for_name(g, type, (uint32_t)strlen(type), true);
	p->step[p->n].node = p->step[p->n].symbol != 0;
	p->step[p->n].word = ts_language_symbol_for_name(g, type, (uint32_t)strlen(type), false);
	if (!strcmp(type, "_"))
		p->step[p->n].kind = STEP_ANY;
	else if (!strcmp(type, "."))
		p->step[p->n].kind = STEP_SELF;
	else if (!strcmp(type, ".."))
		p->step[p->n].kind = STEP_AROUND;
	else
		p->step[p->n].kind = STEP_CHILD;
	bool known = p->step[p->n].field || p->step[p->n].nth || p->step[p->n].node;
	if (!known && p->step[p->n].kind == STEP_CHILD) {
		p->step[p->n].token = p->step[p->n].word;
		if (!p->step[p->n].token && !optional)
			return rule_line_error(l, "the grammar has no such field or node type", type);
	}
	p->n++;
	return 0;
}

int node_path_read(struct rule_line *l, char *text, struct node_path *p)
{
	char *save = NULL;

	*p = (struct node_path){ 0 };
	for (char *s = strtok_r(text, "/", &save); s; s = strtok_r(NULL, "/", &save)) {
		size_t n = strlen(s);
		p->chain = n > 1 && s[n - 1] == '*';
		if (step_read(l, p, s, n - p->chain))
			return -1;
	}
	return 0;
}

/* `PATH:REST`; without a colon *rest is NULL. */
static int when_read(struct rule_line *l, char *text, struct node_path *p, const char **rest)
{
	char *colon = strchr(text, ':');

	*rest = NULL;
	if (colon) {
		*rest = arena_str(l->r->arena, colon + 1);
		*colon = '\0';
	}
	return node_path_read(l, text, p);
}

/* For each symbol, whether its type is one of the |-separated types. */
static const bool *symbols_among(const struct rules *r, const char *types)
{
	bool *out = arena_many(r->arena, r->nsymbols, bool);

	for (uint32_t s = 0; s < r->nsymbols; s++)
		out[s] = type_in_list(ts_language_symbol_name(r->grammar, (TSSymbol)s), types);
	return out;
}

/* For each symbol, whether it is a word of the set; NULL if the set is empty. */
static const bool *symbols_of_words(const struct rules *r, const struct word_set *words)
{
	bool *out = arena_many(r->arena, r->nsymbols, bool);

	for (uint32_t s = 0; s < r->nsymbols; s++) {
		const char *name = ts_language_symbol_name(r->grammar, (TSSymbol)s);
		if (ts_language_symbol_type(r->grammar, (TSSymbol)s) == TSSymbolTypeAnonymous)
			out[s] = word_set_has(words, name, strlen(name));
	}
	return words->n ? out : NULL;
}

static struct word_set words_split(struct arena *a, const char *texts)
{
	struct word_set w = { arena_many(a, strlen(texts) + 1, const char *), 0 };

	for (;;) {
		size_t n = strcspn(texts, "|");
		w.v[w.n++] = arena_strn(a, texts, n);
		if (!texts[n])
			return w;
		texts += n + 1;
	}
}

/*
 * `if=PATH[:TYPES]`, `unless=PATH[:TYPES]`, `text=PATH:TEXTS`.  1, 0 if it is none of these, or
 * -1.
 */
static int test_read(struct rule_line *l, struct condition *c, const char *name, char *value)
{
	bool presence = !strcmp(name, "if"), absence = !strcmp(name, "unless");
	bool not_text = !strcmp(name, "not"), text = not_text || !strcmp(name, "text");

	if (!c || (!presence && !absence && !text))
		return 0;
	if (c->n == LEN(c->test))
		return rule_line_error(l, "too many conditions", name);
	if (when_read(l, value, &c->test[c->n].at, &c->test[c->n].among))
		return -1;
	if (text && !c->test[c->n].among)
		return rule_line_error(l, "no `:` in the condition", value);
	if (text)
		c->test[c->n].kind = not_text ? TEST_NOT_TEXT : TEST_TEXT;
	else if (!c->test[c->n].among)
		c->test[c->n].kind = absence ? TEST_ABSENT : TEST_THERE;
	else if (absence)
		c->test[c->n].kind = TEST_NOT_TYPE;
	else
		c->test[c->n].kind = TEST_TYPE;
	if (c->test[c->n].kind >= TEST_TYPE && !text)
		c->test[c->n].symbol = symbols_among(l->r, c->test[c->n].among);
	else if (text)
		c->test[c->n].texts = words_split(l->r->arena, c->test[c->n].among);
	c->n++;
	return 1;
}

static int option_put(struct rule_line *l, const struct row_option *o, char *value)
{
	switch (o->kind) {
	case OPTION_PATH: return node_path_read(l, value, o->to);
	case OPTION_FLAG: *(bool *)o->to = true; break;
	case OPTION_TEXT: *(const char **)o->to = arena_str(l->r->arena, value); break;
	case OPTION_COUNT: *(int *)o->to = value ? atoi(value) : 1; break;
	}
	return 0;
}

/* Whether the option is written with `=VALUE`, or without if `value` is NULL. */
static bool option_takes(const struct row_option *o, const char *value)
{
	if (o->kind == OPTION_COUNT)
		return true;
	return (o->kind == OPTION_FLAG) == !value;
}

int rule_options_read(
    struct rule_line *l, int from, const struct row_option *o, size_t n, struct condition *when)
{
	for (int i = from; i < l->n; i++) {
		char *name = l->word[i], *value = strchr(name, '=');
		const struct row_option *found = NULL;
		int test = 0;

		if (value)
			*value++ = '\0';
		for (size_t k = 0; k < n; k++)
			if (!strcmp(o[k].name, name) && option_takes(&o[k], value))
				found = &o[k];
		if (found) {
			if (option_put(l, found, value))
				return -1;
			continue;
		}
		if (value)
			test = test_read(l, when, name, value);
		if (test < 0)
			return -1;
		if (!test)
			return rule_line_error(l, "unknown option", name);
	}
	return 0;
}

/* Call `each` with the rule of every symbol called `type`; `?type` need not exist. */
int rules_each_symbol(
    struct rule_line *l, const char *type, void (*each)(struct node_rule *, void *), void *arg)
{
	bool optional = *type == '?', found = false, token = type[optional] == '\'';
	TSSymbolType kind = token ? TSSymbolTypeAnonymous : TSSymbolTypeRegular;
	struct rules *r = l->r;
	size_t n;

	type += optional + token;
	n = strlen(type) - token;
	for (uint32_t s = 0; s < r->nsymbols; s++) {
		const char *name = ts_language_symbol_name(r->grammar, (TSSymbol)s);
		if (ts_language_symbol_type(r->grammar, (TSSymbol)s) != kind || strlen(name) != n ||
		    memcmp(name, type, n))
			continue;
		if (!r->of[s])
			r->of[s] = arena_one(r->arena, struct node_rule);
		each(r->of[s], arg);
		found = true;
	}
	if (found || optional)
		return 0;
	return rule_line_error(l, "the grammar has no node type", type);
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

/* def NODE KIND option...; minor NODE KIND option... */
static int row_def(struct rule_line *l)
{
	struct def_rule *d = arena_one(l->r->arena, struct def_rule);
	const char *member = NULL;
	const struct row_option options[] = {
		{ "name", OPTION_PATH, &d->name }, { "body", OPTION_PATH, &d->body },
		{ "value", OPTION_PATH, &d->value }, { "given", OPTION_PATH, &d->given },
		{ "result", OPTION_PATH, &d->result }, { "owner", OPTION_PATH, &d->owner },
		{ "type", OPTION_PATH, &d->type }, { "has", OPTION_TEXT, &d->words },
		{ "without", OPTION_TEXT, &d->without }, { "last", OPTION_TEXT, &d->last },
		{ "notlast", OPTION_TEXT, &d->notlast }, { "member", OPTION_TEXT, &member },
		{ "flat", OPTION_FLAG, &d->flat }, { "each", OPTION_FLAG, &d->each },
		{ "top", OPTION_FLAG, &d->top }, { "dotted", OPTION_FLAG, &d->dotted },
		{ "docstring", OPTION_FLAG, &d->docstring }, { "lift", OPTION_FLAG, &d->lift },
		{ "once", OPTION_FLAG, &d->once }, { "under", OPTION_TEXT, &d->within },
		{ "scoped", OPTION_FLAG, &d->scoped }, { "members", OPTION_TEXT, &d->members },
		{ "in", OPTION_TEXT, &d->in }, { "visible", OPTION_FLAG, &d->visible },
	};

	d->minor = !strcmp(l->word[0], "minor");
	if (l->n < 3)
		return rule_line_error(l, "too short", "def NODE KIND option...");
	if (kind_find(l, l->word[2], &d->kind, &d->callable) ||
	    rule_options_read(l, 3, options, LEN(options), &d->when))
		return -1;
	if (member && kind_find(l, member, &d->member, NULL))
		return -1;
	return rules_each_symbol(l, l->word[1], add_def, d);
}

/* value NODE OP */
static int row_value(struct rule_line *l)
{
	static const char *const names[] = { "", "text", "join", "inner", "last", "either", "choice",
		"list", "fields", "parts", "name", "call" };

	for (enum value_op op = VALUE_TEXT; l->n == 3 && op < LEN(names); op++)
		if (!strcmp(names[op], l->word[2]))
			return rules_each_symbol(l, l->word[1], add_op, &op);
	return rule_line_error(
	    l, "not a row", "value NODE text|join|inner|last|either|choice|list|fields|name|call");
}

/* exports NODE PATH [PATH:TEXT] */
static int row_exports(struct rule_line *l)
{
	struct node_rule r = { 0 };

	if (l->n < 3)
		return rule_line_error(l, "too short", "exports NODE PATH");
	if (node_path_read(l, l->word[2], &r.exports))
		return -1;
	if (l->n > 3 && when_read(l, l->word[3], &r.exports_when, &r.exports_text))
		return -1;
	return rules_each_symbol(l, l->word[1], add_exports, &r);
}

static void add_extends(struct node_rule *rule, void *from)
{
	rule->extends = ((const struct node_rule *)from)->extends;
	rule->opens = ((const struct node_rule *)from)->opens;
}

/* extend NODE PATH [PATH] */
static int row_extend(struct rule_line *l)
{
	struct node_rule r = { 0 };

	if (l->n != 3 && l->n != 4)
		return rule_line_error(l, "not a row", "extend NODE PATH [PATH]");
	if (node_path_read(l, l->word[2], &r.extends))
		return -1;
	if (l->n == 4 && node_path_read(l, l->word[3], &r.opens))
		return -1;
	return rules_each_symbol(l, l->word[1], add_extends, &r);
}

static void add_section(struct node_rule *rule, void *texts)
{
	rule->marks |= MARK_SECTION;
	rule->section = texts;
}

/* section NODE [TEXT|TEXT] */
static int row_section(struct rule_line *l)
{
	char *texts = NULL;

	if (l->n != 2 && l->n != 3)
		return rule_line_error(l, "not a row", "section NODE [TEXT|TEXT]");
	if (l->n == 3)
		texts = arena_str(l->r->arena, l->word[2]);
	return rules_each_symbol(l, l->word[1], add_section, texts);
}

static void add_bind(struct node_rule *rule, void *from)
{
	const struct node_rule *f = from;

	rule->marks |= MARK_BIND;
	rule->bind_name = f->bind_name;
	rule->bind_value = f->bind_value;
	rule->bind_member = f->bind_member;
	rule->bind_slash = f->bind_slash;
	rule->bind_when = f->bind_when;
}

/* bind NODE NAME VALUE [member] [slash] [condition...] */
static int row_bind(struct rule_line *l)
{
	struct node_rule r = { 0 };

	const struct row_option options[] = { { "member", OPTION_FLAG, &r.bind_member },
		{ "slash", OPTION_FLAG, &r.bind_slash } };

	if (l->n < 4)
		return rule_line_error(
		    l, "not a row", "bind NODE NAME VALUE [member] [slash] [condition...]");
	if (node_path_read(l, l->word[2], &r.bind_name) || node_path_read(l, l->word[3], &r.bind_value))
		return -1;
	if (rule_options_read(l, 4, options, LEN(options), &r.bind_when))
		return -1;
	return rules_each_symbol(l, l->word[1], add_bind, &r);
}

static void add_case(struct node_rule *rule, void *from)
{
	const struct node_rule *f = from;

	rule->marks |= MARK_CASE;
	rule->case_value = f->case_value;
	rule->case_pattern = f->case_pattern;
}

/* case NODE VALUE [PATTERN] */
static int row_case(struct rule_line *l)
{
	struct node_rule r = { 0 };

	if (l->n != 3 && l->n != 4)
		return rule_line_error(l, "not a row", "case NODE VALUE [PATTERN]");
	if (node_path_read(l, l->word[2], &r.case_value))
		return -1;
	if (l->n == 4 && node_path_read(l, l->word[3], &r.case_pattern))
		return -1;
	return rules_each_symbol(l, l->word[1], add_case, &r);
}

/* exported RULE */
static int row_exported(struct rule_line *l)
{
	static const char *const names[] = { "all", "upper", "public", "pub", "wrapped", "plain",
		"not-static", "visible" };

	for (size_t i = 0; l->n == 2 && i < LEN(names); i++)
		if (!strcmp(names[i], l->word[1])) {
			l->r->exported = (enum export_rule)i;
			return 0;
		}
	return rule_line_error(
	    l, "not a row", "exported all|upper|public|pub|wrapped|plain|not-static|visible");
}

static void add_call(struct rules *r, const char *name, enum call_how how)
{
	struct call_rule *v = arena_many(r->arena, r->calls.n + 1, struct call_rule);

	if (r->calls.n)
		memcpy(v, r->calls.v, r->calls.n * sizeof *v);
	v[r->calls.n].name = arena_str(r->arena, name);
	v[r->calls.n++].how = how;
	r->calls.v = v;
	r->sections |= how == CALL_SECTION;
}

/* call NAME HOW */
static int row_call(struct rule_line *l)
{
	static const char *const hows[] = { "printf", "brace", "default", "first", "join", "base",
		"replace", "merge", "resolve", "list", "same", "append", "segments", "host", "env", "paths",
		"either", "and", "config", "section", "segment", "bare", "member", "elements",
		"resolve-all", "url", "swap", "concat", "collect", "separated", "listed", "block", "pairs",
		"pair", "items", "below", "contents", "path", "nothing" };

	for (size_t i = 0; l->n == 3 && i < LEN(hows); i++)
		if (!strcmp(hows[i], l->word[2])) {
			add_call(l->r, l->word[1], (enum call_how)i);
			return 0;
		}
	return rule_line_error(l, "not a row",
	    "call NAME printf|brace|default|first|join|base|replace|merge|resolve|list|same|append|"
	    "segments|host|env|paths|either|and|config|section|segment|bare|member|elements|resolve-all|url|"
	    "swap|concat|collect|separated|listed|block|pairs|pair|items|below|contents|path|nothing");
}

static int row_words(struct rule_line *l, struct word_set *w)
{
	const char **v = arena_many(l->r->arena, w->n + (size_t)l->n, const char *);

	if (w->n)
		memcpy(v, w->v, w->n * sizeof *v);
	w->v = v;
	for (int i = 1; i < l->n; i++)
		w->v[w->n++] = arena_str(l->r->arena, l->word[i]);
	return 0;
}

static int row_mark(struct rule_line *l, unsigned mark)
{
	l->r->tokens |= mark == MARK_TOKENS;
	for (int i = 1; i < l->n; i++)
		if (rules_each_symbol(l, l->word[i], add_mark, &mark))
			return -1;
	return 0;
}

static int load(struct rules *, const char *folder, int depth, struct err *);

static int row(struct rule_line *l)
{
	static const struct { const char *name; int (*read)(struct rule_line *); } rows[] = {
		{ "def", row_def }, { "minor", row_def }, { "value", row_value }, { "exports", row_exports },
		{ "exported", row_exported }, { "call", row_call }, { "bind", row_bind },
		{ "extend", row_extend }, { "section", row_section }, { "case", row_case },
	};
	const struct { const char *name; unsigned mark; } marks[] = {
		{ "wrap", MARK_WRAP }, { "export", MARK_WRAP | MARK_EXPORT }, { "comment", MARK_COMMENT },
		{ "scope", MARK_SCOPE }, { "annotation", MARK_ANNOTATION }, { "piece", MARK_PIECE },
		{ "escape", MARK_ESCAPE }, { "hole", MARK_HOLE }, { "spread", MARK_SPREAD },
		{ "tokens", MARK_TOKENS }, { "before", MARK_BEFORE }, { "unnamed", MARK_UNNAMED },
		{ "delegate", MARK_DELEGATE }, { "gaps", MARK_GAPS },
	};
	const struct { const char *name; struct word_set *words; } lists[] = {
		{ "hidden", &l->r->hidden }, { "cut", &l->r->cut }, { "inner", &l->r->inner },
		{ "refuse", &l->r->refuse }, { "test", &l->r->tests }, { "test-word", &l->r->test_words },
		{ "letters", &l->r->letters }, { "constructor", &l->r->constructors },
		{ "test-type", &l->r->test_types }, { "closing", &l->r->closing },
		{ "before-name", &l->r->before_names }, { "before-type", &l->r->before_types },
		{ "no-type", &l->r->no_types }, { "directive", &l->r->directives },
		{ "self", &l->r->self }, { "super", &l->r->super }, { "null", &l->r->null },
		{ "name-end", &l->r->name_ends }, { "drop", &l->r->drop }, { "env", &l->r->env },
		{ "asked", &l->r->asked }, { "path-of", &l->r->path_of }, { "fluent", &l->r->fluent },
		{ "apply", &l->r->apply }, { "called", &l->r->called },
		{ "placeholders", &l->r->placeholders }, { "carry", &l->r->carry },
		{ "macros", &l->r->macros }, { "doc-none", &l->r->doc_none },
		{ "doc-field", &l->r->doc_field }, { "doc-result", &l->r->doc_result },
		{ "doc-parameter", &l->r->doc_parameter }, { "omit", &l->r->omit },
		{ "reserved", &l->r->reserved }, { "join", &l->r->join }, { "replaced", &l->r->replaced },
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
	int uses = row_uses(l);
	if (uses)
		return uses < 0 ? -1 : 0;
	return rule_line_error(l, "unknown row", l->word[0]);
}

static int line_read(struct rule_line *l, char *text)
{
	char *save = NULL;

	l->number++;
	l->n = 0;
	for (char *w = strtok_r(text, " \t\r", &save); w && *w != '#';
	     w = strtok_r(NULL, " \t\r", &save)) {
		if (l->n == MAX_WORDS)
			return rule_line_error(l, "too many words", w);
		l->word[l->n++] = w;
	}
	return l->n ? row(l) : 0;
}

static int load(struct rules *r, const char *folder, int depth, struct err *e)
{
	const char *file = arena_printf(r->arena, "shard/lang/%s/nodes.tab", folder);
	const char *text = embedded_contents(file);
	struct rule_line l = { .r = r, .file = file, .depth = depth, .e = e };
	int rc = 0;

	if (!text)
		return err_set(e, ERR_INTERNAL, "%s is not in this program", file);
	row_words(&(struct rule_line){ .r = r, .word = { NULL, (char *)folder }, .n = 2 }, &r->folders);
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
	r->parameters = ts_language_field_id_for_name(grammar, "parameters", 10);
	r->parameter = ts_language_field_id_for_name(grammar, "parameter", 9);
	r->body = ts_language_field_id_for_name(grammar, "body", 4);
	r->of = arena_many(a, r->nsymbols, struct node_rule *);
	r->broken = arena_many(a, r->nsymbols, const char *);
	if (!load(r, folder, 0, e)) {
		r->is_reserved = symbols_of_words(r, &r->reserved);
		return r;
	}
	rules_free(r);
	return NULL;
}

void rules_free(struct rules *r)
{
	if (r)
		arena_free(r->arena);
}
