#ifndef COORDINATOR_CONTRACTS_CROSS_REPO_IMPACT_H
#define COORDINATOR_CONTRACTS_CROSS_REPO_IMPACT_H
/*
 * Follows what a change reaches in one repository to others, and on from there: the routes that it
 * reaches to their callers, and the definitions to the code that uses them.  Each repository's shard
 * is asked what depends on those places, and which routes and definitions that reaches.
 */

#include "coordinator/contracts/consumers.h"
#include "coordinator/contracts/definition_uses.h"

struct member;

struct cross_repo_impact {
	struct cross_end_list ends;	/* the callers, nearest first */
	struct { struct repo_reach *v; size_t n, cap; } repos;	/* affected ones, ordered by repo_uri */
	t_strs reasons;			/* why the result may be incomplete */
	bool stopped;			/* a shard's walk ended at the deadline */
};

/* Where to begin: what a change reaches in its own repository. */
struct impact_start {
	const struct route_row *routes;
	size_t nroutes;
	const struct used_definition *definitions;
	size_t ndefinitions;
};

/*
 * Follow the start in `m` up to `depth` edges, beginning at each route's or definition's own depth.
 * Edges within repositories below `min_confidence` are not followed.  A shard has `ms` to answer.
 * `then` runs even after a failure (c->e), with c->state as it was.
 */
void cross_repo_impact_run(struct call *, struct member *m, const struct impact_start *,
    uint64_t depth, double min_confidence, int ms,
    void (*then)(struct call *, struct cross_repo_impact *, const struct consumers *));

/* The definitions of levels, without tests: what others may use. */
size_t impact_definitions(struct call *, const struct level *, size_t nlevels, uint64_t depth,
    struct used_definition **out);
#endif
