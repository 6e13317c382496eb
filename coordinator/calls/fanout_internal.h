#ifndef COORDINATOR_CALLS_FANOUT_INTERNAL_H
#define COORDINATOR_CALLS_FANOUT_INTERNAL_H
/*
 * What fanout.c (many members) and fanout_request.c (one of them, through any of its shards)
 * share; nobody else includes it.
 */

#include <stdatomic.h>

#include "coordinator/calls/fanout.h"

struct member_request;
struct hedged_request;
struct wire_reply;

/* One member's part of a flight. */
struct member_request {
	struct fanout_state *flight;
	struct member *member;
	const void *req;
	uint32_t index;			/* that its shard shall hold (members_index_id); 0: any */
	struct hedged_request *race;		/* of the shards that work for it; it outlives the leg */
	int64_t elapsed_ms;
	struct wire_reply *reply;	/* NULL: `e` says why */
	struct err e;
};

struct fanout_state {
	struct call *call;
	struct fanout *f;
	void (*then)(struct call *, struct fanout *);
	int64_t start_ms, deadline_ms;
	atomic_size_t pending, arrived;
	struct member_request *legs;
};

/* ---- fanout_request.c ---- */

/* Before any leg of the flight begins; and when all have arrived. */
void member_request_init(struct member_request *);
void member_request_fini(struct member_request *);

/*
 * Ask a shard of the member, and further ones if need be; member_request_complete follows once,
 * perhaps before this returns.
 */
void member_request_send(struct member_request *);

/* Tell the shards that work for it that nobody waits for them.  The flight must not be over. */
void member_request_cancel(struct member_request *);

/* ---- fanout.c ---- */

/* The leg's reply or error is there; on any thread. */
void member_request_complete(struct member_request *);

/* One that kept the flight from landing (flight.pending) does so no more. */
void fanout_state_release(struct fanout_state *);
#endif
