#ifndef COORDINATOR_CONTRACTS_USE_COUNTS_H
#define COORDINATOR_CONTRACTS_USE_COUNTS_H
/*
 * How often other repositories use each definition of a repository: asked of the shards of all
 * members that need one of its packages.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/contracts/consumers.h"

struct fanout;
struct member;

struct counted_use {
	const char *path, *symbol; /* file and qualified name of the definition */
	const char *repo_uri; /* who uses it */
	uint64_t uses;
};

struct use_counts {
	struct counted_use *v; /* by path, symbol and who */
	size_t n, cap;
	struct member **members; /* who was asked */
	size_t nmembers;
	t_strs reasons; /* why there may be more; has room for two of each member */
	struct fanout **asked; /* for the coverage */
	size_t nasked;
};

/*
 * Count the uses of the definitions of `of` in files below `folder` (NULL: all).  `then` runs with
 * c->state as it was.
 */
void use_counts_find(struct call *, const struct member *of, const char *folder,
    const struct consumers *, void (*then)(struct call *, struct use_counts *));

/* The uses of a definition: where they begin, and how many repositories there are. */
const struct counted_use *use_counts_of(
    const struct use_counts *, const char *path, const char *symbol, size_t *n);

/* A hash of all counts, in the call's arena. */
const char *use_counts_hash(struct call *, const struct use_counts *);
#endif
