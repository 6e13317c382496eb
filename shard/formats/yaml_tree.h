#ifndef SHARD_FORMATS_YAML_TREE_H
#define SHARD_FORMATS_YAML_TREE_H
/* A YAML or JSON text as a tree of values with their line numbers. */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct budget;

enum yaml_kind { YAML_TEXT, YAML_MAP, YAML_LIST };

struct yaml {
	enum yaml_kind kind;
	const char *key;		/* in a map, else NULL */
	const char *text;		/* of a text, else NULL */
	const char *tag;		/* as written: !GetAtt; or NULL */
	/* the first value in it; the next value in the same map or list, or the next document */
	struct yaml *first, *next;
	uint32_t line, end_line;	/* 1-based, from its key (if any) to its end */
	uint32_t height;		/* number of levels; 0 while it is read */
	struct budget *budget;		/* of the text: each lookup spends the values that it visits */
};

/*
 * The complete documents of a text, in `a`; NULL if there are none.  Reading stops at the first
 * error; more than 64 levels, including those of aliases, are an error, and so is an alias within
 * the value that it names.  When the budget (budget.h) is exceeded, lookups find nothing.
 */
struct yaml *yaml_read(const char *text, size_t n, struct arena *a);

/*
 * The value of a key, also in merged maps (<<).  NULL if there is none, or if `map` is not a map.
 */
const struct yaml *yaml_get(const struct yaml *map, const char *key);

/* The text of that value, or NULL. */
const char *yaml_get_text(const struct yaml *map, const char *key);

/* The value at a path of keys separated by slashes, or NULL. */
const struct yaml *yaml_get_path(const struct yaml *map, const char *path);
#endif
