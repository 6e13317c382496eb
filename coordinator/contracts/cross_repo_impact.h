#ifndef COORDINATOR_CONTRACTS_CROSS_REPO_IMPACT_H
#define COORDINATOR_CONTRACTS_CROSS_REPO_IMPACT_H
/*
 * Follows the routes that a change reaches in one repository to their callers in others, and on
 * from there: each repository's shard is asked what depends on the calling places and which routes
 * that reaches.
 */

#include "coordinator/contracts/consumers.h"

struct member;

struct cross_repo_impact {
	struct cross_end_list ends;	/* the callers, nearest first */
	struct { struct repo_reach *v; size_t n, cap; } repos;	/* affected ones, ordered by repo_uri */
	t_strs reasons;			/* why the result may be incomplete */
	bool stopped;			/* a shard's walk ended at the deadline */
};

/*
 * Follow `routes` of `m` up to `depth` edges, beginning at each route's own depth.  Edges within
 * repositories below `min_confidence` are not followed.  A shard has `ms` to answer.  `then` runs
 * even after a failure (c->e), with c->state as it was.
 */
void cross_repo_impact_run(struct call *, struct member *m, const struct route_row *routes,
    size_t n, uint64_t depth, double min_confidence, int ms,
    void (*then)(struct call *, struct cross_repo_impact *, const struct consumers *));
#endif
