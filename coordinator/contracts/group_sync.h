#ifndef COORDINATOR_CONTRACTS_GROUP_SYNC_H
#define COORDINATOR_CONTRACTS_GROUP_SYNC_H
/*
 * Rebuilds the contracts and links of a group as the caller may see them: fetches the facts of
 * members whose index has changed, matches them, and replaces the tables in one transaction.  A
 * member that cannot be reached keeps its last good facts and is named in the coverage.
 */

#include "coordinator/calls/call.h"
#include "coordinator/contracts/contract_tables_build.h"
#include "coordinator/contracts/scoped_tables.h"

struct members;
struct member_sync;

struct group_sync {
	const char *group;
	struct scoped_tables sight;	/* the tables to rebuild */
	void (*then)(struct call *, struct group_sync *);
	void *outer;			/* the call's state before the sync, for `then` to restore */

	struct tables_build_result built;
	struct coverage *coverage;
	bool complete;
	struct member_sync *parts;	/* private to group_sync.c, one for each member */
	struct call *call;
	const char *key;		/* the name of the tables */
	struct group_sync *next, *waiting;	/* guarded by the lock of co->group_syncs */
};

/* Runs one sync at a time for the same tables, so that older facts never replace newer ones. */
struct group_sync_queue *group_sync_queue_new(void);
void group_sync_queue_free(struct group_sync_queue *);	/* NULL is fine */

/*
 * Sync an existing group, after earlier syncs of the same tables have ended.  Only members that the
 * caller may see are asked (scoped_tables.h).  `then` runs even after a failure (the call's `e` is
 * set).
 */
void group_sync_run(
    struct call *, const char *group, void (*then)(struct call *, struct group_sync *));

/*
 * The version of a member's index, which identifies the facts that it yields; "0 " without a stamp.
 */
const char *group_sync_version(
    struct members *, const struct member *, const struct freshness *, struct arena *);
#endif
