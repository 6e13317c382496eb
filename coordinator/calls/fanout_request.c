/*
 * One request to one member: to one of its shards; to the next one at once if that is lost or
 * cannot answer; and to a second one if the first takes longer than 95 % of requests did.  The
 * first good answer counts, and the other shards are told to stop.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/base/timers.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/fanout_internal.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/wire/protocol_features.h"
#include "proto/wire/wire.h"

enum {
	CANCEL_MS = 1000, NO_TIME_MS = 10,
	UNKNOWN_P95_US = 250000,	/* while there are too few measurements */
	LEAST_P95_US = 10000		/* faster requests gain nothing from a second one */
};

/* One shard at work. */
struct request_attempt {
	struct hedged_request *race;
	struct request_attempt *next;	/* in progress */
	struct replica *replica;	/* lives until the callback has returned */
	uint32_t bit;
	int64_t began_us;
	bool several;			/* the member has other shards */
	bool second;			/* it was sent because another one was slow */
};

/* Outlives the member_request: a slow shard may answer when the call has ended. */
struct hedged_request {
	struct coordinator *co;
	enum rpc_id rpc;
	char req[20];
	struct member *member;
	pthread_mutex_t lock;		/* guards what follows */
	unsigned refs;			/* the member_request, each attempt and each alarm */
	struct member_request *leg;	/* NULL once it is complete */
	uint32_t tried;			/* shards, as bits */
	uint32_t older;			/* those that lack the RPC; they count as tried */
	int64_t hedge_delay_us;		/* of the last alarm */
	struct request_attempt *attempts;	/* in progress */
	struct wire_reply *failed;	/* the answer if no better one comes */
};

/* Drop a reference.  The lock is held, and released here. */
static void leave(struct hedged_request *r)
{
	bool last = !--r->refs;

	pthread_mutex_unlock(&r->lock);
	if (!last)
		return;
	pthread_mutex_destroy(&r->lock);
	wire_reply_free(r->failed);
	free(r);
}

/* ---- stopping shards ---- */

static void on_cancelled(void *arg, struct wire_reply *reply)
{
	(void)arg;	/* it does not matter whether the shard received this */
	wire_reply_free(reply);
}

static void cancel_attempt(struct hedged_request *r, uint32_t bit)
{
	const struct cancel_req q = { r->req };
	struct route route;

	if (members_route_bit(r->co->members, r->member, bit, &route))
		return;
	wire_call_async(route.peer, rpcs[RPC_cancel].name, rpcs[RPC_cancel].req, &q, r->req, CANCEL_MS,
	    true, on_cancelled, NULL);
	members_route_release(r->co->members, &route);
}

/* Tell the shards in `bits` to stop, unless they write. */
static void cancel(struct hedged_request *r, uint32_t bits)
{
	if (rpcs[r->rpc].writes)
		return;
	while (bits) {
		uint32_t lowest = bits & (0 - bits);
		cancel_attempt(r, lowest);
		bits &= ~lowest;
	}
}

/*
 * The shards whose attempts are in progress, as bits.  If `now_us` is not 0, note that they were
 * slower than another one.  The lock is held.
 */
static uint32_t attempts_in_progress(struct hedged_request *r, int64_t now_us)
{
	uint32_t bits = 0;

	for (const struct request_attempt *t = r->attempts; t; t = t->next) {
		bits |= t->bit;
		if (now_us)
			members_record_slower(r->co->members, t->replica, r->rpc, now_us - t->began_us);
	}
	return bits;
}

void member_request_cancel(struct member_request *l)
{
	struct hedged_request *r = l->race;

	pthread_mutex_lock(&r->lock);
	uint32_t bits = 0;
	if (r->leg)
		bits = attempts_in_progress(r, 0);
	pthread_mutex_unlock(&r->lock);
	cancel(r, bits);
}

/* ---- asking ---- */

static void on_reply(void *arg, struct wire_reply *reply);
static void on_slow(void *arg);

static struct request_attempt *attempt_new(
    struct hedged_request *r, const struct route *route, bool second)
{
	struct request_attempt *t = xmalloc(sizeof *t);

	*t = (struct request_attempt){
		.race = r,
		.next = r->attempts,
		.replica = route->replica,
		.bit = route->bit,
		.began_us = clock_us(),
		.several = route->several,
		.second = second,
	};
	r->attempts = t;
	r->refs++;
	return t;
}

/*
 * Ask the next shard.  0, or -1 with `e` set if none is left.  The caller holds a reference to the
 * fan-out.
 */
static int send_attempt(
    struct hedged_request *r, struct member_request *l, bool second, struct err *e)
{
	struct fanout_state *f = l->flight;
	const struct rpc *rpc = &rpcs[r->rpc];
	int64_t left_ms = f->deadline_ms - clock_ms();
	struct route route;

	pthread_mutex_lock(&r->lock);
	if (members_route(r->co->members, l->member, &r->tried, l->index, &route, e)) {
		pthread_mutex_unlock(&r->lock);
		return -1;
	}
	struct request_attempt *t = attempt_new(r, &route, second);
	pthread_mutex_unlock(&r->lock);
	wire_call_async_for(route.peer, f->call->share, rpc->name, rpc->req, l->req, r->req,
	    (int)MAX(left_ms, 1), route.fail_fast, on_reply, t);
	members_route_release(r->co->members, &route);
	return 0;
}

/*
 * The member_request, kept until fanout_state_release; NULL if it is complete.  The lock is held.
 */
static struct member_request *hold_request(struct hedged_request *r)
{
	if (r->leg)
		atomic_fetch_add(&r->leg->flight->pending, 1);
	return r->leg;
}

static void set_alarm(struct hedged_request *r, const struct fanout_state *f, int64_t after_us)
{
	if ((f->deadline_ms - clock_ms()) * 1000 <= after_us)
		return;
	pthread_mutex_lock(&r->lock);
	r->refs++;
	r->hedge_delay_us = after_us;
	pthread_mutex_unlock(&r->lock);
	timers_add(r->co->timers, clock_us() + after_us, on_slow, r);
}

/* Ask another shard, too, if this one takes long. */
static void arm_hedge(struct hedged_request *r, struct member_request *l)
{
	int64_t p95_us = members_p95_us(r->co->members, l->member, r->rpc);

	if (rpcs[r->rpc].writes)
		return;
	hedges_refill(&r->co->hedges);
	if (!p95_us)
		p95_us = UNKNOWN_P95_US;
	set_alarm(r, l->flight, MAX(p95_us, LEAST_P95_US));
}

/* The shards of a member that lack the RPC, as bits. */
static uint32_t shards_without_rpc(struct coordinator *co, const struct member *m, enum rpc_id rpc)
{
	uint32_t wanted = features_required(rpcs[rpc].name);

	if (!wanted)
		return 0;
	return members_lacking_feature(co->members, m, wanted);
}

/* No shard can be asked: if one is up but lacks the RPC, that is the reason. */
static void explain_missing_rpc(const struct hedged_request *r, struct err *e)
{
	if (!members_any_usable(r->co->members, r->member, r->older))
		return;
	err_set(e, ERR_SCHEMA_MISMATCH,
	    "the shard of %s is of an older version of atoll, which has no `%s`", r->member->name,
	    rpcs[r->rpc].name);
	err_hint(e, "Upgrade atoll on its host and restart the shard.");
}

void member_request_init(struct member_request *l)
{
	struct call *c = l->flight->call;
	struct hedged_request *r = xcalloc(1, sizeof *r);

	l->race = r;
	*r = (struct hedged_request){
		.co = c->co, .rpc = l->flight->f->rpc, .member = l->member, .leg = l, .refs = 1
	};
	r->older = r->tried = shards_without_rpc(c->co, l->member, r->rpc);
	memcpy(r->req, c->req, sizeof r->req);
	pthread_mutex_init(&r->lock, NULL);
}

void member_request_send(struct member_request *l)
{
	struct hedged_request *r = l->race;

	if (!send_attempt(r, l, false, &l->e)) {
		if (members_has_replicas(r->co->members, l->member))
			arm_hedge(r, l);
		return;
	}
	explain_missing_rpc(r, &l->e);
	pthread_mutex_lock(&r->lock);
	r->leg = NULL;
	pthread_mutex_unlock(&r->lock);
	member_request_complete(l);
}

void member_request_fini(struct member_request *l)
{
	wire_reply_free(l->reply);
	l->reply = NULL;
	pthread_mutex_lock(&l->race->lock);
	leave(l->race);
	l->race = NULL;
}

/*
 * Ask a second shard.  If a list continues, a shard with another index will not do: its answer
 * would end the list, while the slow shard's would not.
 */
static void send_second(struct hedged_request *r, struct member_request *l, uint32_t tried)
{
	struct hedges *hedges = &r->co->hedges;
	struct fanout_state *f = l->flight;
	struct err none = { 0 };
	uint32_t index = 0;

	if (f->call->continues_list)
		index = l->index;
	if (f->deadline_ms - clock_ms() <= NO_TIME_MS)
		return;
	if (!members_can_route(r->co->members, r->member, tried, index))
		return;
	if (!hedges_take(hedges))
		set_alarm(r, f, 2 * r->hedge_delay_us);	/* the budget may allow it by then */
	else if (!send_attempt(r, l, true, &none))
		atomic_fetch_add(&hedges->sent, 1);
}

static void on_slow(void *arg)
{
	struct hedged_request *r = arg;

	pthread_mutex_lock(&r->lock);
	uint32_t tried = r->tried;
	struct member_request *l = NULL;
	if (r->attempts && !r->attempts->next)
		l = hold_request(r);
	pthread_mutex_unlock(&r->lock);
	if (l) {
		struct fanout_state *f = l->flight;	/* `l` may be gone afterwards */
		send_second(r, l, tried);
		fanout_state_release(f);
	}
	pthread_mutex_lock(&r->lock);
	leave(r);
}

/* ---- answers ---- */

/* Failures that another shard of the repository may not have. */
static const bool elsewhere[ERR_COUNT] = {
	[ERR_UNAVAILABLE] = true,
	[ERR_RATE_LIMITED] = true,
	[ERR_NO_INDEX] = true,
	[ERR_DB_ERROR] = true,
	[ERR_SCHEMA_MISMATCH] = true,
};

static enum reply_outcome outcome_of(const struct wire_reply *reply)
{
	if (wire_reply_timed_out(reply))
		return REPLY_LATE;
	if (wire_reply_received(reply))
		return REPLY_RECEIVED;
	return REPLY_LOST;
}

/* Record what the reply tells about its shard; whether the reply is good enough. */
static bool is_usable_reply(
    struct hedged_request *r, struct request_attempt *t, const struct wire_reply *reply)
{
	const struct freshness *stamp = NULL;
	int64_t us = clock_us() - t->began_us;
	enum reply_outcome outcome = outcome_of(reply);

	if (!t->several) {
		members_record_reply(r->co->members, t->replica, r->rpc, us, outcome, NULL);
		return true;
	}
	struct arena *a = arena_new();
	enum err_code code = wire_reply_peek(reply, &stamp, a);
	if (code)
		stamp = NULL;
	members_record_reply(r->co->members, t->replica, r->rpc, us, outcome, stamp);
	arena_free(a);
	return !elsewhere[code];
}

/* Remove an attempt from the list.  The lock is held. */
static void end(struct hedged_request *r, struct request_attempt *t)
{
	struct request_attempt **at = &r->attempts;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
}

/*
 * Whether another shard can be asked: the request writes nothing, the call is not abandoned, and
 * there is time and a shard.
 */
static bool can_retry(struct hedged_request *r, struct member_request *l,
    const struct wire_reply *reply, uint32_t tried)
{
	if (rpcs[r->rpc].writes || wire_reply_timed_out(reply))
		return false;
	if (l->flight->deadline_ms - clock_ms() < NO_TIME_MS)
		return false;
	if (!members_can_route(r->co->members, r->member, tried, 0))
		return false;
	return call_wait(l->flight->call, l->flight);
}

/*
 * The attempt failed and no other shard is working: ask the next one, or else complete with the
 * failure.  The caller holds a reference to the fan-out.
 */
static void retry_or_fail(
    struct hedged_request *r, struct member_request *l, struct wire_reply *reply)
{
	struct fanout_state *f = l->flight;
	struct err none = { 0 };

	pthread_mutex_lock(&r->lock);
	uint32_t tried = r->tried;
	wire_reply_free(r->failed);
	r->failed = reply;
	pthread_mutex_unlock(&r->lock);
	if (can_retry(r, l, reply, tried) && !send_attempt(r, l, false, &none)) {
		fanout_state_release(f);
		return;
	}
	pthread_mutex_lock(&r->lock);
	bool alone = r->leg && !r->attempts;	/* a second attempt may have been sent meanwhile */
	if (alone) {
		r->leg = NULL;
		l->reply = r->failed;
		r->failed = NULL;
	}
	pthread_mutex_unlock(&r->lock);
	if (alone)
		member_request_complete(l);
	fanout_state_release(f);
}

static void on_reply(void *arg, struct wire_reply *reply)
{
	struct request_attempt *t = arg;
	struct hedged_request *r = t->race;
	bool late = wire_reply_timed_out(reply), good = is_usable_reply(r, t, reply);
	uint32_t bits = 0;

	pthread_mutex_lock(&r->lock);
	end(r, t);
	struct member_request *l = r->leg;
	bool answers = l && good, alone = l && !r->attempts;
	if (late)
		bits = t->bit;
	if (answers) {
		r->leg = NULL;
		l->reply = reply;
		bits |= attempts_in_progress(r, clock_us());
	} else if (alone) {
		hold_request(r);
	} else {	/* the request is complete, or another shard is still working */
		wire_reply_free(reply);
	}
	pthread_mutex_unlock(&r->lock);
	cancel(r, bits);
	if (answers && t->second)
		atomic_fetch_add(&r->co->hedges.won, 1);
	if (answers)
		member_request_complete(l);
	else if (alone)
		retry_or_fail(r, l, reply);
	free(t);
	pthread_mutex_lock(&r->lock);
	leave(r);
}
