#ifndef SHARD_SERVER_SHARD_STATE_H
#define SHARD_SERVER_SHARD_STATE_H
/*
 * What a shard is doing and serving: the server stamps its answers with it, and handlers report it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/process/progress.h"
#include "shard/embedding/vector_builder.h"
#include "shard/index/index_store.h"

enum { JOB_ID = 32 };

/* The state at one instant. */
struct shard_status {
	uint64_t changes;		/* grows whenever status or generation change */
	struct index_info info;		/* info.file is "" while nothing is served */
	char head[REPO_OID_SIZE];	/* the commit of HEAD; "" = unknown */
	int64_t behind;			/* commits; -1 = unknown */
	char checked_at[CLOCK_ISO];	/* if it is unknown: when it was last known; "" = never */
	bool away;			/* there is no repository at its path */
	bool running;			/* an ingest is in progress */
	char phase[16];			/* of the ingest, and its progress */
	struct progress_amount amount;
	enum err_code code;		/* of the last failure, until an ingest succeeds */
	char message[240];
	bool wanted, force;		/* an ingest was requested and has not begun */
	bool now;			/* by a caller, so that pauses after crashes do not apply */
	uint64_t begun;			/* number of the last ingest that was started */
	uint64_t ended;			/* number of the last one that succeeded or failed */
	char wanted_job[JOB_ID];	/* the job for which the next ingest is wanted */
	char running_job[JOB_ID];	/* the job for which the last one was started */
	bool stop;			/* the running ingest is to end */
	bool embed;			/* vectors are to be made now */
	uint64_t embeds;		/* number of ended runs that made vectors, or failed */
	bool embedding;			/* vectors are being made; none counts before publication */
	struct vector_status vectors;	/* of the index that is served */
	char vectors_reason[300];	/* why there are not more; "" if there is no reason */
};

/* The state of its vectors: none | building | complete. */
const char *shard_state_vectors(const struct shard_status *);

/* pending | building | ready | failed */
const char *shard_state_status(const struct shard_status *);
#endif
