#ifndef SHARD_TRIGRAMS_DEFINITION_LINES_H
#define SHARD_TRIGRAMS_DEFINITION_LINES_H
/*
 * Definitions of the ranked index whose name a pattern matches, and the lines of a text that they
 * are in.
 */

#include <stddef.h>

#include "shard/trigrams/matching_lines.h"

struct arena;
struct db;
struct err;
struct map;
struct pattern_matcher;

struct definition {
	const char *name;
	size_t line, end_line; /* 1-based; attributes may stand in the first lines */
	struct definition *next; /* in the same file, in no order */
};

/*
 * Find them, by the path of their file: a map to struct definition, which the caller frees; the
 * rest is in `a`. Headings of documents are none.  `*left` is how many may be found, and is made
 * less by those that are; more are refused. NULL with `e`, which is not set if the matcher was
 * stopped.
 */
struct map *named_definitions_find(
    struct db *, struct pattern_matcher *, size_t *left, struct arena *, struct err *);

struct line_list {
	struct matching_line *v;
	size_t n;
};

/*
 * The lines with the names of definitions, in order, in `a`.  `text`: the file without a byte
 * order mark.
 */
struct line_list definition_lines(
    const struct definition *, const char *text, size_t n, struct arena *a);
#endif
