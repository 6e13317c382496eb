#ifndef COORDINATOR_CALLS_FANOUT_H
#define COORDINATOR_CALLS_FANOUT_H
/*
 * Sends one request to many members at once without blocking a thread.  Replies are collected on
 * nng's threads and decoded on a worker, which then runs the continuation.
 */

#include <stddef.h>

#include "coordinator/calls/call.h"

struct member;

struct fanout_reply {
	struct member *member;
	struct err e;				/* e.code is set if it failed */
	bool late;				/* it failed because the deadline passed */
	const void *res;			/* its response record; zeroed if it failed */
	const struct freshness *stamp;		/* of the index that answered, or NULL */
	int64_t elapsed_ms;
};

struct fanout {
	enum rpc_id rpc;
	struct fanout_reply *v;			/* in the order of the members */
	size_t n;
	struct fanout_state *flight;		/* fanout_internal.h */
};

/*
 * Ask `n` members: all of them `req`, or the i-th one `reqs[i]` if `reqs` is not NULL.  Waits at
 * most `timeout_ms`, and not beyond the call's deadline.  A member that is known to be down fails
 * at once.  Of a member with several shards, the one is asked that has the index that the call has
 * read before (call_pin); another one if that is lost, cannot answer or takes long
 * (fanout_request.c).  `then` runs once, on a worker (or here if n is 0).  The fan-out lives in the
 * call's arena, and requests and members must live as long.  If no worker is free (RATE_LIMITED) or
 * the call was abandoned, the call ends without `then`.  A member that does not answer in time is
 * told to stop.
 */
void fanout(struct call *, struct member **, size_t n, enum rpc_id, const void *req,
    const void *const *reqs, int timeout_ms, void (*then)(struct call *, struct fanout *));

/*
 * Wait until the call may ask `members` shards (admission_control.h), at most until `until_ms`.
 * `then` runs at once, or later on a worker.  If its turn does not come (RATE_LIMITED) or the call
 * was abandoned (UNAVAILABLE), the call ends without `then`.  From then on the call's fan-outs
 * count and are sent at once, until call_end or fanout_leave.
 */
void fanout_enter(struct call *, size_t members, int64_t until_ms, void (*then)(struct call *));
void fanout_leave(struct call *);

/*
 * Tell the members that have not answered to stop.  The caller holds the lock of co->calls, so that
 * the fan-out does not end meanwhile.
 */
void fanout_cancel(struct fanout_state *);

/*
 * Report who answered in one or several fan-outs to (some of) the same members; a member that
 * failed in any of them has failed.  Fan-outs may be NULL.  Returns whether no member failed.
 */
bool fanout_coverage(struct call *, struct fanout *const *, size_t n, struct coverage **out);
#endif
