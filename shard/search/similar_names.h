#ifndef SHARD_SEARCH_SIMILAR_NAMES_H
#define SHARD_SEARCH_SIMILAR_NAMES_H
/* Names of definitions that resemble one that does not exist. */

#include <stdint.h>

struct arena;
struct db;
struct err;

/*
 * The names that are spelled most like `asked`, or else share words with it, as a list for people;
 * "" if there are none.  The search ends at `until_ms` (monotonic; 0 = never) with what it has.
 */
const char *similar_names(
    struct db *, const char *asked, int64_t until_ms, struct arena *, struct err *);
#endif
