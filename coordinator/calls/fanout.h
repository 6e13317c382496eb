#ifndef COORDINATOR_CALLS_FANOUT_H
#define COORDINATOR_CALLS_FANOUT_H
/*
 * One request to many members at once, without a thread that waits.  Replies are collected on
 * nng's threads and decoded on a worker, which then runs the continuation.
 */

#include <stddef.h>

#include "coordinator/calls/call.h"

struct member;

struct fanout_reply {
	struct member *member;
	struct err e;				/* e.code set: it failed */
	const void *res;			/* its response record; zeroed when it failed */
	const struct freshness *stamp;		/* of the index that answered, or NULL */
	int64_t elapsed_ms;
};

struct fanout {
	enum rpc_id rpc;
	struct fanout_reply *v;			/* in the order of the members */
	size_t n;
	struct fanout_state *flight;			/* of fanout.c */
};

/*
 * Ask `n` members; `req` goes to all, or `reqs[i]` to the i-th when not NULL.  Waits at most
 * `timeout_ms` and not beyond the call's deadline.  A member that is known to be down fails at
 * once; of one with several shards that shard is asked which holds what the call has read of it
 * before (call_pin), another one when that is lost, cannot answer or takes long
 * (fanout_request.c).  `then` runs once on a worker (or here when n is 0); the fan-out and all in
 * it live in the call's arena. Requests and members must live there too.  When no worker is free
 * (RATE_LIMITED) or the call was abandoned it ends without `then`.  A member that does not answer
 * in time is told to stop.
 */
void fanout(struct call *, struct member **, size_t n, enum rpc_id, const void *req,
    const void *const *reqs, int timeout_ms, void (*then)(struct call *, struct fanout *));

/*
 * Wait for the call's turn to ask `members` shards (admission_control.h), until `until_ms` at
 * most; `then` runs at once, or later on a worker. When the turn does not come, or nobody waits
 * for the call any more, it ends without `then`, RATE_LIMITED or UNAVAILABLE. Fan-outs of the call
 * count from then on, and go out at once, until call_end or fanout_leave.
 */
void fanout_enter(struct call *, size_t members, int64_t until_ms, void (*then)(struct call *));
void fanout_leave(struct call *);

/*
 * Tell the members that have not answered to stop.  Under the lock of co->calls, so that the
 * flight is not over.
 */
void fanout_cancel(struct fanout_state *);

/*
 * Who answered, over one or several fan-outs to (parts of) the same members: one that failed in
 * any has failed. Returns whether the answer is complete.
 */
bool fanout_coverage(struct call *, struct fanout *const *, size_t n, struct coverage **out);
#endif
