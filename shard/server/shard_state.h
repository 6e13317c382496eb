#ifndef SHARD_SERVER_SHARD_STATE_H
#define SHARD_SERVER_SHARD_STATE_H
/* What a shard is doing and serving: the server stamps its answers with it, requests tell of it. */

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/process/progress.h"
#include "shard/embedding/vector_builder.h"
#include "shard/index/index_store.h"

enum { JOB_ID = 32 };

/* At one instant. */
struct shard_status {
	uint64_t changes;		/* grows whenever status or generation change */
	struct index_info info;		/* info.file is "" while nothing is served */
	char head[REPO_OID_SIZE];		/* what HEAD points to now; "" unknown */
	int64_t behind;
	bool away;		/* no repository is where it was */
	bool running;			/* an ingest is under way */
	char phase[16];
	struct progress_amount amount;		/* of it */
	enum err_code code;		/* of the last failure, until an ingest succeeds */
	char message[240];
	bool wanted, force;		/* an ingest was asked for and has not begun */
	bool now;			/* by somebody, so that no pause after crashes counts */
	/* numbers of the last ingest that was started, and that is published or has failed */
	uint64_t begun, ended;
	/* job for which the next ingest is wanted, and for which the last was started */
	char wanted_job[JOB_ID], running_job[JOB_ID];
	bool stop;			/* the running one shall end */
	bool embed;			/* vectors shall be made now */
	uint64_t embeds;		/* runs that made some, or failed to, and have ended */
	/* vectors are being made: none of them counts before they are published */
	bool embedding;
	struct vector_status vectors;	/* of the index that is served */
	char vectors_reason[300];	/* why there are not more; "" */
};

/* none | building | complete: of its vectors. */
const char *shard_state_vectors(const struct shard_status *);

/* pending | building | ready | failed */
const char *shard_state_status(const struct shard_status *);
#endif
