#ifndef SHARD_SEARCH_NAME_BEGINNINGS_H
#define SHARD_SEARCH_NAME_BEGINNINGS_H
/* Names in the index that begin like a given one. */

#include <stdbool.h>

#include "proto/record/record.h"

struct arena;
struct db;
struct err;

/* Whether names with this beginning are looked for: a shorter one would fit too many. */
bool name_beginnings_allow(const char *beginning, struct arena *);

/*
 * Finds the keys that may be those of longer names with this beginning, in the arena; at most a few
 * hundred, in alphabetical order of terms. The names come from the terms of the documents, so that
 * generated code, which has none, is left out. Not every key is that of a definition.
 */
int name_beginnings_find(
    struct db *, const char *beginning, struct arena *, struct strs *keys, struct err *);
#endif
