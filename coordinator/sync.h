#ifndef COORDINATOR_SYNC_H
#define COORDINATOR_SYNC_H
/*
 * Rebuild the contracts and links of a group: fetch the facts of members whose index has changed, match, and replace the
 * tables in one transaction.  A member that cannot be reached keeps its last good facts and is named.
 */

#include "coordinator/pick.h"
#include "coordinator/tool.h"

struct part;

struct sync {
	const char *group;
	struct picked members;
	void (*then)(struct call *, struct sync *);
	void *outer;			/* the call's state before, for `then` to go back to */

	size_t contracts, links;	/* rows written */
	bool changed;
	const char *synced_at;
	struct coverage *coverage;
	bool complete;
	struct part *parts;		/* of sync.c, one per member */
	struct call *call;
	struct sync *next, *waiting;	/* under the lock of co->syncs */
};

/* Those under way: one for each group at a time, so that older facts never replace newer ones. */
struct syncs *syncs_new(void);
void syncs_free(struct syncs *);	/* NULL is fine */

/*
 * Run it for an existing group, after others of that group, whoever asks for it; the coverage names those that the caller may see.  `then` follows,
 * also when it failed (the call's `e` is set).
 */
void sync_run(struct call *, const char *group, void (*then)(struct call *, struct sync *));

/* The version of an index: names the facts that were made from it. */
const char *sync_version(uint64_t generation, const char *commit, struct arena *);
#endif
