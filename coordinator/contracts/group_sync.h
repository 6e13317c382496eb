#ifndef COORDINATOR_CONTRACTS_GROUP_SYNC_H
#define COORDINATOR_CONTRACTS_GROUP_SYNC_H
/*
 * Rebuild the contracts and links of a group as its caller may see them: fetch the facts of
 * members whose index has changed, match, and replace the tables in one transaction.  A member
 * that cannot be reached keeps its last good facts and is named.
 */

#include "coordinator/calls/call.h"
#include "coordinator/contracts/contract_tables_build.h"
#include "coordinator/contracts/scoped_tables.h"

struct members;
struct member_sync;

struct group_sync {
	const char *group;
	struct scoped_tables sight;
	void (*then)(struct call *, struct group_sync *);
	void *outer;			/* the call's state before, for `then` to go back to */

	struct tables_build_result built;
	struct coverage *coverage;
	bool complete;
	struct member_sync *parts;		/* of group_sync.c, one per member */
	struct call *call;
	const char *key;		/* of the tables */
	struct group_sync *next, *waiting;	/* under the lock of co->syncs */
};

/* Those under way: one for each tables at a time, so that older facts never replace newer ones. */
struct group_sync_queue *group_sync_queue_new(void);
void group_sync_queue_free(struct group_sync_queue *);	/* NULL is fine */

/*
 * Run it for an existing group, after others of the same tables: the caller's members are asked,
 * and no others (scoped_tables.h).  `then` follows, also when it failed (the call's `e` is set).
 */
void group_sync_run(
    struct call *, const char *group, void (*then)(struct call *, struct group_sync *));

/*
 * The version of a member's index: names the facts that were made from it.  "0 " without a stamp.
 */
const char *group_sync_version(
    struct members *, const struct member *, const struct freshness *, struct arena *);
#endif
