/* Faults of the database in the functions of jobs: tests/registry_faults.h. */
#include "tests/registry_faults.h"

#include "proto/base/minmax.h"

static struct job_lease_terms shared = { "one", LEASE, 100, 100, true };

static int enqueue_job(void)
{
	struct job j = { .key = new_name(), .lane = "lane", .reason = "r", .caller = "c" };
	bool fresh;

	return job_enqueue(r, job_kind("prune"), &j, &fresh, NOW, a, &e);
}

static int claim_with(const struct job_lease_terms *terms)
{
	struct job j;
	int rc = job_claim(r, terms, NOW, &j, a, &e);

	return MIN(rc, 0);
}

static int claim_nothing(void)
{
	return claim_with(&local);
}
static int claim_shared(void)
{
	return claim_with(&shared);
}

static struct job the_job(void)
{
	return (struct job){
		.id = job, .kind = "build", .state = "running", .memo = new_name(), .done = 1, .total = 2
	};
}

static int renew(void)
{
	struct job j = the_job();
	bool cancelled;
	int rc = job_renew_lease(r, &local, &j, NOW, &cancelled, &e);

	return rc < 0 ? rc : 0;
}

static int end_it(void)
{
	struct job j = the_job();

	j.state = "done";
	j.key = "k";
	int rc = job_end(r, &(struct job_lease_terms){ "nobody", LEASE, 1, 1, false }, &j, NOW, &e);
	return rc < 0 ? rc : 0;
}

static int cancel_it(void)
{
	bool running;

	return job_cancel(r, job, NOW, &running, &e);
}

static int orphans(void)
{
	return job_requeue_orphans(r, &local, arena_printf(a, "[\"%s\"]", job), NOW, &e);
}
static int release(void)
{
	return job_release_leases(r, "nobody", &e);
}
static int wake(void)
{
	return job_wake_waiting(r, URI, NOW, &e);
}

static int get_job(void)
{
	struct job j;

	return job_get(r, job, &j, a, &e);
}

static int get_log(void)
{
	struct job_log_entry *v;
	size_t n;

	return job_log(r, job, &v, &n, a, &e);
}

static int find_jobs(void)
{
	struct job *v;
	size_t n;

	return job_find_all(r, NULL, NULL, NULL, &v, &n, a, &e);
}

static int forget_jobs(void)
{
	return jobs_forget(r, 1, 1000, &e) < 0 ? -1 : 0;
}

static int get_meta(void)
{
	struct index_meta m;

	return index_meta_get(r, URI, &m, a, &e);
}

static int get_state(void)
{
	struct index_state s;

	return index_state_get(r, URI, 5, &s, a, &e);
}

static int list_due(void)
{
	const char **v;
	size_t n;

	return index_list_due(r, NOW, 5, &v, &n, 100, a, &e);
}

/* ---- what is there before a call ---- */

static void run_sql(const char *sql)
{
	struct db *db = registry_begin(r, &e);

	assert_non_null(db);
	if (registry_end(r, db_exec(db, sql, &e), &e))
		fail_msg("%s: %s", sql, e.msg);
}

#define STATE_OF_JOB(state, more)                                                                  \
	"delete from jobs where id = 'next'; update jobs set state = '" state                          \
	"', holder = 'one', lease_ms = 0, lost = 0, cancelled = 0, due_ms = 0" more                    \
	" where kind = 'build'"

static void expired(void)
{
	run_sql(STATE_OF_JOB("running", ""));
}
static void expired_often(void)
{
	run_sql(STATE_OF_JOB("running", ", lost = 19"));
}
static void running(void)
{
	run_sql(STATE_OF_JOB("running", ""));
}
static void queued(void)
{
	run_sql(STATE_OF_JOB("queued", ""));
}

static void expired_and_next(void)
{
	expired();
	run_sql(
	    "insert into jobs (id, kind, key, lane, heavy, force, reason, caller, state, created_ms, due_ms, own)"
	    " select 'next', 'prune', key, lane, 0, 0, 'r', 'c', 'queued', 1, 9e15, 0 from jobs where kind = 'build'");
}

static int end_own(void)
{
	struct job j = the_job();

	j.state = "done";
	j.key = "k";
	int rc = job_end(r, &local, &j, NOW, &e);
	return rc < 0 ? rc : 0;
}

static int end_again(void)
{
	struct job j = the_job();

	if (job_get(r, job, &j, a, &e))
		return -1;
	j.state = "queued";
	j.due_ms = NOW;
	int rc = job_end(r, &local, &j, NOW, &e);
	return rc < 0 ? rc : 0;
}

static int no_orphans(void)
{
	return job_requeue_orphans(r, &local, "[]", NOW, &e);
}

static const struct faulty_call functions[] = {
	FUNCTION_AFTER(expired, claim_nothing),
	FUNCTION_AFTER(expired_often, claim_nothing),
	FUNCTION_AFTER(expired_and_next, claim_nothing),
	FUNCTION_AFTER(queued, claim_nothing),
	FUNCTION_AFTER(running, end_own),
	FUNCTION_AFTER(running, end_again),
	FUNCTION_AFTER(expired_and_next, end_again),
	FUNCTION_AFTER(running, no_orphans),
	FUNCTION_AFTER(expired_often, no_orphans),
	FUNCTION_AFTER(queued, cancel_it),
	FUNCTION(enqueue_job),
	FUNCTION(enqueue_again),
	FUNCTION(claim_nothing),
	FUNCTION(claim_shared),
	FUNCTION_AFTER(running, renew),
	FUNCTION(end_it),
	FUNCTION_AFTER(running, cancel_it),
	FUNCTION(orphans),
	FUNCTION(release),
	FUNCTION(wake),
	FUNCTION(get_job),
	FUNCTION(get_log),
	FUNCTION(find_jobs),
	FUNCTION(forget_jobs),
	FUNCTION(get_meta),
	FUNCTION(get_state),
	FUNCTION(list_due),
};

static void each_statement_fails(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(functions); i++)
		check_each_statement(&functions[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_statement_fails, open_all, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
