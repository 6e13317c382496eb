#ifndef SHARD_SHARD_H
#define SHARD_SHARD_H
/*
 * One repository's process: keeps its index current, answers requests, says that it is there.
 * The main thread does everything that changes the state; requests see copies of it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/progress.h"
#include "proto/base/err.h"
#include "shard/source.h"
#include "shard/store.h"
#include "shard/vectors_ingest.h"

struct arena;
struct hello;
struct options;
struct rpc_load;
struct shard;

enum { JOB_ID = 32 };

/* What is told when no repository is where it was. */
#define SHARD_AWAY "the repository is not in its place any more: put it back, or remove it and add it where it is now"

/* What the shard is doing and serving, at one instant. */
struct state {
	uint64_t changes;		/* grows whenever status or generation change */
	struct index_info info;		/* info.file is "" while nothing is served */
	char head[REPO_OID];		/* what HEAD points to now; "" unknown */
	int64_t behind;
	bool away;		/* no repository is where it was */
	bool running;			/* an ingest is under way */
	char phase[16];
	struct amount amount;		/* of it */
	enum err_code code;		/* of the last failure, until an ingest succeeds */
	char message[240];
	bool wanted, force;		/* an ingest was asked for and has not begun */
	uint64_t begun, ended;		/* numbers of the last ingest that was started, and that is published or has failed */
	char asker[JOB_ID], runner[JOB_ID];	/* job for which the next ingest is wanted, and for which the last was started */
	bool stop;			/* the running one shall end */
	bool embed;			/* vectors shall be made now */
	uint64_t embeds;		/* runs that made some, or failed to, and have ended */
	bool embedding;			/* vectors are being made: none of them counts before they are published */
	struct vectors_state vectors;	/* of the index that is served */
	char vectors_reason[300];	/* why there are not more; "" */
};

/*
 * Lock the data directory, look at its index and listen.  NULL with `e` (INVALID_INPUT; NOT_FOUND; UNAVAILABLE: the
 * address is taken, or another process serves this repository from this data directory).  `o` must outlive the shard.
 */
struct shard *shard_open(const struct options *o, struct err *e);

/* Serve until SIGTERM or SIGINT. */
void shard_serve(struct shard *);

/* With --once: bring the index up to date, then print what it holds. */
int shard_once(struct shard *, struct err *e);

/* End the child, free.  NULL is fine. */
void shard_close(struct shard *);

/* With --probe: ask the shard at o->probe; 0 when it serves an index. */
int shard_probe(const struct options *o, struct err *e);

/* ---- for the RPCs; any thread ---- */

const struct options *shard_options(const struct shard *);
const struct source *shard_source(const struct shard *);
int64_t shard_started(const struct shard *);	/* monotonic, milliseconds */
void shard_state(struct shard *, struct state *out);

/* none | building | complete: of its vectors. */
const char *shard_vectors(const struct state *);

/* pending | building | ready | failed */
const char *shard_status(const struct state *);

/* Who this shard is; strings live in `a` or as long as the shard. */
void shard_hello(struct shard *, struct hello *out, struct arena *a);

/* Number of this process, which no other has. */
uint64_t shard_process(const struct shard *);

/*
 * Ask for an ingest, behind the running one if there is one; shard_cancel stops it by `job` (or NULL).  Its number: it is over
 * when state.ended has reached that.
 */
uint64_t shard_want(struct shard *, bool force, const char *job);

/* Ask for the vectors that are missing, however often that has failed. */
void shard_want_vectors(struct shard *);

/* How much it is asked (rpc.h); and stop one (rpc.h), or the ingest of a job. */
struct rpc_load shard_load(struct shard *);
bool shard_cancel(struct shard *, const char *req);

/* Tell that this index failed under a request: it is set aside and rebuilt. */
void shard_suspect(struct shard *, const char *file, const char *message);
#endif
