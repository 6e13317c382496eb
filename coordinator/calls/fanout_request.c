/*
 * One question to one member: to a shard of it, to the next one at once when that is lost or
 * cannot answer, and to a second one when the first takes longer than nearly all did.  The first
 * good answer counts, the others are told to stop.
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
	UNKNOWN_P95_US = 250000,	/* as long as too few answers are known */
	LEAST_P95_US = 10000		/* what is quicker than this gains nothing by a second question */
};

/* One shard at work. */
struct request_attempt {
	struct hedged_request *race;
	struct request_attempt *next;		/* among those under way */
	struct replica *replica;	/* lives until the callback has returned */
	uint32_t bit;
	int64_t began_us;
	bool several;			/* the member has other shards */
	bool second;			/* it was sent because another one was slow */
};

/* Outlives the leg: who lost it may answer when the call is over. */
struct hedged_request {
	struct coordinator *co;
	enum rpc_id rpc;
	char req[20];
	struct member *member;
	pthread_mutex_t lock;		/* guards what follows */
	unsigned refs;			/* the leg's, and of each attempt and alarm */
	struct member_request *leg;		/* NULL: it has arrived */
	uint32_t tried;
	uint32_t older;			/* of these those that do not have the RPC */
	int64_t hedge_delay_us;		/* after which the last alarm was set */
	struct request_attempt *attempts;
	struct wire_reply *failed;	/* the answer if there is no better one */
};

/* With the lock, which it gives back. */
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
	(void)arg;	/* whether it heard that does not matter */
	wire_reply_free(reply);
}

static void cancel(struct hedged_request *r, uint32_t bits)
{
	const struct cancel_req q = { r->req };
	struct route route;

	for (uint32_t bit; (bit = bits & (0 - bits)); bits &= ~bit)
		if (!rpcs[r->rpc].writes && !members_route_bit(r->co->members, r->member, bit, &route)) {
			wire_call_async(route.peer, rpcs[RPC_cancel].name, rpcs[RPC_cancel].req, &q, r->req,
			    CANCEL_MS, true, on_cancelled, NULL);
			members_route_release(r->co->members, &route);
		}
}

/* With the lock: those under way.  They were slower than `us`, if that is not 0. */
static uint32_t others(struct hedged_request *r, int64_t now_us)
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
		bits = others(r, 0);
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

	*t = (struct request_attempt){ r, r->attempts, route->replica, route->bit, clock_us(), route->several, second };
	r->attempts = t;
	r->refs++;
	return t;
}

/* Ask the next shard; the flight must be kept from landing.  -1 with `e`: there is none left. */
static int send_attempt(
    struct hedged_request *r, struct member_request *l, bool second, struct err *e)
{
	struct fanout_state *f = l->flight;
	const struct rpc *rpc = &rpcs[r->rpc];
	int64_t left = f->deadline_ms - clock_ms();
	struct route route;

	pthread_mutex_lock(&r->lock);
	if (members_route(r->co->members, l->member, &r->tried, l->index, &route, e)) {
		pthread_mutex_unlock(&r->lock);
		return -1;
	}
	struct request_attempt *t = attempt_new(r, &route, second);
	pthread_mutex_unlock(&r->lock);
	wire_call_async_for(route.peer, f->call->share, rpc->name, rpc->req, l->req, r->req,
	    left > 1 ? (int)left : 1, route.fail_fast, on_reply, t);
	members_route_release(r->co->members, &route);
	return 0;
}

/*
 * With the lock: the leg, which does not go away until fanout_state_release; NULL: it has arrived.
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

/* When the shard takes long another one is asked too. */
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

/* Which shards of a member are never asked this: bits. */
static uint32_t shards_without_rpc(struct coordinator *co, const struct member *m, enum rpc_id rpc)
{
	uint32_t wanted = features_required(rpcs[rpc].name);

	if (wanted)
		return members_lacking_feature(co->members, m, wanted);
	return 0;
}

/* There is nobody to ask: when somebody is there who is too old for it, that is why. */
static void explain_missing_rpc(const struct hedged_request *r, struct err *e)
{
	if (!members_any_usable(r->co->members, r->member, r->older))
		return;
	err_set(e, ERR_SCHEMA_MISMATCH,
	    "the shard of %s is of an older version of atoll, which has no `%s`", r->member->name,
	    rpcs[r->rpc].name);
	err_hint(e, "Upgrade atoll on its host, and start the shard again.");
}

void member_request_init(struct member_request *l)
{
	struct call *c = l->flight->call;
	struct hedged_request *r = l->race = calloc(1, sizeof *r);

	if (!r)
		die("out of memory");
	*r = (struct hedged_request){ .co = c->co, .rpc = l->flight->f->rpc, .member = l->member, .leg = l, .refs = 1 };
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
 * Not one that holds another index, when a list goes on: its answer would end the list, which the
 * slow one need not.
 */
static void second(struct hedged_request *r, struct member_request *l, uint32_t tried)
{
	struct hedges *hedges = &r->co->hedges;
	struct fanout_state *f = l->flight;
	struct err none = { 0 };

	if (f->deadline_ms - clock_ms() <= NO_TIME_MS ||
	    !members_can_route(
	        r->co->members, r->member, tried, f->call->continues_list ? l->index : 0))
		return;
	if (!hedges_take(hedges))
		set_alarm(r, f, 2 * r->hedge_delay_us);	/* there may be a token by then */
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
		struct fanout_state *f = l->flight;
		second(r, l, tried);
		fanout_state_release(f);
	}
	pthread_mutex_lock(&r->lock);
	leave(r);
}

/* ---- answers ---- */

/* Failures that another shard of the repository need not have. */
static const bool elsewhere[ERR_COUNT] = {
	[ERR_UNAVAILABLE] = true,
	[ERR_RATE_LIMITED] = true,
	[ERR_NO_INDEX] = true,
	[ERR_DB_ERROR] = true,
	[ERR_SCHEMA_MISMATCH] = true,
};

/* What the answer says of its shard, and whether it will do. */
static bool is_usable_reply(
    struct hedged_request *r, struct request_attempt *t, const struct wire_reply *reply)
{
	const struct freshness *stamp = NULL;
	int64_t us = clock_us() - t->began_us;
	enum reply_outcome heard = wire_reply_timed_out(reply) ? REPLY_LATE :
	    wire_reply_received(reply)                         ? REPLY_RECEIVED :
	                                                         REPLY_LOST;

	if (!t->several) {
		members_record_reply(r->co->members, t->replica, r->rpc, us, heard, NULL);
		return true;
	}
	struct arena *a = arena_new();
	enum err_code code = wire_reply_peek(reply, &stamp, a);
	members_record_reply(r->co->members, t->replica, r->rpc, us, heard, code ? NULL : stamp);
	arena_free(a);
	return !elsewhere[code];
}

/* With the lock: take it off the list. */
static void end(struct hedged_request *r, struct request_attempt *t)
{
	struct request_attempt **at = &r->attempts;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
}

/*
 * Whether the question can be asked again elsewhere: it changes nothing, somebody waits for it,
 * and there is time and a shard.
 */
static bool can_retry(struct hedged_request *r, struct member_request *l,
    const struct wire_reply *reply, uint32_t tried)
{
	return !rpcs[r->rpc].writes && !wire_reply_timed_out(reply) &&
	    l->flight->deadline_ms - clock_ms() >= NO_TIME_MS &&
	    members_can_route(r->co->members, r->member, tried, 0) &&
	    call_wait(l->flight->call, l->flight);
}

/*
 * It failed, and no other shard is at work: ask the next one, or be content with that.  The flight
 * is held.
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
	bool alone = r->leg && !r->attempts;	/* meanwhile a second one may have been sent */
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

	pthread_mutex_lock(&r->lock);
	end(r, t);
	struct member_request *l = r->leg;
	uint32_t bits = late ? t->bit : 0;
	bool go = l && !good && !r->attempts;
	if (l && good) {
		r->leg = NULL;
		l->reply = reply;
		bits |= others(r, clock_us());
	} else if (go) {
		hold_request(r);
	} else {			/* the leg has arrived, or may so by another shard */
		wire_reply_free(reply);
	}
	pthread_mutex_unlock(&r->lock);
	cancel(r, bits);
	if (l && good && t->second)
		atomic_fetch_add(&r->co->hedges.won, 1);
	if (l && good)
		member_request_complete(l);
	else if (go)
		retry_or_fail(r, l, reply);
	free(t);
	pthread_mutex_lock(&r->lock);
	leave(r);
}
