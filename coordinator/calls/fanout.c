#include "coordinator/calls/fanout_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/base/timers.h"
#include "coordinator/calls/admission_control.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/partial_answers.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/minmax.h"
#include "proto/base/thread_pool.h"
#include "proto/wire/wire.h"

static const char too_many[] = "too many requests are waiting";

void fanout_cancel(struct fanout_state *f)
{
	for (size_t i = 0; i < f->f->n; i++)
		member_request_cancel(&f->legs[i]);
}

/* ---- answers ---- */

/* Requests about code, whose answers must not be from an outdated index. */
static bool is_about_code(enum rpc_id rpc)
{
	switch (rpc) {
	case RPC_search:
	case RPC_snippet:
	case RPC_symbol:
	case RPC_file:
	case RPC_file_map:
	case RPC_context:
	case RPC_impact:
	case RPC_signature:
	case RPC_uses:
	case RPC_references:
	case RPC_exports:
	case RPC_places:
	case RPC_grep:
	case RPC_grep_query:
	case RPC_changes: return true;
	default: return false;
	}
}

/* Make an answer a failure if its index is further behind than --max-staleness allows. */
static void refuse_stale(struct call *c, enum rpc_id rpc, struct fanout_reply *out)
{
	int64_t max = c->o->max_staleness;

	if (max < 0 || out->e.code || !is_about_code(rpc))
		return;
	if (!out->stamp || out->stamp->behind <= max)
		return;
	err_set(&out->e, ERR_STALENESS,
	    "the index of %s is %lld commit%s behind, --max-staleness is %lld", out->member->name,
	    (long long)out->stamp->behind, out->stamp->behind == 1 ? "" : "s", (long long)max);
}

/* Replace REPO in the hints of err.def by the name of the repository that failed. */
static void name_repo(struct err *e, const char *name)
{
	static const char repo[] = " REPO ";
	char hint[sizeof e->hint];

	if (!e->code)
		return;
	memcpy(hint, e->hint, sizeof hint);
	const char *at = strstr(hint, repo);
	if (at)
		err_hint(e, "%.*s %s %s", (int)(at - hint), hint, name, at + sizeof repo - 1);
}

static void decode(struct member_request *l, struct fanout_reply *out)
{
	struct fanout_state *f = l->flight;
	const struct rpc *rpc = &rpcs[f->f->rpc];
	struct call *c = f->call;
	void *res = arena_get(c->a, 1, rpc->res->size);

	out->member = l->member;
	out->elapsed_ms = l->elapsed_ms;
	out->res = res;
	out->e = l->e;
	if (l->reply) {
		out->late = wire_reply_timed_out(l->reply);
		wire_reply_get(l->reply, rpc->res, res, &out->stamp, c->a, &out->e);
	}
	member_request_fini(l);
	if (out->stamp)
		call_pin(c, l->member, members_index_id(out->stamp));
	partial_note(c, l->member, out->stamp, f->f->rpc);
	refuse_stale(c, f->f->rpc, out);
	name_repo(&out->e, l->member->name);
}

/* End the call instead of running its continuation. */
static void abort_call(struct fanout_state *f, enum err_code code, const char *why)
{
	for (size_t i = 0; i < f->f->n; i++)
		member_request_fini(&f->legs[i]);
	err_set(&f->call->e, code, "%s", why);
	call_end(f->call);
}

/* All requests are complete.  Runs on a worker, unless the tool is quick. */
static void finish_fanout(void *arg)
{
	struct fanout_state *f = arg;

	if (!call_wait(f->call, NULL)) {
		abort_call(f, ERR_UNAVAILABLE, "the client has gone");
		return;
	}
	for (size_t i = 0; i < f->f->n; i++)
		decode(&f->legs[i], &f->f->v[i]);
	f->then(f->call, f->f);
}

void fanout_state_release(struct fanout_state *f)
{
	if (atomic_fetch_sub(&f->pending, 1) > 1)
		return;
	if (f->call->tool->hints & QUICK) {
		finish_fanout(f);
	} else if (pool_run_for(f->call->co->pool, f->call->share, finish_fanout, f)) {
		call_wait(f->call, NULL);
		limits_count_refusal(f->call->co->limits, LIMITS_QUEUE);
		abort_call(f, ERR_RATE_LIMITED, too_many);
	}
}

/* Reserve room for another reply, if there is any.  Tools that write are not limited. */
static bool has_room(struct call *c, size_t bytes)
{
	size_t max = (size_t)c->o->gather_mb << 20;

	if (!max || (c->tool->hints & WRITES))
		return true;
	size_t own = atomic_fetch_add(&c->reply_bytes, bytes) + bytes;
	size_t all = atomic_fetch_add(&c->co->reply_bytes, bytes) + bytes;
	if (own <= max / 4 && all <= max)
		return true;
	atomic_fetch_sub(&c->reply_bytes, bytes);
	atomic_fetch_sub(&c->co->reply_bytes, bytes);
	return false;
}

/* Drop a reply unread and make it a failure. */
static void drop(struct member_request *l, size_t bytes)
{
	struct coordinator *co = l->flight->call->co;

	wire_reply_free(l->reply);
	l->reply = NULL;
	limits_count_refusal(co->limits, LIMITS_MEMORY);
	err_set(&l->e, ERR_RATE_LIMITED,
	    "its answer of %zu bytes does not fit into --gather-mb %lld; a call gets a quarter of it",
	    bytes, (long long)co->o.gather_mb);
	err_hint(&l->e,
	    "Ask fewer repositories or for fewer results, or raise --gather-mb of the coordinator.");
}

void member_request_complete(struct member_request *l)
{
	struct fanout_state *f = l->flight;
	size_t bytes = 0;

	if (l->reply)
		bytes = wire_reply_bytes(l->reply);
	if (bytes && !has_room(f->call, bytes))
		drop(l, bytes);
	l->elapsed_ms = clock_ms() - f->start_ms;
	admission_answered(f->call->co->admission, &f->call->pass);
	if (f->f->n > 1)
		call_step(f->call, "%s: %zu of %zu members", rpcs[f->f->rpc].name,
		    atomic_fetch_add(&f->arrived, 1) + 1, f->f->n);
	fanout_state_release(f);
}

void fanout(struct call *c, struct member **m, size_t n, enum rpc_id rpc, const void *req,
    const void *const *reqs, int timeout_ms, void (*then)(struct call *, struct fanout *))
{
	struct fanout_state *f = arena_one(c->a, struct fanout_state);

	call_audit_repos(c, m, n);
	f->f = arena_one(c->a, struct fanout);
	*f->f = (struct fanout){ rpc, arena_many(c->a, n, struct fanout_reply), n, f };
	f->call = c;
	f->then = then;
	f->start_ms = clock_ms();
	f->deadline_ms = MIN(f->start_ms + timeout_ms, c->deadline_ms);
	f->legs = arena_many(c->a, n, struct member_request);
	/* one more for this function, so that the fan-out cannot end before all requests are sent */
	atomic_init(&f->pending, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct member_request *l = &f->legs[i];
		l->flight = f;
		l->member = m[i];
		l->req = req;
		if (reqs)
			l->req = reqs[i];
		l->index = call_pinned(c, m[i]);
		member_request_init(l);
	}
	if (!n) {
		then(c, f->f);
		return;
	}
	admission_ask(c->co->admission, &c->pass, n);
	wire_batch_begin();
	for (size_t i = 0; i < n; i++)
		member_request_send(&f->legs[i]);
	wire_batch_end();
	if (!call_wait(c, f))
		fanout_cancel(f);
	fanout_state_release(f);
}

/* ---- waiting for a turn ---- */

/* On a worker. */
static void on_turn(void *arg)
{
	struct call *c = arg;
	bool wanted = call_wait(c, NULL);

	if (wanted && c->pass.in) {
		c->entered(c);
		return;
	}
	if (wanted) {
		limits_count_refusal(c->co->limits, LIMITS_CROWD);
		err_set(&c->e, ERR_RATE_LIMITED,
		    "it waited behind other questions to many repositories until too little time was left");
		err_hint(&c->e, "Ask again in a moment, or ask fewer repositories at once.");
	} else {
		err_set(&c->e, ERR_UNAVAILABLE, "the client has gone");
	}
	call_end(c);
}

static void on_let_in(void *arg)
{
	struct call *c = arg;

	if (!pool_run_for(c->co->pool, c->share, on_turn, c))
		return;
	limits_count_refusal(c->co->limits, LIMITS_QUEUE);
	err_set(&c->e, ERR_RATE_LIMITED, "%s", too_many);
	call_end(c);
}

static void on_late(void *arg)
{
	struct coordinator *co = arg;

	admission_expire(co->admission, clock_ms());
}

void fanout_enter(struct call *c, size_t members, int64_t until_ms, void (*then)(struct call *))
{
	struct coordinator *co = c->co;

	c->entered = then;
	c->pass.share = c->share;
	c->pass.then = on_let_in;
	c->pass.arg = c;
	if (admission_enter(co->admission, &c->pass, members, until_ms)) {
		then(c);
		return;
	}
	/* the call may have ended by now: use `co` alone */
	timers_add(co->timers, (until_ms + 1) * 1000, on_late, co);
}

void fanout_leave(struct call *c)
{
	admission_leave(c->co->admission, &c->pass);
}

/* ---- coverage ---- */

static int by_uri(const void *x, const void *y)
{
	const struct fanout_reply *a = *(const struct fanout_reply *const *)x,
	                          *b = *(const struct fanout_reply *const *)y;
	int c = strcmp(a->member->repo_uri, b->member->repo_uri);

	/* failures first */
	if (c)
		return c;
	return (b->e.code != 0) - (a->e.code != 0);
}

static void cover(struct coverage *cov, const struct fanout_reply *k, struct arena *a)
{
	if (k->e.code) {
		cov->failed.v[cov->failed.n++] = (struct failed_member){ k->member->repo_uri,
			err_name(k->e.code), arena_str(a, k->e.msg), (uint64_t)k->elapsed_ms };
		return;
	}
	cov->answered++;
	if (k->stamp && k->stamp->behind)
		cov->stale.v[cov->stale.n++] = (struct stale_member){ k->member->repo_uri,
			k->stamp->behind };
}

bool fanout_coverage(struct call *c, struct fanout *const *fs, size_t n, struct coverage **out)
{
	struct coverage *cov = *out = arena_one(c->a, struct coverage);
	size_t all = 0, k = 0;

	for (size_t i = 0; i < n; i++)
		if (fs[i])
			all += fs[i]->n;
	const struct fanout_reply **v = arena_many(c->a, all, const struct fanout_reply *);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; fs[i] && j < fs[i]->n; j++)
			v[k++] = &fs[i]->v[j];
	qsort(v, k, sizeof *v, by_uri);
	cov->failed.v = arena_many(c->a, all, struct failed_member);
	cov->stale.v = arena_many(c->a, all, struct stale_member);
	for (size_t i = 0; i < k; i++) {
		if (i && v[i]->member == v[i - 1]->member)
			continue;
		cov->members++;
		cover(cov, v[i], c->a);
	}
	return !cov->failed.n;
}
