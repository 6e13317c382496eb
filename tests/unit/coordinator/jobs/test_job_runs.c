/* Jobs that run in a coordinator: how a step ends, who wakes a run, and the thread that claims jobs and renews leases. */
#include "tests/job_registry.h"

#include "coordinator/calls/context.h"
#include "coordinator/jobs/jobs_internal.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/base/thread_pool.h"
#include "proto/db/db.h"

enum { BACK_OFF = 1000, TRIES = 3 };

static struct coordinator co;
static struct jobs *all;

static int open_jobs(void **state)
{
	if (begin(state))
		return -1;
	log_init("test", LOG_ERROR);
	co = (struct coordinator){ .registry = r };
	co.o.job_lease_ms = LEASE;
	co.o.jobs = co.o.jobs_per_host = 100;
	co.o.job_tries = TRIES;
	co.o.job_backoff_ms = BACK_OFF;
	co.pool = pool_new(2, 100);
	co.jobs = all = jobs_new(&co);
	return 0;
}

static int close_jobs(void **state)
{
	jobs_stop(all);
	pool_free(co.pool);
	jobs_free(all);
	return end(state);
}

/* A job of github.com/o/NAME that runs here. */
static struct job_run *run_of(const char *kind, const char *name)
{
	struct job j = enqueue(kind, name);
	struct job_run *run = xcalloc(1, sizeof *run);

	assert_string_equal(claim(&all->terms, clock_real_ms()), j.id);
	run->all = all;
	run->a = arena_new();
	run->step = arena_new();
	run->kind = job_kind(kind);
	run->state = RUN_WORKING;
	assert_int_equal(job_get(r, j.id, &run->j, run->a, &e), 0);
	run->next = all->first;
	all->first = run;
	return run;
}

static struct job stored(const char *id)
{
	struct job j;

	assert_int_equal(job_get(r, id, &j, a, &e), 0);
	return j;
}

static const char *id_of(const struct job_run *run)
{
	return arena_str(a, run->j.id);
}

static struct err failure(void)
{
	struct err why = { 0 };

	err_set(&why, ERR_DB_ERROR, "broken");
	return why;
}

/* ---- who wakes a run ---- */

static void a_shard_that_speaks_wakes_the_runs_that_poll_it(void **state)
{
	struct job_run *waits = run_of("build", "x"), *asks = run_of("build", "z"),
	               *other = run_of("build", "y");

	(void)state;
	asks->j.repo_uri = waits->j.repo_uri;
	waits->state = other->state = RUN_WAITING;
	asks->state = RUN_ASKING;
	waits->at = asks->at = other->at = INT64_MAX;
	jobs_shard_spoke(all, "github.com/o/x");
	assert_true(waits->at == 0 && waits->wake_early);
	assert_true(asks->at == INT64_MAX && asks->wake_early);
	assert_true(other->at == INT64_MAX && !other->wake_early);
}

static void a_run_that_was_spoken_to_does_not_wait(void **state)
{
	struct job_run *run = run_of("build", "x");
	int64_t now = clock_ms();

	(void)state;
	run_poll_in(run, 5000);
	assert_int_equal(run->state, RUN_WAITING);
	assert_in_range(run->at, now + 5000, clock_ms() + 5000);
	run->wake_early = true;
	run_poll_in(run, 5000);
	assert_true(run->at == 0);
}

static void a_shard_that_is_back_makes_its_jobs_due(void **state)
{
	struct job_run *run = run_of("build", "x");
	const char *id = id_of(run);
	struct err why = failure();

	(void)state;
	co.o.job_backoff_ms = 15000;
	run_defer(run, &why);
	assert_true(stored(id).due_ms > clock_real_ms());
	jobs_shard_reachable(all, "github.com/o/x");
	assert_true(all->check_queue);
	assert_int_equal(map_len(all->reachable_repos), 1);
	assert_int_equal(job_wake_waiting(r, "github.com/o/x", clock_real_ms(), &e), 0);
	assert_true(stored(id).due_ms <= clock_real_ms());
}

/* ---- how a step ends ---- */

static void done(void **state)
{
	struct job_run *run = run_of("build", "x");
	const char *id = id_of(run);

	(void)state;
	run_done(run, 7, "indexed");
	struct job j = stored(id);
	assert_string_equal(j.state, "done");
	assert_string_equal(j.note, "indexed");
	assert_int_equal(j.generation, 7);
	assert_null(all->first);
	assert_true(all->check_queue); /* another one may run in its place */
	assert_int_equal(jobs_counts(all).done, 1);
	assert_int_equal(jobs_counts(all).running, 0);
}

static void a_retry_waits_longer_each_time_and_is_given_up(void **state)
{
	struct err why = failure();
	const char *id = NULL;

	(void)state;
	for (int i = 1; i <= TRIES; i++) {
		struct job_run *run;
		if (!id) {
			run = run_of("build", "x");
			id = id_of(run);
		} else {
			run = xcalloc(1, sizeof *run);
			assert_string_equal(claim(&all->terms, clock_real_ms() + 10 * BACK_OFF), id);
			*run = (struct job_run){
				.all = all, .a = arena_new(), .step = arena_new(), .kind = job_kind("build")
			};
			assert_int_equal(job_get(r, id, &run->j, run->a, &e), 0);
			all->first = run;
		}
		run_memo_put(run, &rec_job_ingest, &(struct job_ingest){ 5, 6, 7 });
		int64_t now = clock_real_ms(), pause = BACK_OFF << (i - 1);
		run_retry(run, &why);
		struct job j = stored(id);
		assert_string_equal(j.code, "DB_ERROR");
		assert_string_equal(j.message, "broken");
		if (i == TRIES) {
			assert_string_equal(j.state, "failed");
			break;
		}
		assert_string_equal(j.state, "queued");
		assert_int_equal(j.tries, i);
		assert_in_range(j.due_ms, now + pause / 2, clock_real_ms() + pause);
		assert_true(!j.memo || !*j.memo); /* from the beginning */
	}
	assert_int_equal(jobs_counts(all).again, TRIES - 1);
	assert_int_equal(jobs_counts(all).failed, 1);
}

static void a_job_that_is_put_off_is_never_given_up(void **state)
{
	struct err why = failure();
	struct job_run *run = run_of("build", "x");
	const char *id = id_of(run);

	(void)state;
	run->j.waits = 50;
	run_memo_put(run, &rec_job_ingest, &(struct job_ingest){ 5, 6, 7 });
	int64_t now = clock_real_ms();
	run_defer(run, &why);
	struct job j = stored(id);
	assert_string_equal(j.state, "queued");
	assert_int_equal(j.tries, 0);
	assert_int_equal(j.waits, 51);
	assert_in_range(j.due_ms, now + 7500, clock_real_ms() + 15000);
	assert_non_null(strstr(j.memo, "\"ingest\":6")); /* it goes on where it was */
}

static void what_a_job_remembers(void **state)
{
	struct job_run *run = run_of("build", "x");
	struct job_ingest m = { 0 };

	(void)state;
	run_memo_get(run, &rec_job_ingest, &m);
	assert_int_equal(m.ingest, 0);
	run_memo_put(run, &rec_job_ingest, &(struct job_ingest){ 5, 6, 7 });
	run_memo_get(run, &rec_job_ingest, &m);
	assert_int_equal(m.process, 5);
	assert_int_equal(m.ingest, 6);
	assert_non_null(
	    strstr(stored(run->j.id).memo, "\"ingest\":6")); /* before anything else happens */
}

static void progress_of_a_job_that_runs_here(void **state)
{
	struct job_run *run = run_of("build", "x");
	struct job j = stored(run->j.id), elsewhere = j;

	(void)state;
	run_progress(run, "parse", 3, 4);
	jobs_add_progress(all, &j, a);
	assert_string_equal(j.phase, "parse");
	assert_int_equal(j.done, 3);
	assert_int_equal(j.total, 4);
	elsewhere.id = "another";
	jobs_add_progress(all, &elsewhere, a);
	assert_int_equal(elsewhere.total, 0);
	j = (struct job){ .id = run->j.id, .state = "queued" };
	jobs_add_progress(all, &j, a);
	assert_int_equal(j.total, 0);
	run_progress(run, NULL, 0, 0);
	assert_string_equal(run->phase, "");
}

/* Another coordinator runs it: what this one thinks of it is written nowhere. */
static void a_lost_run_leaves_no_trace(void **state)
{
	struct job_run *run = run_of("build", "x");
	const char *id = id_of(run);

	(void)state;
	run->lost = true;
	run_step(run);
	assert_null(all->first);
	assert_string_equal(stored(id).state, "running");
	assert_int_equal(jobs_counts(all).done + jobs_counts(all).failed + jobs_counts(all).again, 0);
}

static void a_cancelled_run_ends(void **state)
{
	struct job_run *run = run_of("build", "x");
	const char *id = id_of(run);

	(void)state;
	run->cancelled = run->cancel_sent = true; /* its shard has been told */
	run_step(run);
	assert_string_equal(stored(id).state, "failed");
	assert_true(stored(id).cancelled);
	assert_string_equal(stored(id).message, "cancelled");
	assert_int_equal(jobs_counts(all).cancelled, 1);
	assert_int_equal(jobs_counts(all).failed, 0);
}

static void runs_are_given_back_at_the_end(void **state)
{
	const char *id = id_of(run_of("build", "x"));

	(void)state;
	jobs_free(all);
	co.jobs = all = jobs_new(&co);
	assert_string_equal(claim(&one, clock_real_ms()), id);
}

/* ---- the thread ---- */

static const char *wait_state(const char *id, const char *wanted)
{
	for (int i = 0; i < 3000 && strcmp(stored(id).state, wanted); i++)
		clock_sleep(10);
	return stored(id).state;
}

static void the_thread_claims_and_runs(void **state)
{
	struct job_request w = { .kind = job_kind("prune"), .reason = "test", .caller = "test" };
	bool fresh;
	struct job j;

	(void)state;
	assert_int_equal(jobs_start(all, &e), 0);
	assert_int_equal(jobs_enqueue(all, &w, &j, &fresh, a, &e), 0);
	assert_true(fresh);
	assert_string_equal(wait_state(j.id, "done"), "done");
	assert_string_equal(stored(j.id).note, "0 old jobs deleted");
}

/* What another coordinator enqueued is claimed without a word of it, within a second or two. */
static void the_thread_looks_at_the_queue(void **state)
{
	struct job j = { .key = "prune", .lane = "prune", .reason = "test", .caller = "test" };
	bool fresh;

	(void)state;
	assert_int_equal(jobs_start(all, &e), 0);
	clock_sleep(5); /* it has looked once */
	assert_int_equal(job_enqueue(r, job_kind("prune"), &j, &fresh, clock_real_ms(), a, &e), 0);
	assert_string_equal(wait_state(j.id, "done"), "done");
}

/* What the registry says about the end of the lease of a job. */
static int64_t lease_of(const char *id)
{
	struct db *db = registry_snapshot_begin(r, &e);
	struct stmt *s = db_prep(db, "select lease_ms from jobs where id = ?", &e);

	assert_int_equal(db_bind(s, "s", id), 0);
	assert_int_equal(db_step(s, &e), 1);
	int64_t ends = db_int(s, 0);
	assert_int_equal(registry_snapshot_end(r, 0), 0);
	return ends;
}

/* A lease is renewed long before it ends. */
static void the_thread_renews_leases(void **state)
{
	enum { SHORT = 6000 }; /* every third of it, so four seconds may be lost on a busy machine */
	(void)state;
	all->terms.lease_ms = SHORT;
	struct job_run *run = run_of("build", "x");
	const char *id = id_of(run);
	int64_t first = lease_of(id), now = first;

	run->state = RUN_ASKING;
	assert_int_equal(jobs_start(all, &e), 0);
	for (int i = 0; i < 3000 && now == first; i++) {
		clock_sleep(10);
		now = lease_of(id);
	}
	assert_true(now > first);
	assert_true(now - first < SHORT);
}

/* What other coordinators cancelled or took over is found out as soon as they say that they changed something. */
static void changes_by_others_are_seen_at_once(void **state)
{
	struct job_run *run = run_of("build", "x");
	bool running;

	(void)state;
	run->state = RUN_ASKING;
	assert_int_equal(jobs_start(all, &e), 0);
	assert_int_equal(job_cancel(r, run->j.id, clock_real_ms(), &running, &e), 0);
	assert_true(running);
	jobs_changed(all);
	bool cancelled = false;
	for (int i = 0; i < 3000 && !cancelled; i++) {
		clock_sleep(10);
		pthread_mutex_lock(&all->lock);
		cancelled = run->cancelled;
		pthread_mutex_unlock(&all->lock);
	}
	assert_true(cancelled);
	assert_false(run->lost);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_jobs, close_jobs)
	const struct CMUnitTest tests[] = {
		CASE(a_shard_that_speaks_wakes_the_runs_that_poll_it),
		CASE(a_run_that_was_spoken_to_does_not_wait),
		CASE(a_shard_that_is_back_makes_its_jobs_due),
		CASE(done),
		CASE(a_retry_waits_longer_each_time_and_is_given_up),
		CASE(a_job_that_is_put_off_is_never_given_up),
		CASE(what_a_job_remembers),
		CASE(progress_of_a_job_that_runs_here),
		CASE(a_lost_run_leaves_no_trace),
		CASE(a_cancelled_run_ends),
		CASE(runs_are_given_back_at_the_end),
		CASE(the_thread_claims_and_runs),
		CASE(the_thread_looks_at_the_queue),
		CASE(the_thread_renews_leases),
		CASE(changes_by_others_are_seen_at_once),
	};

	return cmocka_run_group_tests_name("job_runs", tests, NULL, NULL);
}
