#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_ROUTE_INDEX_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_ROUTE_INDEX_H
/* Which route templates fit the path of a call, without looking at all of them. */

#include <stdint.h>

#include "coordinator/contracts/matching/match_path.h"

struct match_index;

/*
 * The paths must outlive it; a route is known by its place among them.  match_index_free takes it
 * away.
 */
struct match_index *match_index_new(const struct path_template *const *routes, size_t n);
void match_index_free(struct match_index *);	/* NULL is fine */

struct route_candidate {
	uint32_t route;
	struct path_match fit;
};

/* In order of the routes. */
struct route_candidates {
	struct route_candidate *v;
	size_t n, cap;
};

/*
 * The routes that fit by at least one segment of fixed text, and those without any that fit
 * exactly.  Kept and shared by all calls of one path; borrowed until the index is freed.
 */
const struct route_candidates *match_index_find(
    struct match_index *, const struct path_template *call);
#endif
