#ifndef COORDINATOR_CALLS_FANOUT_INTERNAL_H
#define COORDINATOR_CALLS_FANOUT_INTERNAL_H
/* What fanout.c (many members) and fanout_request.c (one of them, through any of its shards) share; nobody else includes it. */

#include <stdatomic.h>

#include "coordinator/calls/fanout.h"

struct leg;
struct race;
struct wire_reply;

/* One member's part of a flight. */
struct leg {
	struct flight *flight;
	struct member *member;
	const void *req;
	uint32_t index;			/* that its shard shall hold (members_index); 0: any */
	struct race *race;		/* of the shards that work for it; it outlives the leg */
	int64_t elapsed_ms;
	struct wire_reply *reply;	/* NULL: `e` says why */
	struct err e;
};

struct flight {
	struct call *call;
	struct fanout *f;
	void (*then)(struct call *, struct fanout *);
	int64_t start_ms, deadline_ms;
	atomic_size_t pending, arrived;
	struct leg *legs;
};

/* ---- fanout_request.c ---- */

/* Before any leg of the flight begins; and when all have arrived. */
void leg_init(struct leg *);
void leg_end(struct leg *);

/* Ask a shard of the member, and further ones if need be; leg_arrive follows once, perhaps before this returns. */
void leg_begin(struct leg *);

/* Tell the shards that work for it that nobody waits for them.  The flight must not be over. */
void leg_cancel(struct leg *);

/* ---- fanout.c ---- */

/* The leg's reply or error is there; on any thread. */
void leg_arrive(struct leg *);

/* One that kept the flight from landing (flight.pending) does so no more. */
void flight_release(struct flight *);
#endif
