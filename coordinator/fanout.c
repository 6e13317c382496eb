#include "coordinator/fanout.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/coordinator.h"
#include "coordinator/members.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/pool.h"
#include "proto/wire.h"

/* One member's part of a flight. */
struct leg {
	struct flight *flight;
	struct member *member;
	const void *req;
	uint32_t tried;			/* shards asked so far: members_route */
	atomic_uint asked;		/* its bit, while one works for this leg */
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

enum { CANCEL_MS = 1000 };

static void arrive(struct leg *);

/* ---- stopping shards ---- */

static void on_cancelled(void *arg, struct wire_reply *reply)
{
	(void)arg;	/* the flight is over */
	wire_reply_free(reply);
}

/* Tell the shard that works for this leg that nobody waits for it; whether it heard that does not matter. */
static void cancel(struct leg *l)
{
	struct call *c = l->flight->call;
	const struct cancel_req q = { c->req };
	uint32_t asked = atomic_exchange(&l->asked, 0);
	struct route route;

	if (!asked || rpcs[l->flight->f->rpc].writes || members_again(c->co->members, l->member, asked, &route))
		return;
	wire_ask(route.peer, rpcs[RPC_cancel].name, rpcs[RPC_cancel].req, &q, c->req, CANCEL_MS, true, on_cancelled, NULL);
	members_done(c->co->members, &route);
}

void fanout_cancel(struct flight *f)
{
	for (size_t i = 0; i < f->f->n; i++)
		cancel(&f->legs[i]);
}

/* ---- asking ---- */

static void on_reply(void *arg, struct wire_reply *reply)
{
	struct leg *l = arg;

	wire_reply_free(l->reply);
	l->reply = reply;
	arrive(l);
}

/* Hand the request to the next shard of the member; false when there is none left. */
static bool depart(struct leg *l, struct err *e)
{
	struct flight *f = l->flight;
	const struct rpc *rpc = &rpcs[f->f->rpc];
	struct members *all = f->call->co->members;
	int64_t left = f->deadline_ms - clock_ms();
	uint32_t before = l->tried;
	struct route route;

	if (members_route(all, l->member, &l->tried, &route, e))
		return false;
	atomic_store(&l->asked, l->tried & ~before);
	wire_ask(route.peer, rpc->name, rpc->req, l->req, f->call->req, left > 1 ? (int)left : 1, route.fail_fast,
	    on_reply, l);
	members_done(all, &route);	/* nothing of the flight is touched: it may be over */
	return true;
}

/* Whether the request can be asked again elsewhere: the shard was lost, not slow, and the request changes nothing. */
static bool try_next(struct leg *l)
{
	struct flight *f = l->flight;
	struct nothing n;
	struct err e = { 0 };

	if (rpcs[f->f->rpc].writes || f->deadline_ms - clock_ms() < 10 || !members_more(f->call->co->members, l->member,
	    l->tried) || !call_wait(f->call, f))
		return false;
	struct arena *a = arena_new();
	bool lost = wire_reply_get(l->reply, &rec_nothing, &n, NULL, a, &e) && e.code == ERR_UNAVAILABLE;
	arena_free(a);
	return lost && depart(l, &e);
}

/* Answers about code are failures when their index is further behind than --max-staleness allows. */
static void refuse_stale(struct call *c, enum rpc_id rpc, struct asked *out)
{
	int64_t max = c->co->o.max_staleness;

	if (rpc != RPC_search && rpc != RPC_snippet && rpc != RPC_symbol && rpc != RPC_file &&
	    rpc != RPC_context && rpc != RPC_impact && rpc != RPC_signature && rpc != RPC_changes)
		return;
	if (max >= 0 && !out->e.code && out->stamp && out->stamp->behind > max)
		err_set(&out->e, ERR_STALENESS, "the index of %s is %lld commit%s behind, --max-staleness is %lld",
		    out->member->name, (long long)out->stamp->behind, out->stamp->behind == 1 ? "" : "s", (long long)max);
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

static void decode(struct leg *l, struct asked *out)
{
	struct flight *f = l->flight;
	const struct rpc *rpc = &rpcs[f->f->rpc];
	struct call *c = f->call;
	void *res = arena_get(c->a, 1, rpc->res->size);

	out->member = l->member;
	out->elapsed_ms = l->elapsed_ms;
	out->res = res;
	out->e = l->e;
	if (l->reply)
		wire_reply_get(l->reply, rpc->res, res, &out->stamp, c->a, &out->e);
	wire_reply_free(l->reply);
	l->reply = NULL;
	refuse_stale(c, f->f->rpc, out);
	name_repo(&out->e, l->member->name);
}

/* The end of the call instead of its continuation. */
static void crash(struct flight *f, enum err_code code, const char *why)
{
	for (size_t i = 0; i < f->f->n; i++)
		wire_reply_free(f->legs[i].reply);
	err_set(&f->call->e, code, "%s", why);
	call_end(f->call);
}

/* On a worker, unless the tool is quick: every leg is in. */
static void land(void *arg)
{
	struct flight *f = arg;

	if (!call_wait(f->call, NULL)) {
		crash(f, ERR_UNAVAILABLE, "whoever asked has gone");
		return;
	}
	for (size_t i = 0; i < f->f->n; i++)
		decode(&f->legs[i], &f->f->v[i]);
	f->then(f->call, f->f);
}

/* One leg less, or the loop that started them. */
static void finish(struct flight *f)
{
	if (atomic_fetch_sub(&f->pending, 1) > 1)
		return;
	if (f->call->tool->hints & QUICK) {
		land(f);
	} else if (pool_run(f->call->co->pool, land, f)) {
		call_wait(f->call, NULL);
		limits_count(f->call->co->limits, LIMITS_QUEUE);
		crash(f, ERR_RATE_LIMITED, "more requests are waiting than this coordinator takes on");
	}
}

/* A leg is over; on a thread of nng, or on the one that started it. */
static void arrive(struct leg *l)
{
	struct flight *f = l->flight;

	if (l->reply && try_next(l))
		return;
	if (l->reply && wire_reply_late(l->reply))
		cancel(l);
	atomic_store(&l->asked, 0);
	l->elapsed_ms = clock_ms() - f->start_ms;
	if (f->f->n > 1)
		call_step(f->call, "%s: %zu of %zu members", rpcs[f->f->rpc].name, atomic_fetch_add(&f->arrived, 1) + 1, f->f->n);
	finish(f);
}

void fanout(struct call *c, struct member **m, size_t n, enum rpc_id rpc, const void *req, const void *const *reqs,
    int timeout_ms, void (*then)(struct call *, struct fanout *))
{
	struct flight *f = arena_one(c->a, struct flight);

	call_touch(c, m, n);
	f->f = arena_one(c->a, struct fanout);
	*f->f = (struct fanout){ rpc, arena_many(c->a, n, struct asked), n, f };
	f->call = c;
	f->then = then;
	f->start_ms = clock_ms();
	f->deadline_ms = f->start_ms + timeout_ms < c->deadline_ms ? f->start_ms + timeout_ms : c->deadline_ms;
	f->legs = arena_many(c->a, n, struct leg);
	atomic_init(&f->pending, n + 1);	/* one for this loop: nobody lands before all have departed */
	for (size_t i = 0; i < n; i++) {
		struct leg *l = &f->legs[i];
		l->flight = f;
		l->member = m[i];
		l->req = reqs ? reqs[i] : req;
	}
	if (!n) {
		then(c, f->f);
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (!depart(&f->legs[i], &f->legs[i].e))
			arrive(&f->legs[i]);
	if (!call_wait(c, f))
		fanout_cancel(f);
	finish(f);
}

/* ---- coverage ---- */

static int by_uri(const void *x, const void *y)
{
	const struct asked *a = *(const struct asked *const *)x, *b = *(const struct asked *const *)y;
	int c = strcmp(a->member->repo_uri, b->member->repo_uri);

	return c ? c : (b->e.code != 0) - (a->e.code != 0);	/* failures first */
}

static void cover(struct coverage *cov, const struct asked *k, struct arena *a)
{
	if (k->e.code) {
		cov->failed.v[cov->failed.n++] = (struct failed_member){ k->member->repo_uri, err_name(k->e.code),
			arena_str(a, k->e.msg), (uint64_t)k->elapsed_ms };
		return;
	}
	cov->answered++;
	if (k->stamp && k->stamp->behind)
		cov->stale.v[cov->stale.n++] = (struct stale_member){ k->member->repo_uri, k->stamp->behind };
}

bool fanout_coverage(struct call *c, struct fanout *const *fs, size_t n, struct coverage **out)
{
	struct coverage *cov = *out = arena_one(c->a, struct coverage);
	size_t all = 0, k = 0;

	for (size_t i = 0; i < n; i++)
		all += fs[i] ? fs[i]->n : 0;
	const struct asked **v = arena_many(c->a, all, const struct asked *);
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
