#include "shard/formats/yaml_tree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/budget.h"
#include "proto/base/map.h"
#include "proto/text/yaml_open.h"

enum {
	MAX_YAML_LEVELS = 64,		/* as in budgets.def */
	MAX_MERGE_LEVELS = 4
};

/* A map or list in progress. */
struct yaml_level {
	struct yaml *of;
	struct yaml **end;		/* where its next value is linked */
	const char *key;		/* the key of the next value; NULL before a key, and in a list */
	uint32_t line;			/* line of that key */
	bool block;			/* without brackets: libyaml ends it where the next value begins */
	bool odd;			/* that key is not a text */
	uint32_t height;		/* of the highest value in it so far */
};

struct yaml_reader {
	struct arena *a;
	struct yaml_level level[MAX_YAML_LEVELS];
	int depth;
	struct map *anchors;
	struct yaml *first, **end;
	struct budget *budget;
	uint32_t last;			/* line on which the last text, or value in brackets, ends */
};

static const char *copy(struct yaml_reader *r, const yaml_char_t *s)
{
	if (s)
		return arena_str(r->a, (const char *)s);
	return NULL;
}

/* The innermost open value, or NULL. */
static struct yaml_level *top_level(struct yaml_reader *r)
{
	if (!r->depth)
		return NULL;
	return &r->level[r->depth - 1];
}

/* Whether the next text is a key. */
static bool wants_key(struct yaml_reader *r)
{
	const struct yaml_level *top = top_level(r);

	if (!top || top->of->kind != YAML_MAP)
		return false;
	return !top->key && !top->odd;
}

/* Add a value at the current position. */
static struct yaml *put(struct yaml_reader *r, enum yaml_kind kind, const yaml_event_t *e,
    const yaml_char_t *anchor, const yaml_char_t *tag)
{
	struct yaml_level *top = top_level(r);
	struct yaml *y = arena_one(r->a, struct yaml);

	*y = (struct yaml){ .kind = kind,
		.tag = copy(r, tag),
		.line = (uint32_t)e->start_mark.line + 1,
		.end_line = (uint32_t)e->end_mark.line + 1,
		.height = kind == YAML_TEXT,
		.budget = r->budget };
	if (anchor)
		*map_at(r->anchors, (const char *)anchor) = y;
	if (!top) {
		*r->end = y;
		r->end = &y->next;
		return y;
	}
	if (wants_key(r)) {		/* the key is not a text: leave out the key and its value */
		top->odd = true;
		return y;
	}
	if (top->key) {
		y->key = top->key;
		y->line = top->line;
	}
	if (!top->odd) {
		*top->end = y;
		top->end = &y->next;
	}
	top->key = NULL;
	top->odd = false;
	return y;
}

static bool open_value(struct yaml_reader *r, struct yaml *y, bool block)
{
	if (!budget_check_depth(r->budget, (size_t)r->depth, y->line))
		return false;
	r->level[r->depth++] = (struct yaml_level){ .of = y, .end = &y->first, .block = block };
	return true;
}

/* The enclosing value is at least as high as the values in it. */
static void raise(struct yaml_reader *r, uint32_t height)
{
	struct yaml_level *top = top_level(r);

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
	if (!e->end_mark.column && y->end_line > y->line)	/* `|` ends at the start of the next line */
		y->end_line--;
	r->last = y->end_line;
}

/* False if the alias is within the value that it names, or if the result is too deep. */
static bool on_alias(struct yaml_reader *r, const yaml_event_t *e)
{
	static const struct yaml unknown = { .kind = YAML_TEXT, .text = "", .height = 1 };
	const struct yaml *of = map_get(r->anchors, (const char *)e->data.alias.anchor);

	if (!of)
		of = &unknown;
	struct yaml *y = put(r, of->kind, e, NULL, NULL);
	y->text = of->text;
	y->first = of->first;
	y->height = of->height;
	r->last = y->end_line;
	raise(r, y->height);
	if (y->height < 2)
		return y->height == 1;
	return budget_check_depth(r->budget, (size_t)r->depth + y->height - 2, y->line);
}

static bool on_event(struct yaml_reader *r, const yaml_event_t *e)
{
	struct yaml *y;
	bool block;

	switch (e->type) {
	case YAML_SCALAR_EVENT: on_scalar(r, e); break;
	case YAML_ALIAS_EVENT: return on_alias(r, e);
	case YAML_MAPPING_START_EVENT:
		y = put(r, YAML_MAP, e, e->data.mapping_start.anchor, e->data.mapping_start.tag);
		block = e->data.mapping_start.style != YAML_FLOW_MAPPING_STYLE;
		return open_value(r, y, block);
	case YAML_SEQUENCE_START_EVENT:
		y = put(r, YAML_LIST, e, e->data.sequence_start.anchor, e->data.sequence_start.tag);
		block = e->data.sequence_start.style != YAML_FLOW_SEQUENCE_STYLE;
		return open_value(r, y, block);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT: close_value(r, e); break;
	default: break;
	}
	return true;
}

struct yaml *yaml_read(const char *text, size_t n, struct arena *a)
{
	struct yaml_reader r = { .a = a, .anchors = map_new() };
	struct yaml **complete = &r.first;	/* the end of the complete documents */
	yaml_parser_t parser;
	bool ok = true, end = false;

	r.end = &r.first;
	r.budget = arena_one(a, struct budget);
	budget_begin(r.budget, BUDGET_YAML, n, a);
	yaml_open_text(&parser, text, n);
	while (ok && !end) {
		yaml_event_t e;
		if (!yaml_parser_parse(&parser, &e))
			break;
		ok = on_event(&r, &e);
		if (e.type == YAML_DOCUMENT_END_EVENT)
			complete = r.end;
		end = e.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&e);
	}
	yaml_parser_delete(&parser);
	map_free(r.anchors);
	*complete = NULL;
	return r.first;
}

/* `merges`: how many levels of merged maps (<<) to follow. */
static const struct yaml *find_key(const struct yaml *map, const char *key, int merges)
{
	if (!map || map->kind != YAML_MAP)
		return NULL;
	for (const struct yaml *y = map->first; y; y = y->next) {
		if (!budget_spend(map->budget, 1, y->line))
			break;
		if (y->key && !strcmp(y->key, key))
			return y;
	}
	if (!merges)
		return NULL;
	for (const struct yaml *y = map->first; y && !map->budget->exceeded; y = y->next) {
		const struct yaml *found = NULL;
		if (y->key && !strcmp(y->key, "<<"))
			found = find_key(y, key, merges - 1);
		if (found)
			return found;
	}
	return NULL;
}

const struct yaml *yaml_get(const struct yaml *map, const char *key)
{
	return find_key(map, key, MAX_MERGE_LEVELS);
}

const char *yaml_get_text(const struct yaml *map, const char *key)
{
	const struct yaml *y = yaml_get(map, key);

	if (!y)
		return NULL;
	return y->text;
}

const struct yaml *yaml_get_path(const struct yaml *map, const char *path)
{
	char key[100];

	while (map && *path) {
		size_t n = strcspn(path, "/");
		if (n >= sizeof key)
			return NULL;
		memcpy(key, path, n);
		key[n] = 0;
		map = yaml_get(map, key);
		path += n + (path[n] == '/');
	}
	return map;
}
