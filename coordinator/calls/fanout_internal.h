#ifndef COORDINATOR_CALLS_FANOUT_INTERNAL_H
#define COORDINATOR_CALLS_FANOUT_INTERNAL_H
/*
 * What fanout.c (many members) and fanout_request.c (one member, through any shard) share.  A fan-out
 * in progress is a flight; it has a leg for each member, and a race of shards for each leg.
 */

#include <stdatomic.h>

#include "coordinator/calls/fanout.h"

struct member_request;
struct hedged_request;
struct wire_reply;

/* A leg: one member's part of a fan-out. */
struct member_request {
	struct fanout_state *flight;
	struct member *member;
	const void *req;
	uint32_t index;			/* index that its shard must have (members_index_id); 0 = any */
	struct hedged_request *race;	/* the shards that work for it; outlives this request */
	int64_t elapsed_ms;
	struct wire_reply *reply;	/* NULL if it failed: see `e` */
	struct err e;
};

/* A flight: a fan-out in progress. */
struct fanout_state {
	struct call *call;
	struct fanout *f;		/* its result; `f->n` is the number of legs */
	void (*then)(struct call *, struct fanout *);
	int64_t start_ms, deadline_ms;
	atomic_size_t pending, arrived;
	struct member_request *legs;
};

/* ---- fanout_request.c ---- */

/* Call init before any request of the fan-out is sent, and fini when all are complete. */
void member_request_init(struct member_request *);
void member_request_fini(struct member_request *);

/*
 * Ask a shard of the member, and others if necessary.  member_request_complete is called once,
 * perhaps before this returns.
 */
void member_request_send(struct member_request *);

/* Tell the shards that work for the request to stop.  The fan-out must not have ended. */
void member_request_cancel(struct member_request *);

/* ---- fanout.c ---- */

/* The request has its reply or error.  Any thread. */
void member_request_complete(struct member_request *);

/* Drop a reference (pending) that keeps the fan-out from ending. */
void fanout_state_release(struct fanout_state *);
#endif
