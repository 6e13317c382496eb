#ifndef COORDINATOR_CONTRACTS_USES_SYNC_H
#define COORDINATOR_CONTRACTS_USES_SYNC_H
/*
 * Gives each member the interfaces of the packages that its code may use, by hash: those that its
 * shard lacks are fetched from the shards that publish them.  The shards then resolve their code
 * against them.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/calls/call.h"
#include "coordinator/contracts/matching/match.h"

struct member;

struct uses_member {
	struct member *member;
	bool answered;			/* `totals` are those of its present index */
	struct use_interfaces_res totals;
	t_strs unknown; /* repositories that its code imports, whose interface it did not get */
	const char *problem;		/* why it did not answer; NULL: it did, or was not asked */
};

/*
 * Run a step of group_sync: `m` are the facts of the members, in the order of `v`.  `then` runs in
 * any case, with `arg`: a member that does not answer, or whose program is older, has no totals.
 */
void uses_sync_run(struct call *, const char *group, const struct match_member *m,
    struct uses_member *v, size_t n, void (*then)(struct call *, void *arg), void *arg);
#endif
