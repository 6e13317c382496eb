#ifndef SHARD_USES_REFERENCE_FINDER_H
#define SHARD_USES_REFERENCE_FINDER_H
/*
 * Each occurrence of a definition in the code of its own repository.  The graph keeps only the
 * first line of each edge, so the files with edges to the definition's file are resolved again.
 */

#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct db;
struct err;

/*
 * Stores the page in `out`, in `a`.  It ends early, with `out->stopped`, if `until_ms` (monotonic;
 * 0 = never) passes.  Empty if there is no such definition.
 */
int references_find(struct db *, const struct references_req *, int64_t until_ms, struct arena *a,
    struct references_res *out, struct err *);
#endif
