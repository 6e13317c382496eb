#include "shard/formats/value_tree.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/text/yaml_open.h"

struct value_node *value_tree_add(
    struct value_tree *t, struct value_node *up, const char *name, const char *value, size_t line)
{
	size_t depth = 0;

	for (struct value_node *i = up; i && i->up; i = i->up)
		depth++;
	if (t->n == VALUE_TREE_MAX_NODES) {
		budget_report_limit(&t->budget, VALUE_TREE_MAX_NODES, "values", line);
		return NULL;
	}
	if (!budget_check_depth(&t->budget, depth, line) || !budget_spend(&t->budget, 1, line))
		return NULL;
	t->n++;
	struct value_node *x = arena_one(t->a, struct value_node);
	*x = (struct value_node){ .name = name, .value = value, .line = (uint32_t)line, .up = up };
	if (!up)
		return x;
	if (up->last)
		up->last->next = x;
	else
		up->child = x;
	up->last = x;
	return x;
}

struct value_node *value_tree_child(
    struct value_tree *t, const struct value_node *x, const char *name)
{
	for (struct value_node *c = x->child; c; c = c->next) {
		if (!budget_spend(&t->budget, 1, c->line))
			return NULL;
		if (c->name && !strcmp(c->name, name))
			return c;
	}
	return NULL;
}

void value_tree_init(struct value_tree *t, size_t n, struct arena *a)
{
	*t = (struct value_tree){ .a = a };
	budget_begin(&t->budget, BUDGET_MANIFEST, n, a);
	t->root = value_tree_add(t, NULL, NULL, NULL, 1);
}

/* ---- JSON is YAML ---- */

static const char *scalar(struct value_tree *t, const yaml_event_t *v)
{
	return arena_strn(t->a, (const char *)v->data.scalar.value, v->data.scalar.length);
}

struct json_reader {
	struct value_tree *t;
	struct value_node *in;	/* NULL at the end */
	bool begun;		/* the root is the first map or list */
	bool map;		/* `in` is a map */
	const char *key;	/* that was read for the next value */
};

static void add_scalar(struct json_reader *r, const yaml_event_t *v)
{
	if (r->map && !r->key) {
		r->key = scalar(r->t, v);
		return;
	}
	if (!value_tree_add(r->t, r->in, r->key, scalar(r->t, v), v->start_mark.line + 1))
		r->in = NULL;
	r->key = NULL;
}

static void begin(struct json_reader *r, const yaml_event_t *v)
{
	struct value_node *x = r->in;

	if (r->begun)
		x = value_tree_add(r->t, x, r->key, NULL, v->start_mark.line + 1);
	r->begun = true;
	r->key = NULL;
	r->map = v->type == YAML_MAPPING_START_EVENT;
	if (x)
		x->word = r->map;	/* while it is read, `word` records whether it is a map */
	r->in = x;
}

static void finish(struct json_reader *r)
{
	r->in->word = false;
	r->map = r->in->up && r->in->up->word;
	r->key = NULL;
	r->in = r->in->up;
}

static void event(struct json_reader *r, const yaml_event_t *v)
{
	switch (v->type) {
	case YAML_STREAM_START_EVENT:
	case YAML_DOCUMENT_START_EVENT: break;
	case YAML_SCALAR_EVENT: add_scalar(r, v); break;
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT: begin(r, v); break;
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT: finish(r); break;
	default: r->in = NULL;
	}
}

void value_tree_read_json(struct value_tree *t, const char *text, size_t n)
{
	struct json_reader r = { .t = t, .in = t->root };
	struct value_node *last = r.in;
	yaml_parser_t parser;
	yaml_event_t v;

	yaml_open_text(&parser, text, n);
	while (r.in && yaml_parser_parse(&parser, &v)) {
		last = r.in;
		event(&r, &v);
		yaml_event_delete(&v);
	}
	if (r.in)
		last = r.in;
	for (; last; last = last->up)	/* nodes that are still open, after an error or at a limit */
		last->word = false;
	yaml_parser_delete(&parser);
}

/* ---- the notations ---- */

static const struct {
	const char *notation;
	value_tree_reader *read;
} readers[] = {
	{ "json", value_tree_read_json },
	{ "yaml", value_tree_read_json },
	{ "toml", value_tree_read_toml },
	{ "xml", value_tree_read_xml },
	{ "ini", value_tree_read_ini },
	{ "code", value_tree_read_code },
	{ "gomod", value_tree_read_gomod },
	{ "requirements", value_tree_read_requirements },
	{ "indented", value_tree_read_indented },
};

value_tree_reader *value_tree_reader_of(const char *notation)
{
	for (size_t i = 0; i < LEN(readers); i++)
		if (!strcmp(readers[i].notation, notation))
			return readers[i].read;
	return NULL;
}
