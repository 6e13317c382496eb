#ifndef SHARD_GIT_OWNERS_H
#define SHARD_GIT_OWNERS_H
/* Who changed a path, from the commits that led to the indexed one. */

#include <stddef.h>

#include "proto/record/record.h"

struct arena;
struct err;
struct repo;

/* When to stop reading the history. */
struct owners_limits {
	uint64_t commits;	/* after so many commits */
	uint64_t enough;	/* after so many commits that changed the path */
	int64_t ms;		/* after so many milliseconds */
};

/*
 * The authors of the commits that changed `path`, a file or folder, largest share first.  `out` has
 * names only: addresses distinguish authors but are never shown.  Strings live in the arena.
 */
int owners_find(struct repo *, const char *commit, const char *path, const struct owners_limits *,
    size_t limit, struct owners_res *out, struct arena *, struct err *);
#endif
