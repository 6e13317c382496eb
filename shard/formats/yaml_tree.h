#ifndef SHARD_FORMATS_YAML_TREE_H
#define SHARD_FORMATS_YAML_TREE_H
/* A YAML or JSON text as a tree of values, with the lines on which they stand. */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct budget;

enum yaml_kind { YAML_TEXT, YAML_MAP, YAML_LIST };

struct yaml {
	enum yaml_kind kind;
	const char *key;		/* in a map; NULL: elsewhere, or no plain key */
	const char *text;		/* of a text; else NULL */
	const char *tag;		/* as written: !GetAtt; NULL: none */
	/* what is in it, in order; what comes after it in the same value, or the next document */
	struct yaml *first, *next;
	uint32_t line, end_line;	/* 1-based, of its key where it has one, to its end */
	uint32_t height;		/* levels in it; 0 while it is read */
	struct budget *budget;		/* of the text: each look-up counts what it looks at */
};

/*
 * The documents of a text that are whole, in `a`; NULL: it has none.  Values that are more than 64
 * deep, aliases' own counted, make it broken; so does an alias within what it names.  Beyond the
 * budget (budget.h) look-ups find nothing.
 */
struct yaml *yaml_read(const char *text, size_t n, struct arena *a);

/* The value of a key, also of one that is merged in (<<); NULL: none, or `map` is no map. */
const struct yaml *yaml_get(const struct yaml *map, const char *key);

/* Its text: NULL when there is none. */
const char *yaml_get_text(const struct yaml *map, const char *key);

/* The value behind several keys, joined by slashes. */
const struct yaml *yaml_get_path(const struct yaml *map, const char *way);
#endif
