#ifndef SHARD_HANDLERS_NAME_MENTIONS_H
#define SHARD_HANDLERS_NAME_MENTIONS_H
/*
 * Finds uses of a name without an edge: what a text search would find and the graph does not know.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct map;
struct index_reader;

struct name_mentions {
	uint64_t files;		/* files that use the name, among those that were read */
	const char *example;	/* the first of them */
	uint64_t unread;	/* files that contain the word and were not read */
};

/*
 * Finds the files of code that contain `name` as a word (if `callable`: before a parenthesis),
 * except those whose paths are keys of `known`.
 */
int name_mentions_find(struct index_reader *, const char *name, bool callable,
    const struct map *known, struct name_mentions *out, struct arena *, struct err *);
#endif
