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

/*
 * Between looks at the queue without cause; until a full pool is tried again; between looks at
 * what is due by itself.
 */
enum { LOOK_MS = 1000, FULL_MS = 50, SCHEDULE_MS = 5000 };

const struct job_kind job_kinds[] = {
#define JOB(name, of, lane, load, again, whose, doc) { #name, doc, #lane, of, load, again, whose, job_##name },
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
	pthread_condattr_t attr;

	all->co = co;
	snprintf(all->holder, sizeof all->holder, "%s", registry_instance_id(co->registry));
	all->terms = (struct job_lease_terms){ all->holder, co->o.job_lease_ms, co->o.jobs,
		co->o.jobs_per_host, registry_is_shared(co->registry) };
	all->reachable_repos = map_new();
	pthread_mutex_init(&all->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&all->wake, &attr);
	pthread_condattr_destroy(&attr);
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

/* A newer coordinator's job, on the same registry. */
static void refuse(struct jobs *all, struct job *j)
{
	struct err e = { 0 };

	j->state = "failed";
	j->code = "INVALID_INPUT";
	j->message = "this coordinator knows no such kind of job";
	job_end(all->co->registry, &all->terms, j, clock_real_ms(), &e);
}

/* Whether another one may be due. */
static bool claim(struct jobs *all)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct job j;
	int rc = job_claim(all->co->registry, &all->terms, clock_real_ms(), &j, a, &e);

	if (rc < 0)
		log_error("job.claim_failed", "message=%s", log_quote(e.msg));
	if (rc == 1 && !job_kind(j.kind))
		refuse(all, &j);
	if (rc != 1 || !job_kind(j.kind)) {
		arena_free(a);
		return rc == 1;
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

/* What is due goes to the workers; when to come again (monotonic). */
static int64_t dispatch(struct jobs *all)
{
	int64_t now = clock_ms(), next = INT64_MAX;

	pthread_mutex_lock(&all->lock);
	for (struct job_run *r = all->first, *after; r && !all->stopping; r = after) {
		after = r->next;
		if (r->state != RUN_WAITING && r->state != RUN_ANSWERED)
			continue;
		enum run_state was = r->state;
		if (r->at <= now || (was == RUN_WAITING && (r->cancelled || r->lost))) {
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

/* The id, and what the registry shall have, of the n-th run. */
static bool nth_run(struct jobs *all, size_t n, struct job *out, struct arena *a)
{
	pthread_mutex_lock(&all->lock);
	struct job_run *r = all->first;
	for (; r && n; n--)
		r = r->next;
	if (r)
		*out = (struct job){ .id = arena_str(a, r->j.id),
			.kind = r->kind->name,
			.memo = arena_str(a, r->memo.n ? r->memo.p : ""),
			.phase = *r->phase ? arena_str(a, r->phase) : NULL,
			.done = r->done,
			.total = r->total };
	pthread_mutex_unlock(&all->lock);
	return r != NULL;
}

static void mark(struct jobs *all, const char *id, bool cancelled)
{
	pthread_mutex_lock(&all->lock);
	for (struct job_run *r = all->first; r; r = r->next)
		if (!strcmp(r->j.id, id)) {
			r->cancelled |= cancelled;
			r->lost |= !cancelled;
			jobs_wake(all);
		}
	pthread_mutex_unlock(&all->lock);
}

/*
 * What the registry says is run here and is not (its claim or its end was not heard): others may
 * have it.  The claims are of this thread, so that none is under way.
 */
static void give_back(struct jobs *all)
{
	struct buf b = { 0 };
	struct err e = { 0 };
	const char *sep = "[";

	buf_str(&b, "");
	pthread_mutex_lock(&all->lock);
	for (struct job_run *r = all->first; r; r = r->next, sep = ",")
		buf_printf(&b, "%s\"%s\"", sep, r->j.id);
	pthread_mutex_unlock(&all->lock);
	buf_str(&b, b.n ? "]" : "[]");
	if (job_requeue_orphans(all->co->registry, &all->terms, b.p, clock_real_ms(), &e) < 0)
		log_error("job.orphans_failed", "message=%s", log_quote(e.msg));
	buf_free(&b);
}

static void beat(struct jobs *all)
{
	struct arena *a = arena_new();
	struct job j;
	bool cancelled, alive = registry_lease_is_valid(all->co->registry);

	for (size_t i = 0; nth_run(all, i, &j, a); i++, arena_reset(a)) {
		struct err e = { 0 };
		if (!alive && job_kind(j.kind)->ownership == JOB_SHARED) {	/* others may have it by now */
			mark(all, j.id, false);
			continue;
		}
		int rc = job_renew_lease(
		    all->co->registry, &all->terms, &j, clock_real_ms(), &cancelled, &e);
		if (rc < 0)
			log_error("job.lease_renew_failed", "job=%s message=%s", j.id, log_quote(e.msg));
		if (!rc)
			mark(all, j.id, cancelled);
	}
	arena_free(a);
	if (all->terms.shared)
		give_back(all);
}

/* ---- the thread ---- */

static void wait_until(struct jobs *all, int64_t until)
{
	struct timespec t = { until / 1000, until % 1000 * 1000000 };

	pthread_mutex_lock(&all->lock);
	bool due = all->check_queue || all->stopping;
	for (struct job_run *r = all->first; r && !due; r = r->next)
		due = (r->state == RUN_WAITING || r->state == RUN_ANSWERED) && r->at <= clock_ms();
	if (!due)
		pthread_cond_timedwait(&all->wake, &all->lock, &t);
	pthread_mutex_unlock(&all->lock);
}

/* What waits for shards that are back is due. */
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
	bool look = all->check_queue;
	all->check_queue = false;
	pthread_mutex_unlock(&all->lock);
	return look;
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

/* Until something is due, at most LOOK_MS. */
static int64_t look_ahead(struct jobs *all)
{
	uint64_t queued = 0;
	int64_t due = job_next_due_ms(all->co->registry, clock_real_ms(), LOOK_MS, &queued);

	pthread_mutex_lock(&all->lock);
	all->now.queued = queued;
	pthread_mutex_unlock(&all->lock);
	return due;
}

static void *work(void *arg)
{
	struct jobs *all = arg;
	int64_t next_look = 0, every = all->terms.lease_ms / 3, next_beat = clock_ms() + every,
	        next_schedule = clock_ms() + SCHEDULE_MS;

	while (!stopping(all)) {
		if (take_check_queue(all) || clock_ms() >= next_look) {
			wake_returned(all);
			while (!stopping(all) && claim(all))
				;
			int64_t due = look_ahead(all);
			/* due and not claimed: something is in its way */
			next_look = clock_ms() + (due ? due : LOOK_MS);
		}
		if (take_changed(all) || clock_ms() >= next_beat ||
		    !registry_lease_is_valid(all->co->registry)) {
			beat(all);
			next_beat = clock_ms() + every;
		}
		if (clock_ms() >= next_schedule) {
			jobs_schedule(all);
			next_schedule = clock_ms() + SCHEDULE_MS;
		}
		int64_t until = dispatch(all);
		until = MIN(until, next_look);
		wait_until(all, MIN(until, next_beat));
	}
	return NULL;
}

int jobs_start(struct jobs *all, struct err *e)
{
	pthread_mutex_lock(&all->lock);		/* the thread reads what stands beside it */
	all->started = !pthread_create(&all->thread, NULL, work, all);
	pthread_mutex_unlock(&all->lock);
	if (all->started)
		return 0;
	return err_set(e, ERR_INTERNAL, "no thread for the jobs");
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

static void look(struct jobs *all)
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

int jobs_enqueue(struct jobs *all, const struct job_request *w, struct job *out, bool *fresh,
    struct arena *a, struct err *e)
{
	const struct job_kind *k = w->kind;
	int64_t now = clock_real_ms();
	const char *of = k->of == REPO ? uri_directory_name(w->of, a) : w->of ? w->of : "";

	*out = (struct job){ .repo_uri = k->of == REPO ? w->of : NULL,
		.group = k->of == GROUP ? w->of : NULL,
		.force = w->force,
		.base = w->base,
		.head = w->head,
		.reason = w->reason,
		.caller = w->caller,
		.due_ms = now + w->delay_ms };
	if (k->of == ALL)
		out->key = k->name;
	else
		out->key = arena_printf(a, "%s:%s", k->name, of);
	if (k->of == REPO)
		out->lane = arena_printf(a, "%s:%s", k->lane, of);
	else
		out->lane = k->lane;
	if (k->of == REPO)
		out->host = host_of(all, w->of, a);
	else
		out->host = NULL;
	if (job_enqueue(all->co->registry, k, out, fresh, now, a, e))
		return -1;
	log_info("job.queued", "job=%s key=%s reason=%s caller=%s fresh=%d", out->id,
	    log_quote(out->key), log_quote(w->reason), log_quote(w->caller), *fresh);
	look(all);
	return 0;
}

/*
 * Between two tries of a job its shards may be about to try again by themselves; whether they hear
 * this does not matter.
 */
static void tell_shards(struct jobs *all, const struct job *j)
{
	struct member *m = members_get(all->co->members, &caller_local, j->repo_uri);

	if (m)
		members_broadcast(all->co->members, m, 0, RPC_cancel, &(struct cancel_req){ j->id }, j->id);
}

int jobs_cancel(struct jobs *all, const char *id, struct err *e)
{
	struct arena *a = arena_new();
	struct job j;
	bool running;
	int rc = 0;

	if (job_get(all->co->registry, id, &j, a, e) ||
	    job_cancel(all->co->registry, id, clock_real_ms(), &running, e))
		rc = -1;
	if (!rc && running)
		mark(all, id, true);
	else if (!rc && j.repo_uri && j.started_ms)
		tell_shards(all, &j);
	arena_free(a);
	look(all);
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
