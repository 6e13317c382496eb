#ifndef COORDINATOR_CONTRACTS_AUTO_SYNC_H
#define COORDINATOR_CONTRACTS_AUTO_SYNC_H
/*
 * Rebuilds the contracts of a group automatically when a member has a new index or the members
 * change.
 */

struct coordinator;
struct auto_sync;

struct auto_sync *auto_sync_new(struct coordinator *);
void auto_sync_free(struct auto_sync *);	/* NULL is fine */

/*
 * Enqueue a `sync` job for each changed group that has been quiet for --sync-delay-ms, or has
 * waited ten times that.  A failed sync is retried with growing pauses.  Call it from one thread,
 * once the coordinator is completely set up.
 */
void auto_sync_tick(struct auto_sync *);
#endif
