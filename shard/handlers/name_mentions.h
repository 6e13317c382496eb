#ifndef SHARD_HANDLERS_NAME_MENTIONS_H
#define SHARD_HANDLERS_NAME_MENTIONS_H
/*
 * Uses of a name that no edge stands for: what a search for the text would find and the graph does
 * not know.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct map;
struct index_reader;

struct name_mentions {
	uint64_t files;		/* that use the name; of those that were looked at */
	const char *example;	/* the first of them */
	uint64_t unread;	/* files that hold the word and were not looked at */
};

/*
 * Files of code that hold `name` as a word (`callable`: before a parenthesis), but for those whose
 * paths are keys of `known`.
 */
int name_mentions_find(struct index_reader *, const char *name, bool callable,
    const struct map *known, struct name_mentions *out, struct arena *, struct err *);
#endif
