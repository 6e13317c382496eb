#ifndef SHARD_GIT_OWNERS_H
#define SHARD_GIT_OWNERS_H
/* Who changed a path, from the commits that led to the indexed one. */

#include <stddef.h>

#include "proto/record/record.h"

struct arena;
struct err;
struct repo;

/* How far back is looked. */
struct owners_limits {
	uint64_t commits;	/* of the history */
	uint64_t enough;	/* of those that changed the path */
	int64_t ms;
};

/*
 * The authors of the commits that changed `path`, a file or folder, largest share first.  Names
 * only: addresses tell people apart and are shown to nobody.
 */
int owners_find(struct repo *, const char *commit, const char *path, const struct owners_limits *,
    size_t limit, struct owners_res *out, struct arena *, struct err *);
#endif
