#ifndef COORDINATOR_CONTRACTS_PATHS_MATCH_ROUTE_INDEX_H
#define COORDINATOR_CONTRACTS_PATHS_MATCH_ROUTE_INDEX_H
/* Finds the route templates that fit the path of a call without comparing all of them. */

#include <stdint.h>

#include "coordinator/contracts/paths/match_path.h"

struct match_index;

/*
 * Indexes the paths, which must outlive the index.  A route is identified by its position among
 * them.  Free with match_index_free.
 */
struct match_index *match_index_new(const struct path_template *const *routes, size_t n);
void match_index_free(struct match_index *);	/* NULL is fine */

struct route_candidate {
	uint32_t route;
	struct path_match fit;
};

/* Ordered by route. */
struct route_candidates {
	struct route_candidate *v;
	size_t n, cap;
};

/*
 * The routes that share at least one segment of fixed text with the call, and those without fixed
 * text that fit exactly.  Cached for each path; borrowed until the index is freed.
 */
const struct route_candidates *match_index_find(
    struct match_index *, const struct path_template *call);
#endif
