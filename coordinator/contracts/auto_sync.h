#ifndef COORDINATOR_CONTRACTS_AUTO_SYNC_H
#define COORDINATOR_CONTRACTS_AUTO_SYNC_H
/*
 * Contracts that are rebuilt without being asked: when a member of a group has a new index, or a
 * group other members.
 */

struct coordinator;
struct auto_sync;

struct auto_sync *auto_sync_new(struct coordinator *);
void auto_sync_free(struct auto_sync *);	/* NULL is fine */

/*
 * Look what has changed and enqueue a job `sync`, of which one runs at a time: when a group has
 * been quiet for --sync-delay-ms, or has waited ten times that.  What does not succeed is tried
 * again, later and later.  Of one thread, once the coordinator is there as a whole.
 */
void auto_sync_tick(struct auto_sync *);
#endif
