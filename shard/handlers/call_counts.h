#ifndef SHARD_HANDLERS_CALL_COUNTS_H
#define SHARD_HANDLERS_CALL_COUNTS_H
/* How many calls of an index are known, and why the others are not. */

#include "proto/record/record.h"

struct arena;
struct db;
struct err;

/* The calls by reason, most first, `resolved` for those that are known; 0 or -1 with an error. */
int call_counts_read(struct db *, struct status_res *out, struct arena *, struct err *);
#endif
