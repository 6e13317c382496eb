#ifndef COORDINATOR_CONTRACTS_GROUP_SYNC_H
#define COORDINATOR_CONTRACTS_GROUP_SYNC_H
/*
 * Rebuild the contracts and links of a group as its caller may see them: fetch the facts of members whose index has changed, match,
 * and replace the tables in one transaction.  A member that cannot be reached keeps its last good facts and is named.
 */

#include "coordinator/calls/call.h"
#include "coordinator/contracts/contract_tables_build.h"
#include "coordinator/contracts/scoped_tables.h"

struct members;
struct part;

struct sync {
	const char *group;
	struct sight sight;
	void (*then)(struct call *, struct sync *);
	void *outer;			/* the call's state before, for `then` to go back to */

	struct built built;
	struct coverage *coverage;
	bool complete;
	struct part *parts;		/* of group_sync.c, one per member */
	struct call *call;
	const char *key;		/* of the tables */
	struct sync *next, *waiting;	/* under the lock of co->syncs */
};

/* Those under way: one for each tables at a time, so that older facts never replace newer ones. */
struct syncs *syncs_new(void);
void syncs_free(struct syncs *);	/* NULL is fine */

/*
 * Run it for an existing group, after others of the same tables: the caller's members are asked, and no others (scoped_tables.h).  `then`
 * follows, also when it failed (the call's `e` is set).
 */
void sync_run(struct call *, const char *group, void (*then)(struct call *, struct sync *));

/* The version of a member's index: names the facts that were made from it.  "0 " without a stamp. */
const char *sync_version(struct members *, const struct member *, const struct freshness *, struct arena *);
#endif
