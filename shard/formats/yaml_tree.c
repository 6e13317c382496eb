#include "shard/formats/yaml_tree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/budget.h"
#include "proto/base/map.h"
#include "proto/text/yaml_open.h"

enum { DEEP = 64, MERGES = 4 };	/* DEEP: as in budgets.def */

struct yaml_level {
	struct yaml *of;
	struct yaml **end;		/* where the next value of it goes */
	const char *key;		/* whose value comes next; NULL: a key does, or it is a list */
	uint32_t line;			/* of that key */
	bool block;			/* without brackets: its end is where something else begins */
	bool odd;			/* that key is no text */
	uint32_t height;		/* of the highest value in it so far */
};

struct yaml_reader {
	struct arena *a;
	struct yaml_level level[DEEP];
	int depth;
	struct map *anchors;
	struct yaml *first, **end;
	struct budget *budget;
	uint32_t last;			/* the line on which the last text, or value in brackets, ends */
};

static const char *copy(struct yaml_reader *r, const yaml_char_t *s)
{
	if (s)
		return arena_str(r->a, (const char *)s);
	return NULL;
}

/* Whether the next text is a key. */
static bool wants_key(const struct yaml_reader *r)
{
	const struct yaml_level *top = NULL;

	if (r->depth)
		top = &r->level[r->depth - 1];
	return top && top->of->kind == YAML_MAP && !top->key && !top->odd;
}

/* A value where the reader is. */
static struct yaml *put(struct yaml_reader *r, enum yaml_kind kind, const yaml_event_t *e,
    const yaml_char_t *anchor, const yaml_char_t *tag)
{
	struct yaml_level *top = r->depth ? &r->level[r->depth - 1] : NULL;
	struct yaml *y = arena_one(r->a, struct yaml);

	*y = (struct yaml){ .kind = kind,
		.tag = copy(r, tag),
		.line = (uint32_t)e->start_mark.line + 1,
		.end_line = (uint32_t)e->end_mark.line + 1,
		.height = kind == YAML_TEXT,
		.budget = r->budget };
	if (anchor)
		*map_at(r->anchors, (const char *)anchor) = y;
	if (wants_key(r)) {		/* a key that is no text: it and its value are left out */
		top->odd = true;
		return y;
	}
	if (top && top->key) {
		y->key = top->key;
		y->line = top->line;
	}
	if (top && !top->odd) {
		*top->end = y;
		top->end = &y->next;
	}
	if (top) {
		top->key = NULL;
		top->odd = false;
	} else {
		*r->end = y;
		r->end = &y->next;
	}
	return y;
}

static bool open_value(struct yaml_reader *r, struct yaml *y, bool block)
{
	if (!budget_check_depth(r->budget, (size_t)r->depth, y->line))
		return false;
	r->level[r->depth++] = (struct yaml_level){ .of = y, .end = &y->first, .block = block };
	return true;
}

/* What is around a value is at least as high. */
static void raise(struct yaml_reader *r, uint32_t height)
{
	struct yaml_level *top = NULL;

	if (r->depth)
		top = &r->level[r->depth - 1];
	if (top && top->height < height)
		top->height = height;
}

static void close_value(struct yaml_reader *r, const yaml_event_t *e)
{
	const struct yaml_level *l = &r->level[--r->depth];

	if (!l->block)
		r->last = (uint32_t)e->end_mark.line + 1;
	if (r->last > l->of->line)
		l->of->end_line = r->last;
	l->of->height = l->height + 1;
	raise(r, l->of->height);
}

static void on_scalar(struct yaml_reader *r, const yaml_event_t *e)
{
	const char *text = arena_strn(r->a, (const char *)e->data.scalar.value, e->data.scalar.length);

	if (wants_key(r)) {
		r->level[r->depth - 1].key = text;
		r->level[r->depth - 1].line = (uint32_t)e->start_mark.line + 1;
		return;
	}
	struct yaml *y = put(r, YAML_TEXT, e, e->data.scalar.anchor, e->data.scalar.tag);
	y->text = text;
	raise(r, 1);
	if (!e->end_mark.column && y->end_line > y->line)	/* `|`: behind its last line */
		y->end_line--;
	r->last = y->end_line;
}

/* False: what it names is not read to its end, or the two are too deep together. */
static bool on_alias(struct yaml_reader *r, const yaml_event_t *e)
{
	const struct yaml *of = map_get(r->anchors, (const char *)e->data.alias.anchor);
	struct yaml *y = put(r, of ? of->kind : YAML_TEXT, e, NULL, NULL);

	y->text = of ? of->text : "";
	y->first = of ? of->first : NULL;
	y->height = of ? of->height : 1;
	r->last = y->end_line;
	raise(r, y->height);
	return y->height == 1 ||
	    (y->height && budget_check_depth(r->budget, (size_t)r->depth + y->height - 2, y->line));
}

static bool on_event(struct yaml_reader *r, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_SCALAR_EVENT: on_scalar(r, e); break;
	case YAML_ALIAS_EVENT: return on_alias(r, e);
	case YAML_MAPPING_START_EVENT:
		return open_value(r,
		    put(r, YAML_MAP, e, e->data.mapping_start.anchor, e->data.mapping_start.tag),
		    e->data.mapping_start.style != YAML_FLOW_MAPPING_STYLE);
	case YAML_SEQUENCE_START_EVENT:
		return open_value(r,
		    put(r, YAML_LIST, e, e->data.sequence_start.anchor, e->data.sequence_start.tag),
		    e->data.sequence_start.style != YAML_FLOW_SEQUENCE_STYLE);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT: close_value(r, e); break;
	default: break;
	}
	return true;
}

struct yaml *yaml_read(const char *text, size_t n, struct arena *a)
{
	struct yaml_reader r = { .a = a, .anchors = map_new() };
	struct yaml **whole = &r.first;	/* the end of the documents that are whole */
	yaml_parser_t parser;
	bool ok = true, end = false;

	r.end = &r.first;
	r.budget = arena_one(a, struct budget);
	budget_begin(r.budget, BUDGET_YAML, n, a);
	yaml_open_text(&parser, text, n);
	while (ok && !end) {
		yaml_event_t e;
		if (!(ok = yaml_parser_parse(&parser, &e)))
			break;
		ok = on_event(&r, &e);
		if (e.type == YAML_DOCUMENT_END_EVENT)
			whole = r.end;
		end = e.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&e);
	}
	yaml_parser_delete(&parser);
	map_free(r.anchors);
	*whole = NULL;
	return r.first;
}

static const struct yaml *at(const struct yaml *map, const char *key, int merges)
{
	const struct yaml *found = NULL;

	if (!map || map->kind != YAML_MAP)
		return NULL;
	for (const struct yaml *y = map->first; y && budget_spend(map->budget, 1, y->line); y = y->next)
		if (y->key && !strcmp(y->key, key))
			return y;
	for (const struct yaml *y = map->first; y && merges && !found && !map->budget->exceeded;
	     y = y->next)
		if (y->key && !strcmp(y->key, "<<"))
			found = at(y, key, merges - 1);
	return found;
}

const struct yaml *yaml_get(const struct yaml *map, const char *key)
{
	return at(map, key, MERGES);
}

const char *yaml_get_text(const struct yaml *map, const char *key)
{
	const struct yaml *y = yaml_get(map, key);

	return y ? y->text : NULL;
}

const struct yaml *yaml_get_path(const struct yaml *map, const char *way)
{
	char key[100];

	while (map && *way) {
		size_t n = strcspn(way, "/");
		if (n >= sizeof key)
			return NULL;
		memcpy(key, way, n);
		key[n] = 0;
		map = yaml_get(map, key);
		way += n + (way[n] == '/');
	}
	return map;
}
