#include "coordinator/jobs/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/jobs/jobs_internal.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/registry.h"
#include "coordinator/registry/replication.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/thread_pool.h"
#include "proto/text/repo_uri.h"

enum {
	CHECK_MS = 1000,	/* between two checks of the queue without a cause */
	FULL_MS = 50,		/* until a full thread pool is tried again */
	SCHEDULE_MS = 5000,
};

const struct job_kind job_kinds[] = {
#define JOB(name, of, lane, load, again, whose, doc) \
	{ #name, doc, #lane, of, load, again, whose, job_##name },
#include "coordinator/jobs/jobs.def"
	{ 0 }
};

const struct job_kind *job_kind(const char *name)
{
	for (const struct job_kind *k = job_kinds; name && k->name; k++)
		if (!strcmp(k->name, name))
			return k;
	return NULL;
}

struct jobs *jobs_new(struct coordinator *co)
{
	struct jobs *all = xcalloc(1, sizeof *all);

	all->co = co;
	snprintf(all->holder, sizeof all->holder, "%s", registry_instance_id(co->registry));
	all->terms = (struct job_lease_terms){ all->holder, co->o.job_lease_ms, co->o.jobs,
		co->o.jobs_per_host, registry_is_shared(co->registry) };
	all->reachable_repos = map_new();
	pthread_mutex_init(&all->lock, NULL);
	clock_init_cond(&all->wake);
	return all;
}

void jobs_wake(struct jobs *all)
{
	pthread_cond_signal(&all->wake);
}

/* ---- runs ---- */

static struct job_run *new_run(struct jobs *all, const struct job *j, struct arena *a)
{
	struct job_run *r = xcalloc(1, sizeof *r);

	r->all = all;
	r->a = a;
	r->j = *j;
	r->kind = job_kind(j->kind);
	r->step = arena_new();
	r->cancelled = j->cancelled;
	if (j->memo && *j->memo)
		buf_str(&r->memo, j->memo);
	return r;
}

void run_unlink(struct job_run *r)
{
	struct job_run **at = &r->all->first;

	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	wire_reply_free(r->reply);
	buf_free(&r->memo);
	arena_free(r->step);
	arena_free(r->a);
	free(r);
}

/* Fails a job that a newer coordinator has put into the same registry. */
static void refuse(struct jobs *all, struct job *j)
{
	struct err e = { 0 };

	j->state = "failed";
	j->code = "INVALID_INPUT";
	j->message = "this coordinator does not support this kind of job";
	job_end(all->co->registry, &all->terms, j, clock_real_ms(), &e);
}

/* Claims a job.  Whether another one may be due. */
static bool claim(struct jobs *all)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct job j;
	int rc = job_claim(all->co->registry, &all->terms, clock_real_ms(), &j, a, &e);

	if (rc < 0)
		log_error("job.claim_failed", "message=%s", log_quote(e.msg));
	if (rc != 1) {
		arena_free(a);
		return false;
	}
	if (!job_kind(j.kind)) {
		refuse(all, &j);
		arena_free(a);
		return true;
	}
	log_info("job.run", "job=%s key=%s reason=%s tries=%lld lost=%lld", j.id, log_quote(j.key),
	    log_quote(j.reason), (long long)j.tries, (long long)j.lost);
	struct job_run *r = new_run(all, &j, a);
	pthread_mutex_lock(&all->lock);
	r->next = all->first;
	all->first = r;
	pthread_mutex_unlock(&all->lock);
	return true;
}

/* A run that the thread may continue, now or later. */
static bool is_idle(const struct job_run *r)
{
	return r->state == RUN_WAITING || r->state == RUN_ANSWERED;
}

static bool is_due(const struct job_run *r, int64_t now)
{
	if (r->at <= now)
		return true;
	return r->state == RUN_WAITING && (r->cancelled || r->lost);
}

/* Gives due runs to the workers.  Returns when to call it again (monotonic). */
static int64_t dispatch(struct jobs *all)
{
	int64_t now = clock_ms(), next = INT64_MAX;

	pthread_mutex_lock(&all->lock);
	for (struct job_run *r = all->first, *after; r && !all->stopping; r = after) {
		after = r->next;
		if (!is_idle(r))
			continue;
		if (is_due(r, now)) {
			enum run_state was = r->state;
			r->state = RUN_WORKING;
			if (!pool_run(all->co->pool, run_step, r))
				continue;
			r->state = was;
			r->at = now + FULL_MS;
		}
		next = MIN(r->at, next);
	}
	pthread_mutex_unlock(&all->lock);
	return next;
}

/* ---- leases ---- */

/* The id, kind and progress of the n-th run. */
static bool nth_run(struct jobs *all, size_t n, struct job *out, struct arena *a)
{
	pthread_mutex_lock(&all->lock);
	struct job_run *r = all->first;
	for (; r && n; n--)
		r = r->next;
	if (r) {
		*out = (struct job){ .id = arena_str(a, r->j.id), .kind = r->kind->name };
		run_copy_progress(r, out, a);
	}
	pthread_mutex_unlock(&all->lock);
	return r != NULL;
}

/* Marks a run as cancelled, or as lost to another coordinator. */
static void mark(struct jobs *all, const char *id, bool cancelled)
{
	pthread_mutex_lock(&all->lock);
	for (struct job_run *r = all->first; r; r = r->next) {
		if (strcmp(r->j.id, id))
			continue;
		if (cancelled)
			r->cancelled = true;
		else
			r->lost = true;
		jobs_wake(all);
	}
	pthread_mutex_unlock(&all->lock);
}

/*
 * Queues again the jobs that this coordinator holds according to the registry but does not run,
 * because the answer to a claim or an end was lost.  Only this thread claims, so no claim is
 * pending.
 */
static void requeue_orphans(struct jobs *all)
{
	struct buf b = { 0 };
	struct err e = { 0 };

	buf_str(&b, "[");
	pthread_mutex_lock(&all->lock);
	for (struct job_run *r = all->first; r; r = r->next)
		buf_printf(&b, "%s\"%s\"", r == all->first ? "" : ",", r->j.id);
	pthread_mutex_unlock(&all->lock);
	buf_str(&b, "]");
	if (job_requeue_orphans(all->co->registry, &all->terms, b.p, clock_real_ms(), &e) < 0)
		log_error("job.orphans_failed", "message=%s", log_quote(e.msg));
	buf_free(&b);
}

static void renew_lease(struct jobs *all, const struct job *j)
{
	struct err e = { 0 };
	bool cancelled;
	int rc = job_renew_lease(all->co->registry, &all->terms, j, clock_real_ms(), &cancelled, &e);

	if (rc < 0)
		log_error("job.lease_renew_failed", "job=%s message=%s", j->id, log_quote(e.msg));
	if (!rc)
		mark(all, j->id, cancelled);
}

static void renew_leases(struct jobs *all)
{
	struct arena *a = arena_new();
	struct job j;
	bool alive = registry_lease_is_valid(all->co->registry);

	for (size_t i = 0; nth_run(all, i, &j, a); i++) {
		if (!alive && job_kind(j.kind)->ownership == JOB_SHARED)
			mark(all, j.id, false);		/* another coordinator may run it by now */
		else
			renew_lease(all, &j);
		arena_reset(a);
	}
	arena_free(a);
	if (all->terms.shared)
		requeue_orphans(all);
}

/* ---- the thread ---- */

static void wait_until(struct jobs *all, int64_t until)
{
	struct timespec t = { until / 1000, until % 1000 * 1000000 };

	pthread_mutex_lock(&all->lock);
	bool due = all->check_queue || all->stopping;
	for (struct job_run *r = all->first; r && !due; r = r->next)
		due = is_idle(r) && r->at <= clock_ms();
	if (!due)
		pthread_cond_timedwait(&all->wake, &all->lock, &t);
	pthread_mutex_unlock(&all->lock);
}

/* Makes jobs due that wait for shards that are back. */
static void wake_returned(struct jobs *all)
{
	struct map *back = NULL;
	struct err e = { 0 };

	pthread_mutex_lock(&all->lock);
	if (map_len(all->reachable_repos)) {
		back = all->reachable_repos;
		all->reachable_repos = map_new();
	}
	pthread_mutex_unlock(&all->lock);
	for (size_t i = 0; back && i < map_len(back); i++)
		if (job_wake_waiting(all->co->registry, map_key(back, i), clock_real_ms(), &e))
			log_error("job.wake_failed", "message=%s", log_quote(e.msg));
	map_free(back);
}

static bool take_check_queue(struct jobs *all)
{
	pthread_mutex_lock(&all->lock);
	bool check = all->check_queue;
	all->check_queue = false;
	pthread_mutex_unlock(&all->lock);
	return check;
}

static bool take_changed(struct jobs *all)
{
	pthread_mutex_lock(&all->lock);
	bool changed = all->changed;
	all->changed = false;
	pthread_mutex_unlock(&all->lock);
	return changed;
}

static bool stopping(struct jobs *all)
{
	pthread_mutex_lock(&all->lock);
	bool stop = all->stopping;
	pthread_mutex_unlock(&all->lock);
	return stop;
}

/* Claims all jobs that may run.  Returns the milliseconds until the next check. */
static int64_t check_queue(struct jobs *all)
{
	uint64_t queued = 0;

	wake_returned(all);
	while (!stopping(all))
		if (!claim(all))
			break;
	int64_t due = job_next_due_ms(all->co->registry, clock_real_ms(), CHECK_MS, &queued);
	pthread_mutex_lock(&all->lock);
	all->now.queued = queued;
	pthread_mutex_unlock(&all->lock);
	if (!due)	/* a job that is due but could not be claimed waits for a lane or a limit */
		return CHECK_MS;
	return due;
}

static void *work(void *arg)
{
	struct jobs *all = arg;
	int64_t every = all->terms.lease_ms / 3;
	int64_t next_check = 0, next_renewal = clock_ms() + every;
	int64_t next_schedule = clock_ms() + SCHEDULE_MS;

	while (!stopping(all)) {
		if (take_check_queue(all) || clock_ms() >= next_check) {
			int64_t ms = check_queue(all);
			next_check = clock_ms() + ms;
		}
		if (take_changed(all) || clock_ms() >= next_renewal ||
		    !registry_lease_is_valid(all->co->registry)) {
			renew_leases(all);
			next_renewal = clock_ms() + every;
		}
		if (clock_ms() >= next_schedule) {
			jobs_schedule(all);
			next_schedule = clock_ms() + SCHEDULE_MS;
		}
		int64_t until = dispatch(all);
		until = MIN(until, next_check);
		wait_until(all, MIN(until, next_renewal));
	}
	return NULL;
}

int jobs_start(struct jobs *all, struct err *e)
{
	pthread_mutex_lock(&all->lock);		/* the thread reads fields of the same struct */
	all->started = !pthread_create(&all->thread, NULL, work, all);
	pthread_mutex_unlock(&all->lock);
	if (all->started)
		return 0;
	return err_set(e, ERR_INTERNAL, "cannot start a thread for the jobs");
}

void jobs_stop(struct jobs *all)
{
	if (!all)
		return;
	pthread_mutex_lock(&all->lock);
	all->stopping = true;
	jobs_wake(all);
	pthread_mutex_unlock(&all->lock);
	if (all->started)
		pthread_join(all->thread, NULL);
	all->started = false;
}

void jobs_free(struct jobs *all)
{
	if (!all)
		return;
	struct err e = { 0 };
	if (all->first && job_release_leases(all->co->registry, all->holder, &e))
		log_warn("job.release_failed", "message=%s", log_quote(e.msg));
	while (all->first) {
		call_free(all->first->call);
		run_unlink(all->first);
	}
	map_free(all->reachable_repos);
	pthread_cond_destroy(&all->wake);
	pthread_mutex_destroy(&all->lock);
	free(all);
}

/* ---- from outside ---- */

static void request_check(struct jobs *all)
{
	pthread_mutex_lock(&all->lock);
	all->check_queue = true;
	jobs_wake(all);
	pthread_mutex_unlock(&all->lock);
}

static const char *host_of(struct jobs *all, const char *repo_uri, struct arena *a)
{
	struct member *m = members_get(all->co->members, &caller_local, repo_uri);
	struct member_view v;

	if (!m)
		return NULL;
	members_view(all->co->members, m, &v, a);
	return v.host;
}

/* Sets what the job is for, its key, its lane and its host. */
static void set_target(
    struct jobs *all, const struct job_kind *k, const char *of, struct job *out, struct arena *a)
{
	out->key = k->name;
	out->lane = k->lane;
	if (k->of == REPO) {
		const char *name = uri_directory_name(of, a);
		out->repo_uri = of;
		out->key = arena_printf(a, "%s:%s", k->name, name);
		out->lane = arena_printf(a, "%s:%s", k->lane, name);
		out->host = host_of(all, of, a);
	} else if (k->of == GROUP) {
		out->group = of;
		out->key = arena_printf(a, "%s:%s", k->name, of);
	}
}

int jobs_enqueue(struct jobs *all, const struct job_request *w, struct job *out, bool *fresh,
    struct arena *a, struct err *e)
{
	const struct job_kind *k = w->kind;
	int64_t now = clock_real_ms();

	*out = (struct job){
		.force = w->force,
		.base = w->base,
		.head = w->head,
		.reason = w->reason,
		.caller = w->caller,
		.due_ms = now + w->delay_ms,
	};
	set_target(all, k, w->of, out, a);
	if (job_enqueue(all->co->registry, k, out, fresh, now, a, e))
		return -1;
	log_info("job.queued", "job=%s key=%s reason=%s caller=%s fresh=%d", out->id,
	    log_quote(out->key), log_quote(w->reason), log_quote(w->caller), *fresh);
	request_check(all);
	return 0;
}

/* Between two tries of a job its shards may retry by themselves.  The answers do not matter. */
static void cancel_at_shards(struct jobs *all, const struct job *j)
{
	struct member *m = members_get(all->co->members, &caller_local, j->repo_uri);

	if (m)
		members_broadcast(all->co->members, m, 0, RPC_cancel, &(struct cancel_req){ j->id }, j->id);
}

int jobs_cancel(struct jobs *all, const char *id, struct err *e)
{
	struct arena *a = arena_new();
	struct job j;
	bool running = false;
	int rc = job_get(all->co->registry, id, &j, a, e);

	if (!rc)
		rc = job_cancel(all->co->registry, id, clock_real_ms(), &running, e);
	if (!rc && running)
		mark(all, id, true);
	else if (!rc && j.repo_uri && j.started_ms)
		cancel_at_shards(all, &j);
	arena_free(a);
	request_check(all);
	return rc;
}

void jobs_changed(struct jobs *all)
{
	pthread_mutex_lock(&all->lock);
	all->check_queue = all->changed = true;
	jobs_wake(all);
	pthread_mutex_unlock(&all->lock);
}

struct jobs_counts jobs_counts(struct jobs *all)
{
	pthread_mutex_lock(&all->lock);
	struct jobs_counts now = all->now;
	for (struct job_run *r = all->first; r; r = r->next)
		now.running++;
	pthread_mutex_unlock(&all->lock);
	return now;
}

void jobs_add_progress(struct jobs *all, struct job *j, struct arena *a)
{
	pthread_mutex_lock(&all->lock);
	for (struct job_run *r = all->first; r; r = r->next)
		if (!strcmp(r->j.id, j->id) && !strcmp(j->state, "running")) {
			if (*r->phase)
				j->phase = arena_str(a, r->phase);
			j->done = r->done;
			j->total = r->total;
		}
	pthread_mutex_unlock(&all->lock);
}

void jobs_shard_reachable(struct jobs *all, const char *repo_uri)
{
	pthread_mutex_lock(&all->lock);
	*map_at(all->reachable_repos, repo_uri) = all;
	all->check_queue = true;
	jobs_wake(all);
	pthread_mutex_unlock(&all->lock);
}

void jobs_shard_spoke(struct jobs *all, const char *repo_uri)
{
	pthread_mutex_lock(&all->lock);
	for (struct job_run *r = all->first; r; r = r->next)
		if (r->j.repo_uri && !strcmp(r->j.repo_uri, repo_uri)) {
			r->wake_early = true;
			if (r->state == RUN_WAITING)
				r->at = 0;
			jobs_wake(all);
		}
	pthread_mutex_unlock(&all->lock);
}
