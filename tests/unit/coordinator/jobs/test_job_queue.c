/* Jobs of a coordinator without its thread: what is enqueued and claimed, which runs go on, which leases are renewed. */
#include "coordinator/members/members.h"
#include "coordinator/registry/replication.h"
#include "proto/base/thread_pool.h"

static int take_run(struct pool *, void (*step)(void *), void *run);
static struct member *find_member(struct members *, const struct caller *, const char *repo_uri);
static void view_member(
    struct members *, const struct member *, struct member_view *, struct arena *);
static void tell_all(struct members *, struct member *, uint32_t but, enum rpc_id,
    const void *request, const char *req);
static bool lease_is_valid(struct registry *);

#define pool_run take_run
#define members_get find_member
#define members_view view_member
#define members_broadcast tell_all
#define registry_lease_is_valid lease_is_valid
#define claim claim_next
#include "coordinator/jobs/jobs.c"
#undef pool_run
#undef members_get
#undef members_view
#undef members_broadcast
#undef registry_lease_is_valid
#undef claim

#include "proto/db/db.h"
#include "tests/job_registry.h"

static struct coordinator co;
static struct jobs *all;
static int steps;
static void *stepped;
static bool pool_is_full, lease_valid;
static struct member known = { .repo_uri = "github.com/o/x" };
static const char *told;

static int take_run(struct pool *p, void (*step)(void *), void *run)
{
	(void)p;
	assert_true(step == run_step);
	if (pool_is_full)
		return -1;
	steps++;
	stepped = run;
	return 0;
}

static struct member *find_member(struct members *m, const struct caller *c, const char *repo_uri)
{
	(void)m;
	assert_ptr_equal(c, &caller_local);
	return strcmp(repo_uri, known.repo_uri) ? NULL : &known;
}

static void view_member(
    struct members *m, const struct member *x, struct member_view *v, struct arena *arena)
{
	(void)m, (void)x, (void)arena;
	*v = (struct member_view){ .host = "its-host" };
}

static void tell_all(struct members *m, struct member *x, uint32_t but, enum rpc_id rpc,
    const void *request, const char *req)
{
	(void)m;
	assert_ptr_equal(x, &known);
	assert_int_equal(but, 0);
	assert_int_equal(rpc, RPC_cancel);
	assert_string_equal(((const struct cancel_req *)request)->req, req);
	told = arena_str(a, req);
}

static bool lease_is_valid(struct registry *registry)
{
	(void)registry;
	return lease_valid;
}

static int open_jobs(void **state)
{
	if (begin(state))
		return -1;
	log_init("test", LOG_ERROR + 1);
	co = (struct coordinator){ .registry = r };
	co.o.job_lease_ms = LEASE;
	co.o.jobs = co.o.jobs_per_host = 3;
	co.jobs = all = jobs_new(&co);
	steps = 0;
	pool_is_full = false;
	lease_valid = true;
	told = "none";
	return 0;
}

static int close_jobs(void **state)
{
	jobs_free(all);
	return end(state);
}

static struct job request(const char *kind, const char *of, bool *fresh)
{
	struct job_request w = { .kind = job_kind(kind),
		.of = of,
		.reason = "why",
		.caller = "who",
		.base = "b",
		.head = "h",
		.delay_ms = 0 };
	struct job out;

	assert_int_equal(jobs_enqueue(all, &w, &out, fresh, a, &e), 0);
	return out;
}

static struct job stored(const char *id)
{
	struct job j;

	assert_int_equal(job_get(r, id, &j, a, &e), 0);
	return j;
}

static void run_sql(const char *sql)
{
	struct db *db = registry_begin(r, &e);

	assert_int_equal(registry_end(r, db_exec(db, sql, &e), &e), 0);
}

/* ---- the queue ---- */

static void kinds(void **state)
{
	(void)state;
	assert_string_equal(job_kind("sync")->name, "sync");
	assert_null(job_kind("nothing"));
	assert_null(job_kind(NULL));
	assert_int_equal(all->terms.lease_ms, LEASE);
	assert_int_equal(all->terms.most, 3);
	assert_int_equal(all->terms.most_per_host, 3);
	assert_false(all->terms.shared);
	assert_string_equal(all->terms.holder, registry_instance_id(r));
}

static void targets(void **state)
{
	bool fresh;

	(void)state;
	const char *name = uri_directory_name("github.com/o/x", a);
	struct job j = request("build", "github.com/o/x", &fresh);
	assert_true(fresh);
	assert_true(all->check_queue);
	assert_string_equal(j.key, arena_printf(a, "build:%s", name));
	assert_string_equal(j.lane, arena_printf(a, "index:%s", name));
	assert_string_equal(j.repo_uri, "github.com/o/x");
	assert_string_equal(j.host, "its-host");
	assert_null(j.group);
	struct job row = stored(j.id);
	assert_string_equal(row.reason, "why");
	assert_string_equal(row.caller, "who");
	assert_string_equal(row.base, "b");
	assert_string_equal(row.head, "h");
	assert_string_equal(row.kind, "build");
	assert_null(request("build", "github.com/o/unknown", &fresh).host);
	j = request("sync", "shop", &fresh);
	assert_string_equal(j.key, "sync:shop");
	assert_string_equal(j.lane, "sync");
	assert_string_equal(j.group, "shop");
	assert_null(j.repo_uri);
	j = request("prune", NULL, &fresh);
	assert_string_equal(j.key, "prune");
	assert_string_equal(j.lane, "prune");
	assert_null(j.group);
	assert_null(j.repo_uri);
	request("prune", NULL, &fresh);
	assert_false(fresh);
}

static void a_delay(void **state)
{
	struct job_request w = {
		.kind = job_kind("prune"), .reason = "r", .caller = "c", .delay_ms = 5000
	};
	struct job out;
	bool fresh;
	int64_t now = clock_real_ms();

	(void)state;
	assert_int_equal(jobs_enqueue(all, &w, &out, &fresh, a, &e), 0);
	assert_in_range(stored(out.id).due_ms, now + 5000, clock_real_ms() + 5000);
	assert_in_range(check_queue(all), 1, 1000);
	assert_null(all->first);
	assert_int_equal(jobs_counts(all).queued, 1);
}

static void what_is_claimed(void **state)
{
	bool fresh;
	struct job one_job = request("build", "github.com/o/x", &fresh),
	           two = request("prune", NULL, &fresh);

	(void)state;
	assert_int_equal(check_queue(all), 1000);
	assert_int_equal(jobs_counts(all).running, 2);
	assert_int_equal(jobs_counts(all).queued, 0);
	assert_string_equal(all->first->j.id, two.id);
	assert_string_equal(all->first->next->j.id, one_job.id);
	assert_string_equal(all->first->next->kind->name, "build");
	assert_int_equal(all->first->state, RUN_WAITING);
	assert_int_equal(all->first->at, 0);
	assert_string_equal(stored(two.id).state, "running");
	/* one whose lane is taken is due and waits */
	request("update", "github.com/o/x", &fresh);
	assert_int_equal(check_queue(all), 1000);
	assert_int_equal(jobs_counts(all).queued, 1);
	assert_false(claim_next(all));
	/* nothing while it stops */
	request("sync", "g", &fresh);
	all->stopping = true;
	check_queue(all);
	assert_int_equal(jobs_counts(all).running, 2);
	all->stopping = false;
}

static void a_job_goes_on_where_it_was(void **state)
{
	bool fresh;
	struct job j = request("build", "github.com/o/x", &fresh);

	(void)state;
	run_sql("update jobs set memo = '{\"x\":1}', cancelled = 1");
	assert_true(claim_next(all));
	assert_string_equal(all->first->memo.p, "{\"x\":1}");
	assert_true(all->first->cancelled);
	assert_string_equal(all->first->j.id, j.id);
}

static void a_kind_of_a_newer_program(void **state)
{
	bool fresh;
	struct job j = request("prune", NULL, &fresh);

	(void)state;
	run_sql("update jobs set kind = 'later'");
	assert_true(claim_next(all));
	assert_null(all->first);
	assert_string_equal(stored(j.id).state, "failed");
	assert_string_equal(stored(j.id).code, "INVALID_INPUT");
	assert_string_equal(stored(j.id).message, "this coordinator does not support this kind of job");
}

/* ---- runs ---- */

static struct job_run *claimed(const char *kind, const char *of)
{
	bool fresh;

	request(kind, of, &fresh);
	assert_true(claim_next(all));
	return all->first;
}

static void which_runs_go_on(void **state)
{
	struct job_run *x = claimed("prune", NULL), *y = claimed("sync", "g");
	int64_t now = clock_ms();

	(void)state;
	x->at = now + 5000;
	y->at = now + 9000;
	assert_int_equal(dispatch(all), x->at);
	assert_int_equal(steps, 0);
	y->state = RUN_ASKING;
	x->state = RUN_ANSWERED;
	assert_int_equal(dispatch(all), x->at);
	x->at = 0;
	assert_true(dispatch(all) == INT64_MAX);
	assert_int_equal(steps, 1);
	assert_ptr_equal(stepped, x);
	assert_int_equal(x->state, RUN_WORKING);
	assert_true(dispatch(all) == INT64_MAX);
	assert_int_equal(steps, 1);
	/* what was lost or cancelled need not wait */
	static const enum run_state idle[] = { RUN_WAITING, RUN_ANSWERED };
	for (int i = 0; i < 2; i++) {
		y->state = idle[i];
		y->at = INT64_MAX;
		y->lost = true;
		dispatch(all);
		assert_int_equal(y->state, i ? RUN_ANSWERED : RUN_WORKING);
		y->lost = false;
		y->cancelled = true;
		y->state = idle[i];
		dispatch(all);
		assert_int_equal(y->state, i ? RUN_ANSWERED : RUN_WORKING);
		y->cancelled = false;
	}
	/* a full pool is tried again soon */
	pool_is_full = true;
	y->at = 0;
	now = clock_ms();
	int64_t next = dispatch(all);
	assert_in_range(next, now + FULL_MS, clock_ms() + FULL_MS);
	assert_int_equal(y->state, RUN_ANSWERED);
	assert_int_equal(y->at, next);
	pool_is_full = false;
	y->at = 0;
	all->stopping = true;
	dispatch(all);
	assert_int_equal(y->state, RUN_ANSWERED);
	all->stopping = false;
}

static void runs_by_number(void **state)
{
	struct job_run *x = claimed("prune", NULL), *y = claimed("sync", "g");
	struct job j;

	(void)state;
	strcpy(y->phase, "parse");
	y->done = 3;
	y->total = 4;
	assert_true(nth_run(all, 0, &j, a));
	assert_string_equal(j.id, y->j.id);
	assert_string_equal(j.kind, "sync");
	assert_string_equal(j.phase, "parse");
	assert_int_equal(j.done, 3);
	assert_int_equal(j.total, 4);
	assert_true(nth_run(all, 1, &j, a));
	assert_string_equal(j.id, x->j.id);
	assert_null(j.phase);
	assert_false(nth_run(all, 2, &j, a));
	/* as shown of a running job */
	struct job shown = { .id = y->j.id, .state = "running" },
	           ended = { .id = y->j.id, .state = "done" };
	jobs_add_progress(all, &shown, a);
	jobs_add_progress(all, &ended, a);
	assert_string_equal(shown.phase, "parse");
	assert_int_equal(shown.done, 3);
	assert_null(ended.phase);
	assert_int_equal(ended.total, 0);
}

static void marks(void **state)
{
	struct job_run *x = claimed("prune", NULL), *y = claimed("sync", "g");

	(void)state;
	mark(all, x->j.id, true);
	assert_true(x->cancelled && !x->lost && !y->cancelled && !y->lost);
	mark(all, y->j.id, false);
	assert_true(!y->cancelled && y->lost && !x->lost);
}

/* ---- leases ---- */

static void leases(void **state)
{
	struct job_run *x = claimed("prune", NULL), *y = claimed("build", "github.com/o/x");

	(void)state;
	run_sql("update jobs set lease_ms = 5");
	renew_leases(all);
	assert_true(!x->lost && !y->lost && !x->cancelled && !y->cancelled);
	assert_string_equal(claim(&one, clock_real_ms()), ""); /* they were renewed */
	run_sql("update jobs set cancelled = 1 where kind = 'prune'");
	run_sql("update jobs set holder = 'other' where kind = 'build'");
	renew_leases(all);
	assert_true(x->cancelled && !x->lost);
	assert_true(y->lost && !y->cancelled);
	/* without a lease of its own, only jobs on private tables go on */
	x->cancelled = y->lost = false;
	run_sql(arena_printf(a, "update jobs set cancelled = 0, holder = '%s'", all->holder));
	lease_valid = false;
	renew_leases(all);
	assert_true(!x->lost && y->lost);
}

static void orphans(void **state)
{
	struct job_run *x = claimed("prune", NULL), *y = claimed("sync", "g"),
	               *z = claimed("build", "github.com/o/x");
	const char *id = arena_str(a, y->j.id);

	(void)state;
	all->first->next = x; /* y is no longer known */
	requeue_orphans(all);
	assert_string_equal(stored(x->j.id).state, "running");
	assert_string_equal(stored(z->j.id).state, "running");
	assert_string_equal(stored(id).state, "queued");
	y->next = all->first;
	all->first = y;
	/* only a shared registry can lose an answer */
	run_sql(arena_printf(
	    a, "update jobs set state = 'running', holder = '%s', lease_ms = 0", all->holder));
	all->first = z;
	renew_leases(all);
	assert_string_equal(stored(id).state, "running");
	all->terms.shared = true;
	renew_leases(all);
	assert_string_equal(stored(id).state, "queued");
	all->terms.shared = false;
	y->next = z;
	all->first = y;
}

/* ---- the thread's waits ---- */

static int64_t waited(int64_t ms)
{
	int64_t began = clock_ms();

	wait_until(all, began + ms);
	return clock_ms() - began;
}

static void who_need_not_wait(void **state)
{
	struct job_run *x = claimed("prune", NULL);

	(void)state;
	all->check_queue = false;
	x->at = clock_ms() + 100000;
	assert_true(waited(30) >= 29);
	x->state = RUN_ASKING;
	x->at = 0;
	assert_true(waited(30) >= 29);
	x->state = RUN_WAITING;
	assert_true(waited(20000) < 15000);
	x->at = clock_ms() + 100000;
	all->check_queue = true;
	assert_true(waited(20000) < 15000);
	assert_true(take_check_queue(all));
	assert_false(take_check_queue(all));
	all->stopping = true;
	assert_true(waited(20000) < 15000);
	all->stopping = false;
	jobs_changed(all);
	assert_true(all->check_queue);
	assert_true(take_changed(all));
	assert_false(take_changed(all));
}

static void shards_that_are_back(void **state)
{
	bool fresh;
	struct job j = request("build", "github.com/o/x", &fresh),
	           other = request("build", "github.com/o/y", &fresh);
	const char *later = arena_printf(
	    a, "update jobs set due_ms = %lld, waits = 1", (long long)clock_real_ms() + 600000);

	(void)state;
	run_sql(later);
	wake_returned(all);
	assert_true(stored(j.id).due_ms > clock_real_ms());
	all->check_queue = false;
	jobs_shard_reachable(all, "github.com/o/x");
	jobs_shard_reachable(all, "github.com/o/x");
	assert_true(all->check_queue);
	wake_returned(all);
	assert_true(stored(j.id).due_ms <= clock_real_ms());
	assert_true(stored(other.id).due_ms > clock_real_ms());
	assert_int_equal(map_len(all->reachable_repos), 0);
}

/* ---- cancelling ---- */

static void cancelling_a_job(void **state)
{
	struct job_run *x = claimed("build", "github.com/o/x");
	bool fresh;

	(void)state;
	all->check_queue = false;
	assert_int_equal(jobs_cancel(all, x->j.id, &e), 0);
	assert_true(x->cancelled);
	assert_true(all->check_queue);
	assert_string_equal(told, "none");
	/* one that never ran is known to no shard */
	struct job j = request("update", "github.com/o/x", &fresh);
	assert_int_equal(jobs_cancel(all, j.id, &e), 0);
	assert_string_equal(told, "none");
	/* between two tries its shard may go on */
	j = request("update", "github.com/o/x", &fresh);
	run_sql("update jobs set started_ms = 5 where state = 'queued'");
	assert_int_equal(jobs_cancel(all, j.id, &e), 0);
	assert_string_equal(told, j.id);
	told = "none";
	j = request("update", "github.com/o/unknown", &fresh);
	run_sql("update jobs set started_ms = 5 where state = 'queued'");
	assert_int_equal(jobs_cancel(all, j.id, &e), 0);
	assert_string_equal(told, "none");
	assert_int_equal(jobs_cancel(all, "nothing", &e), -1);
	assert_int_equal(e.code, ERR_NOT_FOUND);
	assert_int_equal(jobs_cancel(all, j.id, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_jobs, close_jobs)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(kinds),
		TEST(targets),
		TEST(a_delay),
		TEST(what_is_claimed),
		TEST(a_job_goes_on_where_it_was),
		TEST(a_kind_of_a_newer_program),
		TEST(which_runs_go_on),
		TEST(runs_by_number),
		TEST(marks),
		TEST(leases),
		TEST(orphans),
		TEST(who_need_not_wait),
		TEST(shards_that_are_back),
		TEST(cancelling_a_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
