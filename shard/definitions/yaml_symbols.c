#include "shard/definitions/yaml_symbols.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/process/embedded.h"
#include "proto/text/yaml_open.h"
#include "shard/base/text_lines.h"
#include "shard/definitions/declaration_head.h"
#include "shard/definitions/definitions.h"
#include "shard/facts/qualified_name.h"
#include "shard/syntax/comment.h"
#include "shard/syntax/node_rules.h"

enum { MAX_DEPTH = 64, MAX_STEPS = 8, MAX_KEY_BYTES = 32 };

static const char FILE_NAME[] = "shard/lang/keys.tab";

/* A symbol row. */
struct key_rule {
	int shape;
	const char *step[MAX_STEPS];	/* |-separated keys, or `*` */
	int steps;
	const char *kind;
	bool callable;
	bool route;			/* `GET /users` */
	const char *name, *doc, *type;	/* |-separated keys below it with these values; or NULL */
	const char *needs;		/* |-separated keys, one of which it must have; or NULL */
};

struct yaml_symbol_rules {
	struct arena *arena;
	struct { const char *words; } shape[8];	/* |-separated keys */
	int nshapes;
	struct { struct key_rule *v; size_t n, cap; } rules;
};

/* ---- lang/keys.tab ---- */

static const struct { const char *name; bool callable; } kinds[] = {
#define KIND(name, callable, doc) { #name, callable },
#include "proto/record/kinds.def"
};

static const char *row_shape(struct yaml_symbol_rules *k, char **word, int n)
{
	const char *all;

	if (k->nshapes == (int)LEN(k->shape))
		return "too many shapes";
	if (n < 2)
		return "no key";
	all = word[1];
	for (int i = 2; i < n; i++)
		all = arena_printf(k->arena, "%s|%s", all, word[i]);
	k->shape[k->nshapes++].words = all;
	return NULL;
}

static const char *rule_option(struct key_rule *r, char *word)
{
	const struct { const char *name; const char **text; } texts[] = {
		{ "name=", &r->name }, { "doc=", &r->doc }, { "type=", &r->type }, { "needs=", &r->needs },
	};

	for (size_t i = 0; i < LEN(texts); i++)
		if (!strncmp(texts[i].name, word, strlen(texts[i].name))) {
			*texts[i].text = word + strlen(texts[i].name);
			return NULL;
		}
	r->route = !strcmp(word, "route");
	if (r->route)
		return NULL;
	return "unknown option";
}

/* symbol PATH KIND option... */
static const char *row_symbol(struct yaml_symbol_rules *k, char **word, int n)
{
	struct key_rule r = { .shape = k->nshapes - 1 };
	char *save = NULL;

	if (n < 3 || r.shape < 0)
		return "not symbol PATH KIND, after a shape";
	for (char *s = strtok_r(word[1], "/", &save); s; s = strtok_r(NULL, "/", &save)) {
		if (r.steps == MAX_STEPS)
			return "path too long";
		r.step[r.steps++] = s;
	}
	for (size_t i = 0; i < LEN(kinds); i++)
		if (!strcmp(kinds[i].name, word[2])) {
			r.kind = kinds[i].name;
			r.callable = kinds[i].callable;
		}
	if (!r.kind)
		return "no such kind in proto/record/kinds.def";
	for (int i = 3; i < n; i++) {
		const char *bad = rule_option(&r, word[i]);
		if (bad)
			return bad;
	}
	k->rules.v = grow(k->rules.v, &k->rules.cap, k->rules.n + 1, sizeof r);
	k->rules.v[k->rules.n++] = r;
	return NULL;
}

static const char *row_read(void *k, char **word, int n)
{
	if (!strcmp(word[0], "shape"))
		return row_shape(k, word, n);
	if (!strcmp(word[0], "symbol"))
		return row_symbol(k, word, n);
	return "not a row";
}

struct yaml_symbol_rules *yaml_symbols_new(struct err *e)
{
	struct arena *a = arena_new();
	struct yaml_symbol_rules *k = arena_one(a, struct yaml_symbol_rules);

	k->arena = a;
	if (!embedded_each_row(FILE_NAME, a, row_read, k, e))
		return k;
	yaml_symbols_free(k);
	return NULL;
}

void yaml_symbols_free(struct yaml_symbol_rules *k)
{
	if (!k)
		return;
	free(k->rules.v);
	arena_free(k->arena);
}

/* ---- one file ---- */

/* An open mapping or sequence. */
struct key_level {
	bool mapping;
	const char *key;	/* whose value is being read; NULL before a key and in sequences */
	size_t line, column;	/* of that key */
	int symbol;		/* that the value makes, an index in `out`, or -1 */
};

struct yaml_symbol_reader {
	const struct yaml_symbol_rules *k;
	const char *text;
	size_t n;
	struct arena *a;
	struct found_definitions *out;
	uint32_t *line;		/* offsets of lines, one more than there are */
	uint32_t lines;
	size_t indent_line, indented;	/* the last line given to indent(), and its result */
	int shape;
	struct key_level level[MAX_DEPTH];
	int depth;
	struct { const struct key_rule *rule; bool met; } *of;	/* by symbol */
	size_t of_cap;
};

/* Whether the line begins with one of the keys, which may be quoted. */
static bool line_has_key(const struct yaml_symbol_reader *r, size_t line, const char *keys)
{
	const char *s = r->text + r->line[line], *end = r->text + r->line[line + 1];

	while (s < end && strchr("\"'{ \t", *s))
		s++;
	const char *key = s;
	while (s < end && (isalnum((unsigned char)*s) || *s == '_'))
		s++;
	if (s == key || s - key >= MAX_KEY_BYTES)
		return false;
	if (s == end || !strchr(":\"' ", *s))
		return false;
	return type_in_list(arena_strn(r->a, key, (size_t)(s - key)), keys);
}

/* The first shape with a key at the beginning of a line, or -1: a cheap check before parsing. */
static int likely_shape(const struct yaml_symbol_reader *r)
{
	for (int i = 0; i < r->k->nshapes; i++)
		for (size_t k = 0; k < r->lines; k++)
			if (line_has_key(r, k, r->k->shape[i].words))
				return i;
	return -1;
}

static bool step_matches(const char *step, const char *key)
{
	return !strcmp(step, "*") || type_in_list(key, step);
}

static bool rule_here(const struct yaml_symbol_reader *r, const struct key_rule *rule)
{
	if (rule->shape != r->shape || rule->steps != r->depth)
		return false;
	for (int i = 0; i < r->depth; i++) {
		const char *key = r->level[i].key;
		if (!key || !step_matches(rule->step[i], key))
			return false;
	}
	return true;
}

/* `GET /users`, from the last two keys. */
static const char *route(const struct yaml_symbol_reader *r)
{
	char *s = arena_printf(r->a, "%s %s", r->level[r->depth - 1].key, r->level[r->depth - 2].key);

	for (char *c = s; *c && *c != ' '; c++)
		*c = (char)toupper((unsigned char)*c);
	return s;
}

static int symbol_around(const struct yaml_symbol_reader *r)
{
	for (int i = r->depth - 1; i-- > 0;)
		if (r->level[i].symbol >= 0)
			return r->level[i].symbol;
	return -1;
}

/* How many bytes of white space the line begins with; its length if it is blank. */
static size_t indent(struct yaml_symbol_reader *r, size_t line)
{
	size_t i = 0, n = r->line[line + 1] - r->line[line];

	if (line == r->indent_line)
		return r->indented;
	while (i < n && isspace((unsigned char)r->text[r->line[line] + i]))
		i++;
	r->indent_line = line;
	r->indented = i;
	return i;
}

static const struct key_rule *find_rule(const struct yaml_symbol_reader *r)
{
	for (size_t i = 0; i < r->k->rules.n; i++)
		if (rule_here(r, &r->k->rules.v[i]))
			return &r->k->rules.v[i];
	return NULL;
}

/* Whether the key can be the name of a symbol. */
static bool is_usable_key(const struct yaml_symbol_reader *r, const struct key_level *l)
{
	return l->line < r->lines && *l->key && strlen(l->key) <= MAX_NAME_BYTES;
}

/* Begin the value of the key at the top: a symbol, if there is a rule for it. */
static void begin_value(struct yaml_symbol_reader *r)
{
	struct key_level *top = &r->level[r->depth - 1];
	const struct key_rule *rule = find_rule(r);

	if (!rule || !is_usable_key(r, top))
		return;
	uint32_t at = r->line[top->line] + (uint32_t)indent(r, top->line);
	struct found_definition f = { .from = at, .to = at, .first = true };
	f.def = (struct definition){
		.name = top->key,
		.kind = rule->kind,
		.start_byte = at,
		.start_line = (uint32_t)top->line + 1,
		.parent = symbol_around(r),
		.exported = true,
	};
	if (rule->route)
		f.def.name = route(r);
	if (rule->callable)
		f.def.signature = f.def.name;
	if (r->out->n && f.from < r->out->v[r->out->n - 1].from)
		return;
	r->of = grow(r->of, &r->of_cap, r->out->n + 1, sizeof *r->of);
	r->of[r->out->n].rule = rule;
	r->of[r->out->n].met = !rule->needs;
	r->out->v = grow(r->out->v, &r->out->cap, r->out->n + 1, sizeof f);
	top->symbol = (int)r->out->n;
	r->out->v[r->out->n++] = f;
}

static bool is_blank_or_comment(struct yaml_symbol_reader *r, size_t line)
{
	size_t n = indent(r, line);

	if (n == r->line[line + 1] - r->line[line])
		return true;
	return r->text[r->line[line] + n] == '#';
}

/*
 * End the value of the key at the top before the mark, which in block style is that of the next
 * key, and before blank lines and comments.
 */
static void end_value(struct yaml_symbol_reader *r, size_t line, size_t column)
{
	struct key_level *top = &r->level[r->depth - 1];

	top->key = NULL;
	if (top->symbol < 0)
		return;
	struct found_definition *f = &r->out->v[top->symbol];
	top->symbol = -1;
	if (line >= r->lines)
		line = r->lines - 1;
	if (line + 1 > f->def.start_line && indent(r, line) >= column)
		line--;
	while (line + 1 > f->def.start_line && is_blank_or_comment(r, line))
		line--;
	uint32_t to = r->line[line + 1];
	while (to > f->from && isspace((unsigned char)r->text[to - 1]))
		to--;
	f->def.end_line = (uint32_t)line + 1;
	f->def.end_byte = f->to = to;
	f->has_body = f->def.end_line > f->def.start_line;
}

/* The symbol that has the key at the top, or -1. */
static int key_owner(const struct yaml_symbol_reader *r)
{
	if (r->depth < 2)
		return -1;
	return r->level[r->depth - 2].symbol;
}

/* Whether a list of keys, or NULL, contains the key. */
static bool key_in(const char *keys, const char *key)
{
	return keys && type_in_list(key, keys);
}

/* Set the name, doc or type of the symbol around from a plain value of the key at the top. */
static void set_symbol_detail(struct yaml_symbol_reader *r, const char *value)
{
	int of = key_owner(r);
	const char *key = r->level[r->depth - 1].key;
	size_t n = strlen(value);

	if (of < 0 || !n)
		return;
	const struct key_rule *rule = r->of[of].rule;
	struct definition *d = &r->out->v[of].def;
	if (key_in(rule->name, key) && n <= MAX_NAME_BYTES)
		d->name = value;
	if (key_in(rule->doc, key) && !d->doc)
		d->doc = arena_strn(r->a, value, text_utf8_truncate(value, MIN(n, COMMENT_MAX)));
	if (key_in(rule->type, key))
		d->type = value;
}

static void mark_required_key(struct yaml_symbol_reader *r)
{
	int of = key_owner(r);

	if (of >= 0 && key_in(r->of[of].rule->needs, r->level[r->depth - 1].key))
		r->of[of].met = true;
}

static void on_scalar(struct yaml_symbol_reader *r, const yaml_event_t *e)
{
	if (!r->depth || !r->level[r->depth - 1].mapping)
		return;
	struct key_level *top = &r->level[r->depth - 1];
	const char *value = arena_strn(r->a, (const char *)e->data.scalar.value, e->data.scalar.length);
	if (!top->key) {
		top->key = value;
		top->line = e->start_mark.line;
		top->column = e->start_mark.column;
		mark_required_key(r);
		return;
	}
	begin_value(r);
	set_symbol_detail(r, value);
	end_value(r, e->end_mark.line, e->end_mark.column);
}

/* False if it is nested too deeply. */
static bool on_open(struct yaml_symbol_reader *r, bool mapping)
{
	if (r->depth == MAX_DEPTH)
		return false;
	if (r->depth && r->level[r->depth - 1].mapping) {
		if (!r->level[r->depth - 1].key)
			r->level[r->depth - 1].key = "";	/* a key that is not a scalar */
		else
			begin_value(r);
	}
	r->level[r->depth++] = (struct key_level){ .mapping = mapping, .symbol = -1 };
	return true;
}

static void on_close(struct yaml_symbol_reader *r, const yaml_event_t *e)
{
	r->depth--;
	if (r->depth && r->level[r->depth - 1].mapping)
		end_value(r, e->end_mark.line, e->end_mark.column);
}

static bool on_event(struct yaml_symbol_reader *r, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_SCALAR_EVENT: on_scalar(r, e); break;
	case YAML_ALIAS_EVENT:
		if (r->depth)
			r->level[r->depth - 1].key = NULL;
		break;
	case YAML_MAPPING_START_EVENT: return on_open(r, true);
	case YAML_SEQUENCE_START_EVENT: return on_open(r, false);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT: on_close(r, e); break;
	default: break;
	}
	return true;
}

/* Read the file to its end; false if it cannot be parsed. */
static bool read_all(struct yaml_symbol_reader *r)
{
	yaml_parser_t parser;
	yaml_event_t e;
	bool ok = true, end = false;

	yaml_open_text(&parser, r->text, r->n);
	while (ok && !end) {
		if (!yaml_parser_parse(&parser, &e)) {
			ok = false;
			break;
		}
		ok = on_event(r, &e);
		end = e.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&e);
	}
	yaml_parser_delete(&parser);
	return ok;
}

/* Drop the symbols that lack a key they need, and those inside them; qualify the others. */
static void drop_unmet_symbols(struct yaml_symbol_reader *r)
{
	int *to = arena_many(r->a, r->out->n + 1, int);
	size_t n = 0;

	for (size_t i = 0; i < r->out->n; i++) {
		struct found_definition f = r->out->v[i];
		int up = -1;
		if (f.def.parent >= 0)
			up = to[f.def.parent];
		bool orphan = f.def.parent >= 0 && up < 0;
		to[i] = -1;
		if (!r->of[i].met || !f.def.end_line || orphan)
			continue;
		to[i] = (int)n;
		f.def.parent = up;
		if (up < 0)
			f.def.qualified = f.def.name;
		else
			f.def.qualified = qualified_join(r->a, r->out->v[up].def.qualified, f.def.name);
		r->out->v[n++] = f;
	}
	r->out->n = n;
}

void yaml_symbols_find(const struct yaml_symbol_rules *k, const char *text, size_t n,
    struct arena *a, struct found_definitions *out)
{
	struct yaml_symbol_reader r = {
		.k = k,
		.text = text,
		.n = n,
		.a = a,
		.out = out,
		.indent_line = SIZE_MAX,
	};

	out->n = 0;
	if (n > UINT32_MAX / 2)
		return;
	r.line = text_line_starts(r.text, (uint32_t)r.n, &r.lines, r.a);
	r.shape = likely_shape(&r);
	if (r.shape < 0)
		return;
	if (read_all(&r))
		drop_unmet_symbols(&r);
	else
		out->n = 0;
	free(r.of);
}
