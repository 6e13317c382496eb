#ifndef SHARD_MANIFESTS_PINNED_VERSIONS_H
#define SHARD_MANIFESTS_PINNED_VERSIONS_H
/* The versions that lock files chose.  Pure: the order of rows does not matter. */

#include <stddef.h>

struct arena;
struct package;

/*
 * Sets `pinned` of the dependencies among `v`, by the rows `governs` and `locks` (manifests.h)
 * among `rows`.  The lock files of the nearest folder that has some for the manifest count.  If
 * they have several versions of a package, the one for the manifest's own folder or package counts,
 * else the one for exactly this range, else none.  `v` is sorted by file.  The texts belong to
 * `rows`.
 */
void pinned_versions_set(
    const struct package *rows, size_t nrows, struct package *v, size_t n, struct arena *);
#endif
