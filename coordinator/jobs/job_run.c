/* A running job: its steps, its requests, its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/jobs/jobs_internal.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/net/crypto.h"
#include "proto/record/json.h"
#include "proto/wire/wire.h"

enum { DEFER_MAX_MS = 15000, RETRY_MAX_MS = 3600000, CANCEL_MS = 2000 };

const struct job *run_job(const struct job_run *r)
{
	return &r->j;
}

struct coordinator *run_coordinator(const struct job_run *r)
{
	return r->all->co;
}

struct arena *run_arena(const struct job_run *r)
{
	return r->step;
}

void run_progress(struct job_run *r, const char *phase, uint64_t done, uint64_t total)
{
	if (!phase)
		phase = "";
	pthread_mutex_lock(&r->all->lock);
	snprintf(r->phase, sizeof r->phase, "%s", phase);
	r->done = done;
	r->total = total;
	pthread_mutex_unlock(&r->all->lock);
}

void run_memo_get(struct job_run *r, const struct record *rec, void *out)
{
	if (r->memo.n)
		json_get_lax(rec, out, r->memo.p, r->step, NULL);
}

/* The job as it is to be stored; strings live in `a`. */
static struct job row(struct job_run *r, struct arena *a)
{
	struct job j = r->j;

	pthread_mutex_lock(&r->all->lock);
	run_copy_progress(r, &j, a);
	pthread_mutex_unlock(&r->all->lock);
	return j;
}

void run_copy_progress(const struct job_run *r, struct job *j, struct arena *a)
{
	j->memo = "";
	if (r->memo.n)
		j->memo = arena_str(a, r->memo.p);
	j->phase = NULL;
	if (*r->phase)
		j->phase = arena_str(a, r->phase);
	j->done = r->done;
	j->total = r->total;
}

void run_memo_put(struct job_run *r, const struct record *rec, const void *m)
{
	struct buf b = { 0 };
	struct err e = { 0 };
	bool cancelled;

	json_put(rec, m, &b);
	pthread_mutex_lock(&r->all->lock);
	buf_free(&r->memo);
	r->memo = b;
	pthread_mutex_unlock(&r->all->lock);
	struct job j = row(r, r->step);
	int rc = job_renew_lease(
	    r->all->co->registry, &r->all->terms, &j, clock_real_ms(), &cancelled, &e);
	if (rc < 0)
		log_error("job.lease_renew_failed", "job=%s message=%s", r->j.id, log_quote(e.msg));
}

/* ---- the end of a step ---- */

/* Call with the lock held.  Leaves the run in `state` until `at`, when the thread continues it. */
static void rest(struct job_run *r, enum run_state state, int64_t at)
{
	r->state = state;
	if (r->wake_early && state == RUN_WAITING)
		r->at = 0;
	else
		r->at = at;
	jobs_wake(r->all);
}

void run_poll_in(struct job_run *r, int64_t ms)
{
	pthread_mutex_lock(&r->all->lock);
	rest(r, RUN_WAITING, clock_ms() + ms);
	pthread_mutex_unlock(&r->all->lock);
}

static void on_reply(void *arg, struct wire_reply *reply)
{
	struct job_run *r = arg;

	pthread_mutex_lock(&r->all->lock);
	r->reply = reply;
	rest(r, RUN_ANSWERED, 0);
	pthread_mutex_unlock(&r->all->lock);
}

static void begin_asking(struct job_run *r)
{
	pthread_mutex_lock(&r->all->lock);
	r->state = RUN_ASKING;
	r->e = (struct err){ 0 };
	pthread_mutex_unlock(&r->all->lock);
}

void run_ask(struct job_run *r, enum rpc_id rpc, const void *req, int timeout_ms,
    void (*then)(struct job_run *, const void *, const struct err *))
{
	struct members *all = r->all->co->members;
	struct member *m = members_get(all, &caller_local, r->j.repo_uri);
	struct route route;
	struct err e = { 0 };

	r->rpc = rpc;
	r->then = then;
	if (!m) {
		r->then = NULL;
		err_set(&e, ERR_NOT_FOUND, "%.120s is no longer registered", r->j.repo_uri);
		run_fail(r, &e);
		return;
	}
	begin_asking(r);
	if (members_route_first(all, m, &route, &e)) {
		pthread_mutex_lock(&r->all->lock);
		r->e = e;
		rest(r, RUN_ANSWERED, 0);
		pthread_mutex_unlock(&r->all->lock);
		return;
	}
	wire_call_async(route.peer, rpcs[rpc].name, rpcs[rpc].req, req, r->j.id, timeout_ms,
	    route.fail_fast, on_reply, r);
	members_route_release(all, &route);
}

void run_broadcast(struct job_run *r, enum rpc_id rpc, const void *req)
{
	struct members *all = r->all->co->members;
	struct member *m = members_get(all, &caller_local, r->j.repo_uri);
	struct route route;
	struct err none = { 0 };

	if (!m || members_route_first(all, m, &route, &none))
		return;
	members_broadcast(all, m, route.bit, rpc, req, r->j.id);
	members_route_release(all, &route);
}

static void on_called(struct call *c)
{
	struct job_run *r = c->ctx;

	pthread_mutex_lock(&r->all->lock);
	r->call = c;
	rest(r, RUN_ANSWERED, 0);
	pthread_mutex_unlock(&r->all->lock);
}

void run_tool(struct job_run *r, const char *tool, const char *args,
    void (*then)(struct job_run *, const struct call *))
{
	r->called = then;
	begin_asking(r);
	call_start(r->all->co, tool_get(tool), &caller_self, args,
	    &(struct call_client){ .done = on_called, .ctx = r, .via = "job" });
}

/* ---- the end of a run ---- */

static uint64_t *counter_of(struct jobs_counts *now, const struct job *j)
{
	if (j->cancelled)
		return &now->cancelled;
	if (!strcmp(j->state, "done"))
		return &now->done;
	if (!strcmp(j->state, "failed"))
		return &now->failed;
	return &now->again;
}

/* Stores the end of the run and frees it.  If it cannot be stored, the lease expires. */
static void leave(struct job_run *r, const struct job *j)
{
	struct err e = { 0 };
	int rc = job_end(r->all->co->registry, &r->all->terms, j, clock_real_ms(), &e);

	if (rc < 0)
		log_error("job.finish_failed", "job=%s message=%s", j->id, log_quote(e.msg));
	else if (!rc)
		log_warn("job.lease_lost", "job=%s kind=%s", j->id, j->kind);
	pthread_mutex_lock(&r->all->lock);
	struct jobs *all = r->all;
	*counter_of(&all->now, j) += 1;
	all->check_queue = true;
	run_unlink(r);
	jobs_wake(all);
	pthread_mutex_unlock(&all->lock);
}

void run_done(struct job_run *r, uint64_t generation, const char *note)
{
	struct job j = row(r, r->step);

	j.state = "done";
	j.note = note;
	j.generation = generation;
	j.code = j.message = NULL;
	log_info("job.done", "job=%s key=%s generation=%llu note=%s", j.id, log_quote(j.key),
	    (unsigned long long)generation, log_quote(note));
	leave(r, &j);
}

/* Between half of it and all of it, so that jobs that failed together do not retry together. */
static int64_t jitter(int64_t ms)
{
	char hex[5];

	crypto_random_hex(hex, 2);
	return ms / 2 + (int64_t)(strtoul(hex, NULL, 16) * (uint64_t)(ms - ms / 2) / 65535);
}

static int64_t doubled(int64_t ms, int64_t times, int64_t max)
{
	for (; times > 0 && ms < max; times--)
		ms *= 2;
	return MIN(ms, max);
}

static void set_error(struct job *j, const struct err *e)
{
	j->code = err_name(e->code);
	j->message = e->msg;
}

static void again(struct job_run *r, struct job *j, int64_t ms)
{
	j->state = "queued";
	j->due_ms = clock_real_ms() + ms;
	log_info("job.retry", "job=%s key=%s after_ms=%lld tries=%lld code=%s message=%s", j->id,
	    log_quote(j->key), (long long)ms, (long long)j->tries, j->code, log_quote(j->message));
	leave(r, j);
}

void run_fail(struct job_run *r, const struct err *e)
{
	struct job j = row(r, r->step);

	j.state = "failed";
	set_error(&j, e);
	log_warn("job.failed", "job=%s key=%s tries=%lld code=%s message=%s", j.id, log_quote(j.key),
	    (long long)j.tries, j.code, log_quote(j.message));
	leave(r, &j);
}

void run_retry(struct job_run *r, const struct err *e)
{
	struct job j = row(r, r->step);

	r->j.tries++;
	if (r->j.tries >= r->all->co->o.job_tries) {
		run_fail(r, e);
		return;
	}
	j.tries = r->j.tries;
	j.memo = "";	/* start from the beginning */
	set_error(&j, e);
	again(r, &j, jitter(doubled(r->all->co->o.job_backoff_ms, j.tries - 1, RETRY_MAX_MS)));
}

void run_defer(struct job_run *r, const struct err *e)
{
	struct job j = row(r, r->step);

	set_error(&j, e);
	int64_t ms = doubled(r->all->co->o.job_backoff_ms, j.waits, DEFER_MAX_MS);
	j.waits++;
	again(r, &j, jitter(ms));
}

static void cancelled(struct job_run *r)
{
	struct job j = row(r, r->step);

	j.state = "failed";
	j.cancelled = true;
	j.code = NULL;
	j.message = "cancelled";
	log_info("job.cancelled", "job=%s key=%s", j.id, log_quote(j.key));
	leave(r, &j);
}

static void with_cancel(struct job_run *r, const void *res, const struct err *e)
{
	if (e->code)
		log_warn("job.cancel_failed", "job=%s message=%s", r->j.id, log_quote(e->msg));
	(void)res;
	cancelled(r);
}

static void stop(struct job_run *r)
{
	if (r->kind->of != REPO || r->cancel_sent) {
		cancelled(r);
		return;
	}
	r->cancel_sent = true;
	run_broadcast(r, RPC_cancel, &(struct cancel_req){ r->j.id });
	run_ask(r, RPC_cancel, &(struct cancel_req){ r->j.id }, CANCEL_MS, with_cancel);
}

/* ---- a step ---- */

static void handle_reply(struct job_run *r, struct wire_reply *reply)
{
	const struct rpc *rpc = &rpcs[r->rpc];
	void *res = arena_get(r->step, 1, rpc->res->size);
	struct err e = r->e;
	void (*then)(struct job_run *, const void *, const struct err *) = r->then;

	if (reply)
		wire_reply_get(reply, rpc->res, res, NULL, r->step, &e);
	wire_reply_free(reply);
	r->then = NULL;
	then(r, res, &e);
}

void run_step(void *arg)
{
	struct job_run *r = arg;
	struct wire_reply *reply;
	struct call *call;

	arena_reset(r->step);
	pthread_mutex_lock(&r->all->lock);
	bool answered = r->then || r->called, lost = r->lost;
	bool cancel = r->cancelled && r->then != with_cancel;
	r->wake_early = false;
	reply = r->reply;
	call = r->call;
	r->reply = NULL;
	r->call = NULL;
	pthread_mutex_unlock(&r->all->lock);
	void (*called)(struct job_run *, const struct call *) = r->called;
	r->called = NULL;
	if (lost) {
		wire_reply_free(reply);
		pthread_mutex_lock(&r->all->lock);
		struct jobs *all = r->all;
		run_unlink(r);
		pthread_mutex_unlock(&all->lock);
	} else if (cancel) {
		wire_reply_free(reply);
		r->then = NULL;
		stop(r);
	} else if (called) {
		called(r, call);
	} else if (answered) {
		handle_reply(r, reply);
	} else {
		r->kind->step(r);
	}
	call_free(call);
}
