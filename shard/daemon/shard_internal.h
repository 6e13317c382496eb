#ifndef SHARD_DAEMON_SHARD_INTERNAL_H
#define SHARD_DAEMON_SHARD_INTERNAL_H
/*
 * What shard.c (start, requests, end), index_scheduler.c, index_housekeeping.c and
 * vector_scheduler.c share.
 */

#include <pthread.h>
#include <stdatomic.h>

#include "shard/daemon/child_process.h"
#include "shard/daemon/instance.h"
#include "shard/daemon/shard.h"
#include "shard/vectors/vector_file.h"
#include "proto/base/minmax.h"

struct announcer;
struct rpc_server;
struct head_watch;

struct shard {
	const struct options *o;
	struct arena *a;
	struct repo_source src;
	struct instance place;
	struct secrets *secrets;	/* their origins */
	int signals, wake;
	int sleep_max_ms;		/* of the main loop */
	int64_t started;
	uint64_t process;
	struct rpc_server *rpc;
	struct announcer *announcer;
	atomic_llong loop_turned_ms;	/* when the main loop began its last turn, monotonic */

	pthread_mutex_t lock;		/* guards st and broken */
	struct shard_status st;
	char broken[64];		/* an index to set aside */

	/* used by the main thread only */
	struct child child;		/* one that fetches, then one that ingests */
	bool forced;			/* this ingest is a forced rebuild */
	bool copied;			/* this ingest has published another shard's index */
	char before[64];		/* the index served before; readers may still be opening it */
	struct repo *repo;		/* for HEAD */
	struct head_watch *watch;	/* of `repo`; NULL if there is none */
	bool taken;			/* the index that the child published is already served */
	char tips[REPO_TIPS_SIZE];	/* of the watched repository */
	/* the tips and commit that gave st.behind, and when they were seen */
	char compared[REPO_TIPS_SIZE + REPO_OID_SIZE + CLOCK_ISO];
	char tried[REPO_OID_SIZE];	/* HEAD for which an ingest was last started */
	bool remote_unreachable;	/* so it is unknown how far ahead the remote is */
	char tips_seen_at[CLOCK_ISO];	/* when `tips` were last those of the source, UTC; "" = never */
	int crashes, unblamed_crashes, failures;
	struct child embedding;		/* makes vectors, independently of `child` */
	bool vectors_check_due;		/* the status of vectors must be read again */
	struct vectors_checkpoint vectors_mark;
	int64_t vectors_of;		/* generation with which the child began */
	int vectors_failures;
	int64_t vectors_not_before;
	int64_t repairs_from;		/* no repair of the mirror before that */
	int64_t not_before, next_poll, next_remote, next_repair, next_announce, next_rest, next_sweep,
	    next_snapshots;
};

/* ---- index_scheduler.c, on the main thread ---- */

/*
 * Loads the index that CURRENT names into the state; a damaged one is set aside. `check` verifies
 * all its pages.
 */
void index_scheduler_load(struct shard *, bool check);

/* After index_scheduler_load: applies the pauses for crashes of earlier ingests. */
void index_scheduler_resume(struct shard *);

/* Compares HEAD with the index, and requests an ingest if it moved. */
void index_scheduler_check_head(struct shard *);

/*
 * Starts an ingest if one is wanted and may run. Returns when to call it again. A failure to start
 * is in `e`.
 */
int64_t index_scheduler_tick(struct shard *, struct err *e);

/* Ends the ingest if it was cancelled. */
void index_scheduler_stop(struct shard *);

/* Reads the child's reports. Returns the outcome. */
enum child_outcome index_scheduler_read_child(struct shard *, struct err *e);

void index_scheduler_close(struct shard *);

/* ---- index_housekeeping.c, on the main thread ---- */

enum { PREVIOUS_INDEX_MS = 20000 };	/* how long the previous index is kept for readers opening it */

/*
 * Periodic work: polling HEAD and the remote, repairing a mirror, sweeping. Returns when to call it
 * again.
 */
int64_t index_housekeeping(struct shard *);

/* ---- vector_scheduler.c, on the main thread ---- */

/* Another index is served, so nothing is known about its vectors. Call with the lock held. */
void vector_scheduler_reset(struct shard *);

/*
 * Reads the reports of the child that makes vectors, checks their status, and starts the child if
 * some are missing. Returns when to call it again.
 */
int64_t vector_scheduler_tick(struct shard *);

/* MIN, but each argument is evaluated once. */
static inline int64_t least(int64_t a, int64_t b)
{
	return MIN(a, b);
}
#endif
