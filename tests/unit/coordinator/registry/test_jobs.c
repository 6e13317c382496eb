/* The jobs in the registry: what moves them from state to state. */
#include "tests/job_registry.h"

#include <pthread.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"

static const struct job_lease_terms two = { "two", LEASE, 100, 100, false };

static const char *state_of(const char *id)
{
	struct job j;

	assert_int_equal(job_get(r, id, &j, a, &e), 0);
	return j.state;
}

static size_t count(const char *state)
{
	struct job *v;
	size_t n;

	assert_int_equal(job_find_all(r, state, NULL, NULL, &v, &n, a, &e), 0);
	return n;
}

/* ---- the queue ---- */

static void ten_requests_are_one_job(void **state)
{
	bool fresh;
	struct job first = enqueue_at("build", "x", false, NULL, NOW, &fresh);

	(void)state;
	assert_true(fresh);
	assert_string_equal(first.key, arena_printf(a, "build:%s", uri_directory_name("github.com/o/x", a)));
	for (int i = 0; i < 9; i++) {
		struct job j = enqueue_at("build", "x", i == 5, NULL, NOW, &fresh);
		assert_false(fresh);
		assert_string_equal(j.id, first.id);
	}
	assert_int_equal(count(NULL), 1);
	struct job j;
	assert_int_equal(job_get(r, first.id, &j, a, &e), 0);
	assert_true(j.force);
}

static void a_build_that_runs_will_do(void **state)
{
	bool fresh;
	struct job first = enqueue("build", "x");

	(void)state;
	assert_string_equal(claim(&one, NOW), first.id);
	struct job j = enqueue_at("build", "x", false, NULL, NOW, &fresh);
	assert_false(fresh);
	assert_string_equal(j.id, first.id);
	enqueue_at("build", "x", true, NULL, NOW, &fresh);
	assert_true(fresh);	/* but is not wholly anew */
}

static void pushes_while_an_update_runs_are_one_more(void **state)
{
	bool fresh;
	struct job first = enqueue_at("update", "x", false, "aaa", NOW, &fresh), last;

	(void)state;
	assert_string_equal(claim(&one, NOW), first.id);
	struct job second = enqueue_at("update", "x", false, "bbb", NOW, &fresh);
	assert_true(fresh);
	for (int i = 0; i < 5; i++) {
		last = enqueue_at("update", "x", false, arena_printf(a, "c%d", i), NOW, &fresh);
		assert_false(fresh);
		assert_string_equal(last.id, second.id);
	}
	assert_int_equal(job_get(r, second.id, &last, a, &e), 0);
	assert_string_equal(last.head, "c4");
	assert_string_equal(claim(&one, NOW), "");	/* its lane is taken */
	assert_int_equal(finish(&one, first.id, "done", NOW, NOW), 1);
	assert_string_equal(claim(&one, NOW), second.id);
}

static void what_is_done_can_be_asked_for_again(void **state)
{
	bool fresh;
	struct job first = enqueue("build", "x");

	(void)state;
	assert_string_equal(claim(&one, NOW), first.id);
	assert_int_equal(finish(&one, first.id, "done", NOW, NOW), 1);
	enqueue_at("build", "x", false, NULL, NOW, &fresh);
	assert_true(fresh);
}

/* Nothing more comes of a job that is to end. */
static void a_cancelled_job_covers_nothing(void **state)
{
	struct job first = enqueue("build", "x");
	bool running, fresh;

	(void)state;
	assert_string_equal(claim(&one, NOW), first.id);
	assert_int_equal(job_cancel(r, first.id, NOW, &running, &e), 0);
	assert_true(running);
	enqueue_at("build", "x", false, NULL, NOW, &fresh);
	assert_true(fresh);
}

/* The queued one has all that was asked for; the running one, which began before, has not. */
static void the_queued_job_covers_before_the_running_one(void **state)
{
	struct job first = enqueue("build", "x");
	bool fresh;

	(void)state;
	assert_string_equal(claim(&one, NOW), first.id);
	struct job forced = enqueue_at("build", "x", true, NULL, NOW, &fresh);
	assert_true(fresh);
	struct job third = enqueue_at("build", "x", true, "h3", NOW, &fresh);
	assert_false(fresh);
	assert_string_equal(third.id, forced.id);
	assert_int_equal(job_get(r, forced.id, &third, a, &e), 0);
	assert_string_equal(third.head, "h3");
	third = enqueue_at("build", "x", false, "h4", NOW, &fresh);	/* the running one would do, too */
	assert_false(fresh);
	assert_string_equal(third.id, forced.id);
	assert_int_equal(job_get(r, first.id, &third, a, &e), 0);
	assert_null(third.head);
}

/* One job serves both: from the older base, to the newer head, at the earlier time. */
static void what_a_merged_job_does(void **state)
{
	struct job j = { .repo_uri = "github.com/o/x", .key = "update:x", .lane = "x", .reason = "push", .caller = "test", .base = "b1",
		.head = "h1", .due_ms = NOW + SOON };
	bool fresh;

	(void)state;
	assert_int_equal(job_enqueue(r, job_kind("update"), &j, &fresh, NOW, a, &e), 0);
	struct job second = j;
	second.base = "b2", second.head = "h2", second.due_ms = NOW + 1, second.force = true, second.reason = "asked";
	assert_int_equal(job_enqueue(r, job_kind("update"), &second, &fresh, NOW, a, &e), 0);
	assert_false(fresh);
	struct job third = j;
	third.base = third.head = NULL, third.reason = "again";
	assert_int_equal(job_enqueue(r, job_kind("update"), &third, &fresh, NOW, a, &e), 0);
	assert_int_equal(job_get(r, j.id, &j, a, &e), 0);
	assert_string_equal(j.base, "b1");
	assert_string_equal(j.head, "h2");
	assert_int_equal(j.due_ms, NOW + 1);
	assert_true(j.force);
	assert_string_equal(j.reason, "asked");
}

/* ---- claims ---- */

static void one_job_of_a_repository_at_a_time_across_coordinators(void **state)
{
	struct job build = enqueue("build", "x"), update = enqueue("update", "x"), other = enqueue("build", "y");

	(void)state;
	assert_string_equal(claim(&one, NOW), build.id);
	assert_string_equal(claim(&two, NOW), other.id);
	assert_string_equal(claim(&two, NOW), "");
	assert_int_equal(finish(&two, build.id, "done", NOW, NOW), 0);		/* it is not theirs */
	assert_string_equal(state_of(build.id), "running");
	assert_int_equal(finish(&one, build.id, "done", NOW, NOW), 1);
	assert_string_equal(claim(&two, NOW), update.id);
}

struct race {
	pthread_t thread;
	struct job_lease_terms terms;
	char holder[16];
	int claimed;
};

static void *race(void *arg)
{
	struct race *x = arg;
	struct arena *own = arena_new();
	struct err oops = { 0 };
	struct job j;

	while (job_claim(r, &x->terms, NOW, &j, own, &oops) == 1)
		x->claimed++;
	arena_free(own);
	return NULL;
}

static void no_job_is_claimed_twice(void **state)
{
	struct race v[4];
	int all = 0;

	(void)state;
	for (int i = 0; i < 60; i++)
		enqueue("build", arena_printf(a, "r%d", i));
	for (size_t i = 0; i < LEN(v); i++) {
		v[i] = (struct race){ .terms = one };
		snprintf(v[i].holder, sizeof v[i].holder, "h%zu", i);
		v[i].terms.holder = v[i].holder;
		pthread_create(&v[i].thread, NULL, race, &v[i]);
	}
	for (size_t i = 0; i < LEN(v); i++) {
		pthread_join(v[i].thread, NULL);
		all += v[i].claimed;
	}
	assert_int_equal(all, 60);
	assert_int_equal(count("running"), 60);
}

static void limits_of_all_and_of_a_host(void **state)
{
	struct job_lease_terms few = { "one", LEASE, 3, 2, false };

	(void)state;
	for (int i = 0; i < 5; i++)
		enqueue("build", arena_printf(a, "r%d", i));
	assert_string_not_equal(claim(&few, NOW), "");
	assert_string_not_equal(claim(&few, NOW), "");
	assert_string_equal(claim(&few, NOW), "");	/* two on one host */
	few.most_per_host = 100;
	assert_string_not_equal(claim(&few, NOW), "");
	assert_string_equal(claim(&few, NOW), "");	/* three in all */
}

static void a_lease_that_is_renewed_stays(void **state)
{
	struct job j = enqueue("build", "x");
	bool cancelled;

	(void)state;
	assert_string_equal(claim(&one, NOW), j.id);
	j.memo = "{\"ingest\":3}";
	assert_int_equal(job_renew_lease(r, &one, &j, NOW + SOON, &cancelled, &e), 1);
	assert_string_equal(claim(&two, NOW + LEASE), "");
	assert_string_equal(claim(&two, NOW + 2 * LEASE), j.id);
	struct job now;
	assert_int_equal(job_get(r, j.id, &now, a, &e), 0);
	assert_string_equal(now.memo, j.memo);		/* who takes it over goes on from there */
	assert_int_equal(now.lost, 1);
	assert_int_equal(now.tries, 0);
	assert_int_equal(job_renew_lease(r, &one, &j, NOW + 2 * LEASE, &cancelled, &e), 0);
	assert_int_equal(finish(&one, j.id, "failed", NOW + 2 * LEASE, 0), 0);
	assert_string_equal(state_of(j.id), "running");
}

static void a_job_that_takes_its_coordinators_with_it_is_given_up(void **state)
{
	struct job j = enqueue("build", "x");
	int64_t now = NOW;

	(void)state;
	for (int i = 0; i < 20; i++, now += 2 * LEASE)
		assert_string_equal(claim(&one, now), j.id);
	assert_string_equal(claim(&one, now), "");
	assert_string_equal(state_of(j.id), "failed");
}

static void a_clock_that_was_set_back_keeps_no_job(void **state)
{
	struct job j = enqueue("build", "x");

	(void)state;
	assert_string_equal(claim(&one, NOW + 100 * LEASE), j.id);
	assert_string_equal(claim(&two, NOW), j.id);
}

static void leases_are_given_back(void **state)
{
	struct job j = enqueue("build", "x");

	(void)state;
	assert_string_equal(claim(&one, NOW), j.id);
	assert_int_equal(job_release_leases(r, "one", &e), 0);
	assert_string_equal(claim(&two, NOW + 1), j.id);
}

/* The answer to a claim was lost: the registry says that it runs here, and it does not. */
static void orphans_are_queued_again(void **state)
{
	struct job x = enqueue("build", "x"), y = enqueue("build", "y"), z = enqueue("build", "z");

	(void)state;
	assert_string_equal(claim(&one, NOW), x.id);
	assert_string_equal(claim(&one, NOW), y.id);
	assert_string_equal(claim(&two, NOW), z.id);
	assert_int_equal(job_requeue_orphans(r, &one, arena_printf(a, "[\"%s\"]", x.id), NOW, &e), 0);
	assert_string_equal(state_of(x.id), "running");
	assert_string_equal(state_of(y.id), "queued");
	assert_string_equal(state_of(z.id), "running");
	struct job now;
	assert_int_equal(job_get(r, y.id, &now, a, &e), 0);
	assert_int_equal(now.lost, 1);
}

/* ---- failures ---- */

static void a_failed_try_waits(void **state)
{
	struct job j = enqueue("build", "x");

	(void)state;
	assert_string_equal(claim(&one, NOW), j.id);
	assert_int_equal(finish(&one, j.id, "queued", NOW, NOW + SOON), 1);
	assert_string_equal(claim(&one, NOW), "");
	uint64_t queued;
	assert_int_equal(job_next_due_ms(r, NOW, 2 * SOON, &queued), SOON);
	assert_int_equal(queued, 1);
	assert_string_equal(claim(&one, NOW + SOON), j.id);
	assert_int_equal(finish(&one, j.id, "failed", NOW, NOW), 1);
	assert_int_equal(count("failed"), 1);
}

static void a_failed_try_is_left_to_the_job_that_waits(void **state)
{
	bool fresh;
	struct job first = enqueue_at("update", "x", false, "aaa", NOW, &fresh), second;

	(void)state;
	assert_string_equal(claim(&one, NOW), first.id);
	second = enqueue_at("update", "x", false, "bbb", NOW, &fresh);
	assert_int_equal(finish(&one, first.id, "queued", NOW, NOW + SOON), 1);
	assert_string_equal(state_of(first.id), "done");
	assert_string_equal(claim(&one, NOW), "");
	assert_string_equal(claim(&one, NOW + SOON), second.id);
	assert_int_equal(count("queued"), 0);
}

static void cancelling(void **state)
{
	struct job x = enqueue("build", "x"), y = enqueue("build", "y");
	bool running, cancelled;

	(void)state;
	assert_string_equal(claim(&one, NOW), x.id);
	assert_int_equal(job_cancel(r, y.id, NOW, &running, &e), 0);
	assert_false(running);
	assert_string_equal(state_of(y.id), "failed");
	assert_int_equal(job_cancel(r, x.id, NOW, &running, &e), 0);
	assert_true(running);
	assert_int_equal(job_renew_lease(r, &one, &x, NOW, &cancelled, &e), 0);
	assert_true(cancelled);
	assert_string_equal(claim(&two, NOW + 2 * LEASE), "");		/* nor is it begun anew when its holder is gone */
	assert_string_equal(state_of(x.id), "failed");
	assert_int_equal(job_cancel(r, x.id, NOW, &running, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_int_equal(job_cancel(r, "nobody", NOW, &running, &e), -1);
	assert_int_equal(e.code, ERR_NOT_FOUND);
}

/* The log of a job, its states and failures separated by blanks. */
static const char *told(const char *id)
{
	struct job_log_entry *v;
	size_t n;
	const char *out = "";

	assert_int_equal(job_log(r, id, &v, &n, a, &e), 0);
	for (size_t i = 0; i < n; i++)
		out = arena_printf(a, "%s%s%s%s%s%s", out, i ? " " : "", v[i].state, v[i].phase ? ":" : "", v[i].phase ? v[i].phase : "",
		    v[i].code ? "!" : "");
	return out;
}

static void a_job_has_a_log(void **state)
{
	struct job x = enqueue("build", "x"), y = enqueue("build", "y"), j;
	bool running, cancelled;

	(void)state;
	assert_string_equal(claim(&one, NOW), x.id);
	assert_int_equal(job_get(r, x.id, &j, a, &e), 0);
	j.phase = "parse";
	for (int i = 0; i < 3; i++)	/* a beat that says nothing new is no line */
		assert_int_equal(job_renew_lease(r, &one, &j, NOW, &cancelled, &e), 1);
	j.state = "queued";
	j.code = "UNAVAILABLE";
	j.message = "gone";
	assert_int_equal(job_end(r, &one, &j, NOW, &e), 1);
	assert_string_equal(told(x.id), "queued running running:parse queued!");
	assert_string_equal(claim(&one, NOW), x.id);
	assert_int_equal(job_cancel(r, x.id, NOW, &running, &e), 0);
	assert_string_equal(told(x.id), "queued running running:parse queued! running cancel");
	assert_string_equal(told(y.id), "queued");
	for (int i = 0; i < 250; i++) {
		assert_string_equal(claim(&two, NOW), y.id);
		assert_int_equal(finish(&two, y.id, "queued", NOW, NOW), 1);
	}
	assert_int_equal(strlen(told(y.id)), 100 * strlen("queued ") + 100 * strlen("running ") - 1);	/* the last 200 */
	assert_int_equal(job_cancel(r, y.id, NOW, &running, &e), 0);
	assert_int_equal(jobs_forget(r, NOW + SOON, 100, &e), 1);
	assert_string_equal(told(y.id), "");
}

static void what_ended_long_ago_is_forgotten(void **state)
{
	struct job x = enqueue("build", "x");

	(void)state;
	enqueue("build", "y");
	assert_string_equal(claim(&one, NOW), x.id);
	assert_int_equal(finish(&one, x.id, "done", NOW, NOW), 1);
	assert_int_equal(jobs_forget(r, NOW, 100, &e), 0);
	assert_int_equal(jobs_forget(r, NOW + SOON, 100, &e), 1);
	assert_int_equal(count(NULL), 1);
}

static void jobs_survive_a_restart(void **state)
{
	struct job x = enqueue("build", "x"), y = enqueue("build", "y");

	(void)state;
	assert_string_equal(claim(&one, NOW), x.id);
	registry_close(r);
	r = registry_open(dir, &e);
	assert_non_null(r);
	assert_string_equal(state_of(x.id), "running");
	assert_string_equal(claim(&two, NOW), y.id);
	assert_string_equal(claim(&two, NOW + 2 * LEASE), x.id);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(ten_requests_are_one_job), CASE(a_build_that_runs_will_do), CASE(pushes_while_an_update_runs_are_one_more),
		CASE(what_is_done_can_be_asked_for_again), CASE(a_cancelled_job_covers_nothing),
		CASE(the_queued_job_covers_before_the_running_one), CASE(what_a_merged_job_does), CASE(orphans_are_queued_again),
		CASE(one_job_of_a_repository_at_a_time_across_coordinators),
		CASE(no_job_is_claimed_twice), CASE(limits_of_all_and_of_a_host), CASE(a_lease_that_is_renewed_stays),
		CASE(a_job_that_takes_its_coordinators_with_it_is_given_up), CASE(a_clock_that_was_set_back_keeps_no_job),
		CASE(leases_are_given_back), CASE(a_failed_try_waits), CASE(a_failed_try_is_left_to_the_job_that_waits),
		CASE(cancelling), CASE(a_job_has_a_log), CASE(what_ended_long_ago_is_forgotten), CASE(jobs_survive_a_restart),
	};

	return cmocka_run_group_tests_name("jobs", tests, NULL, NULL);
}
