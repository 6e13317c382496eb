#ifndef COORDINATOR_CONTRACTS_CROSS_REPO_IMPACT_H
#define COORDINATOR_CONTRACTS_CROSS_REPO_IMPACT_H
/*
 * From the routes that a change reaches in one repository to those who call them in others, and
 * from there on: each repository's shard is asked what depends on the places that call, and which
 * routes that reaches.
 */

#include "coordinator/contracts/consumers.h"

struct member;

struct cross_repo_impact {
	struct cross_end_list ends;		/* who calls, nearest first */
	struct { struct repo_reach *v; size_t n, cap; } repos;	/* that are affected, by repo_uri */
	t_strs reasons;			/* why there may be more */
};

/*
 * Follow `routes` of `m` (their depth counts) up to `depth` edges; edges within repositories that
 * are less sure than `min_confidence` are not followed.  `then` runs also after a failure (c->e);
 * c->state is as it was.
 */
void cross_repo_impact_run(struct call *, struct member *m, const struct route_row *routes,
    size_t n, uint64_t depth, double min_confidence,
    void (*then)(struct call *, struct cross_repo_impact *, const struct consumers *));
#endif
