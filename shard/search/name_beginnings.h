#ifndef SHARD_SEARCH_NAME_BEGINNINGS_H
#define SHARD_SEARCH_NAME_BEGINNINGS_H
/* Names in the index that begin like a given one. */

#include "proto/record/record.h"

struct arena;
struct db;
struct err;

/* A shorter beginning, as a key (symbol_match.h), would fit too many names. */
enum { NAME_BEGINNING_MIN = 4 };

/*
 * Finds the keys that may be those of longer names with this beginning, in the arena; at most a few
 * hundred, in alphabetical order of terms. The names come from the terms of the documents, so that
 * generated code, which has none, is left out. Not every key is that of a definition.
 */
int name_beginnings_find(
    struct db *, const char *beginning, struct arena *, struct strs *keys, struct err *);
#endif
