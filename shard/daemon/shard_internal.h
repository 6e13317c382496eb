#ifndef SHARD_DAEMON_SHARD_INTERNAL_H
#define SHARD_DAEMON_SHARD_INTERNAL_H
/* What shard.c (start, requests, end) and index_scheduler.c (keeping the index current) share. */

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
	struct secrets *secrets;	/* where they are from */
	int signals, wake;
	int sleep_max_ms;			/* that the main loop sleeps */
	int64_t started;
	uint64_t process;
	struct rpc_server *rpc;
	struct announcer *announcer;
	atomic_llong loop_turned_ms;		/* when the main loop began its last turn, monotonic */

	pthread_mutex_t lock;		/* guards st and broken */
	struct shard_status st;
	char broken[64];		/* an index to set aside */

	/* the main thread's own */
	struct child child;		/* one that fetches, then one that ingests */
	/* of this ingest: it was asked for so; an index of another shard is published */
	bool forced, copied;
	/* the index that was served before this one: readers may be opening it */
	char before[64];
	struct repo *repo;		/* for HEAD */
	struct head_watch *watch;		/* of it; NULL: none */
	bool taken;			/* what the child published is served already */
	char tips[REPO_TIPS_SIZE];		/* of the watched repository */
	char compared[REPO_TIPS_SIZE + REPO_OID_SIZE];	/* tips and commit that st.behind is of */
	char tried[REPO_OID_SIZE];		/* head that an ingest was started for last */
	/* its remote could not be asked: nobody knows how far it is ahead */
	bool remote_unreachable;
	int crashes, unblamed_crashes, failures;
	struct child embedding;		/* makes vectors, whatever else goes on */
	bool vectors_check_due;		/* how far they are is to be seen */
	struct vectors_checkpoint vectors_mark;
	int64_t vectors_of;		/* generation that the child began with */
	int vectors_failures;
	int64_t vectors_not_before;
	int64_t not_before, next_poll, next_remote, next_announce, next_rest, next_sweep,
	    next_snapshots;
};

/* ---- index_scheduler.c, on the main thread ---- */

/*
 * Take what CURRENT names into the state; what is damaged is set aside.  `check` reads all of it.
 */
void index_scheduler_load(struct shard *, bool check);

/* After index_scheduler_load: what crashes of earlier ingests mean for the next one. */
void index_scheduler_resume(struct shard *);

/* Compare HEAD with the index, and want an ingest when it moved. */
void index_scheduler_check_head(struct shard *);

/*
 * Start an ingest when one is wanted and may run; when to look again.  A failure to start is in
 * `e`.
 */
int64_t index_scheduler_tick(struct shard *, struct err *e);

/* End the ingest that nobody wants any more. */
void index_scheduler_stop(struct shard *);

/* Hear the child.  What became of it. */
enum child_outcome index_scheduler_read_child(struct shard *, struct err *e);

/* What is done now and then: polling, sweeping; when to come again. */
int64_t index_scheduler_housekeeping(struct shard *);

void index_scheduler_close(struct shard *);

/* ---- vector_scheduler.c, on the main thread ---- */

/* Another index is served: nothing is known of its vectors.  With the lock held. */
void vector_scheduler_reset(struct shard *);

/*
 * Hear the child that makes vectors, see how far they are, start it when some are missing; when to
 * come again.
 */
int64_t vector_scheduler_tick(struct shard *);

static inline int64_t least(int64_t a, int64_t b)
{
	return MIN(a, b);
}
#endif
