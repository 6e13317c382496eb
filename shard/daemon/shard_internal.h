#ifndef SHARD_DAEMON_SHARD_INTERNAL_H
#define SHARD_DAEMON_SHARD_INTERNAL_H
/* What shard.c (start, requests, end) and index_scheduler.c (keeping the index current) share. */

#include <pthread.h>
#include <stdatomic.h>

#include "shard/daemon/child_process.h"
#include "shard/daemon/instance.h"
#include "shard/daemon/shard.h"
#include "shard/vectors/vector_file.h"

struct announcer;
struct rpc_server;
struct watch;

struct shard {
	const struct options *o;
	struct arena *a;
	struct source src;
	struct place place;
	struct secrets *secrets;	/* where they are from */
	int signals, wake;
	int longest_ms;			/* that the main loop sleeps */
	int64_t started;
	uint64_t process;
	struct rpc_server *rpc;
	struct announcer *announcer;
	atomic_llong turned;		/* when the main loop began its last turn, monotonic */

	pthread_mutex_t lock;		/* guards st and broken */
	struct state st;
	char broken[64];		/* an index to set aside */

	/* the main thread's own */
	struct child child;		/* one that fetches, then one that ingests */
	bool forced, copied;		/* of this ingest: it was asked for so; an index of another shard is published */
	char before[64];		/* the index that was served before this one: readers may be opening it */
	struct repo *repo;		/* for HEAD */
	struct watch *watch;		/* of it; NULL: none */
	bool taken;			/* what the child published is served already */
	char tips[REPO_TIPS];		/* of the watched repository */
	char compared[REPO_TIPS + REPO_OID];	/* tips and commit that st.behind is of */
	char tried[REPO_OID];		/* head that an ingest was started for last */
	bool cut_off;			/* its remote could not be asked: nobody knows how far it is ahead */
	int crashes, blameless, failures;
	struct child embedding;		/* makes vectors, whatever else goes on */
	bool vectors_look;		/* how far they are is to be seen */
	struct vectors_mark vectors_mark;
	int64_t vectors_of;		/* generation that the child began with */
	int vectors_failures;
	int64_t vectors_not_before;
	int64_t not_before, next_poll, next_remote, next_announce, next_rest, next_sweep, next_snapshots;
};

/* ---- index_scheduler.c, on the main thread ---- */

/* Take what CURRENT names into the state; what is damaged is set aside.  `check` reads all of it. */
void keeper_load(struct shard *, bool check);

/* After keeper_load: what crashes of earlier ingests mean for the next one. */
void keeper_resume(struct shard *);

/* Compare HEAD with the index, and want an ingest when it moved. */
void keeper_look(struct shard *);

/* Start an ingest when one is wanted and may run; when to look again.  A failure to start is in `e`. */
int64_t keeper_tick(struct shard *, struct err *e);

/* End the ingest that nobody wants any more. */
void keeper_stop(struct shard *);

/* Hear the child.  What became of it. */
enum child_end keeper_hear(struct shard *, struct err *e);

/* What is done now and then: polling, sweeping; when to come again. */
int64_t keeper_housekeeping(struct shard *);

void keeper_close(struct shard *);

/* ---- vector_scheduler.c, on the main thread ---- */

/* Another index is served: nothing is known of its vectors.  With the lock held. */
void keeper_vectors_begin(struct shard *);

/* Hear the child that makes vectors, see how far they are, start it when some are missing; when to come again. */
int64_t keeper_vectors(struct shard *);

static inline int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}
#endif
