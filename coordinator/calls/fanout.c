#include "coordinator/calls/fanout_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/base/timers.h"
#include "coordinator/calls/admission_control.h"
#include "coordinator/calls/context.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/minmax.h"
#include "proto/base/thread_pool.h"
#include "proto/wire/wire.h"

static const char too_many[] = "more requests are waiting than this coordinator takes on";

void fanout_cancel(struct fanout_state *f)
{
	for (size_t i = 0; i < f->f->n; i++)
		member_request_cancel(&f->legs[i]);
}

/* ---- answers ---- */

/*
 * Answers about code are failures when their index is further behind than --max-staleness allows.
 */
static void refuse_stale(struct call *c, enum rpc_id rpc, struct fanout_reply *out)
{
	int64_t max = c->o->max_staleness;

	if (rpc != RPC_search && rpc != RPC_snippet && rpc != RPC_symbol && rpc != RPC_file &&
	    rpc != RPC_file_map && rpc != RPC_context && rpc != RPC_impact && rpc != RPC_signature &&
	    rpc != RPC_changes)
		return;
	if (max >= 0 && !out->e.code && out->stamp && out->stamp->behind > max)
		err_set(&out->e, ERR_STALENESS,
		    "the index of %s is %lld commit%s behind, --max-staleness is %lld", out->member->name,
		    (long long)out->stamp->behind, out->stamp->behind == 1 ? "" : "s", (long long)max);
}

/* In hints of err.def REPO stands for the repository that failed. */
static void name_repo(struct err *e, const char *name)
{
	static const char repo[] = " REPO ";
	char hint[sizeof e->hint];
	const char *at;

	memcpy(hint, e->hint, sizeof hint);
	if (e->code && (at = strstr(hint, repo)))
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
	if (l->reply)
		wire_reply_get(l->reply, rpc->res, res, &out->stamp, c->a, &out->e);
	member_request_fini(l);
	if (out->stamp)
		call_pin(c, l->member, members_index_id(out->stamp));
	refuse_stale(c, f->f->rpc, out);
	name_repo(&out->e, l->member->name);
}

/* The end of the call instead of its continuation. */
static void crash(struct fanout_state *f, enum err_code code, const char *why)
{
	for (size_t i = 0; i < f->f->n; i++)
		member_request_fini(&f->legs[i]);
	err_set(&f->call->e, code, "%s", why);
	call_end(f->call);
}

/* On a worker, unless the tool is quick: every leg is in. */
static void finish_fanout(void *arg)
{
	struct fanout_state *f = arg;

	if (!call_wait(f->call, NULL)) {
		crash(f, ERR_UNAVAILABLE, "whoever asked has gone");
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
		crash(f, ERR_RATE_LIMITED, too_many);
	}
}

/* Whether there is room for another answer; those of tools that write are not cut short. */
static bool has_room(struct call *c, size_t bytes)
{
	size_t most = (size_t)c->o->gather_mb << 20;

	if (!most || (c->tool->hints & WRITES))
		return true;
	size_t own = atomic_fetch_add(&c->reply_bytes, bytes) + bytes,
	       all = atomic_fetch_add(&c->co->reply_bytes, bytes) + bytes;
	if (own <= most / 4 && all <= most)
		return true;
	atomic_fetch_sub(&c->reply_bytes, bytes);
	atomic_fetch_sub(&c->co->reply_bytes, bytes);
	return false;
}

/* Nothing of it is looked at. */
static void drop(struct member_request *l, size_t bytes)
{
	struct coordinator *co = l->flight->call->co;

	wire_reply_free(l->reply);
	l->reply = NULL;
	limits_count_refusal(co->limits, LIMITS_MEMORY);
	err_set(&l->e, ERR_RATE_LIMITED,
	    "its answer of %zu bytes found no room: --gather-mb %lld, a quarter of it for one question",
	    bytes, (long long)co->o.gather_mb);
	err_hint(
	    &l->e, "Ask fewer repositories, or for less; or raise --gather-mb of the coordinator.");
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
	/* one for this loop: nobody lands before all have departed */
	atomic_init(&f->pending, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct member_request *l = &f->legs[i];
		l->flight = f;
		l->member = m[i];
		l->req = reqs ? reqs[i] : req;
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

/* ---- its turn ---- */

/* On a worker. */
static void on_turn(void *arg)
{
	struct call *c = arg;

	if (!call_wait(c, NULL)) {
		err_set(&c->e, ERR_UNAVAILABLE, "whoever asked has gone");
	} else if (c->pass.in) {
		c->entered(c);
		return;
	} else {
		limits_count_refusal(c->co->limits, LIMITS_CROWD);
		err_set(&c->e, ERR_RATE_LIMITED,
		    "other questions to many repositories came before it until too little of its time was left");
		err_hint(&c->e, "Ask again in a moment, or fewer repositories at once.");
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
	if (admission_enter(co->admission, &c->pass, members, until_ms))
		then(c);
	else	/* the call may be over by now */
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
		all += fs[i] ? fs[i]->n : 0;
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
