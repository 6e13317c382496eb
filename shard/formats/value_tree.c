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

/*
 * Handle one event in the node `in`.  `*map`: whether that is a map; `*key`: the key that was read
 * for the next value.  Returns the node of the next event, or NULL at the end.
 */
static struct value_node *event(
    struct value_tree *t, struct value_node *in, bool *map, const char **key, const yaml_event_t *v)
{
	size_t line = v->start_mark.line + 1;
	struct value_node *x;

	switch (v->type) {
	case YAML_SCALAR_EVENT:
		if (*map && !*key) {
			*key = scalar(t, v);
			return in;
		}
		x = value_tree_add(t, in, *key, scalar(t, v), line);
		*key = NULL;
		return x ? in : NULL;
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		if (in == t->root && !*map)
			x = in;
		else
			x = value_tree_add(t, in, *key, NULL, line);
		*key = NULL;
		*map = v->type == YAML_MAPPING_START_EVENT;
		if (x)
			x->word = *map;		/* while it is read, `word` records whether it is a map */
		return x;
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		in->word = false;
		*map = in->up && in->up->word;
		*key = NULL;
		return in->up;
	default:
		if (v->type == YAML_STREAM_START_EVENT || v->type == YAML_DOCUMENT_START_EVENT)
			return in;
		return NULL;
	}
}

void value_tree_read_json(struct value_tree *t, const char *text, size_t n)
{
	struct value_node *in = t->root, *next = in;
	const char *key = NULL;
	yaml_parser_t parser;
	yaml_event_t v;
	bool map = false;

	yaml_open_text(&parser, text, n);
	while (next && yaml_parser_parse(&parser, &v)) {
		in = next;
		next = event(t, in, &map, &key, &v);
		yaml_event_delete(&v);
	}
	if (next)
		in = next;
	for (; in; in = in->up)	/* nodes that are still open, after an error or at a limit */
		in->word = false;
	yaml_parser_delete(&parser);
}

/* ---- the notations ---- */

static const struct {
	const char *notation;
	value_tree_reader *read;
} readers[] = {
	{ "json", value_tree_read_json },
	{ "toml", value_tree_read_toml },
	{ "xml", value_tree_read_xml },
	{ "ini", value_tree_read_ini },
	{ "code", value_tree_read_code },
	{ "gomod", value_tree_read_gomod },
	{ "requirements", value_tree_read_requirements },
};

value_tree_reader *value_tree_reader_of(const char *notation)
{
	for (size_t i = 0; i < LEN(readers); i++)
		if (!strcmp(readers[i].notation, notation))
			return readers[i].read;
	return NULL;
}
