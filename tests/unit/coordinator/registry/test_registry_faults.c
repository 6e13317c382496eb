/*
 * Each statement of each function of the registry fails once: the function then fails, says why, writes nothing, and leaks nothing; and
 * the next call works.
 */
#include "tests/database_faults.h"

#include "coordinator/contracts/contract_tables.h"
#include "coordinator/records/records.h"
#include "coordinator/registry/groups.h"
#include "coordinator/registry/replication.h"
#include "coordinator/registry/token_rows.h"
#include "coordinator/registry/tombstones.h"
#include "coordinator/registry/webhook_deliveries.h"
#include "proto/base/buf.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "tests/job_registry.h"

#define URI "github.com/o/x"

static const char *job; /* the id of one that runs here */
static struct job_lease_terms local = { "one", LEASE, 100, 100, false },
                              shared = { "one", LEASE, 100, 100, true };
static int64_t counter; /* makes names new */

/* ---- the functions: each may be called any number of times ---- */

static const char *new_name(void)
{
	return arena_printf(a, "n%lld", (long long)++counter);
}

static const char *const uris[] = { URI };

static int create_group(void)
{
	return groups_create(r, new_name(), "d", &e);
}
static int delete_group(void)
{
	return groups_delete(r, "gone", &e);
}
static int add_members(void)
{
	return groups_add(r, "g", uris, 1, &e);
}
static int remove_members(void)
{
	return groups_remove(r, "g", uris, 1, &e);
}

static int all_groups(void)
{
	struct group_row *v;
	size_t n;

	remove_members(); /* so that the copy in memory is read again */
	add_members();
	return groups_all(r, &v, &n, a, &e);
}

static int all_sources(void)
{
	struct source_row *v;
	size_t n;

	return sources_all(r, &v, &n, a, &e);
}

static int put_source(void)
{
	return sources_put(r,
	    &(struct source_row){
	        .source = "/s", .host = "b", .groups = { (const char *[]){ "g" }, 1 } },
	    &e);
}

static int remove_source(void)
{
	return sources_remove(r, "/gone", &e);
}

static int remove_host(void)
{
	const char *replicas[] = { "1" };

	return sources_remove_host(
	    r, &(struct host_removal){ URI, NULL, "b", false, { replicas, 1 } }, &e);
}

static int link_repo(void)
{
	return sources_link_repo(r, "/s", URI, &e);
}

static int all_repos(void)
{
	struct registered_repo *v;
	size_t n;

	return registry_repos(r, &v, &n, a, &e);
}

static int put_repo(void)
{
	struct hello h = { .repo_uri = URI, .name = "x", .replica = new_name(), .endpoint = "e" };

	return registry_repo_put(r, &h, counter % 2, &e);
}

static int put_index(void)
{
	struct freshness f = { .indexed_at = new_name(), .commit = "c" };

	return registry_index_put(
	    r, URI, (struct bytes){ "s", 1 }, (struct bytes){ "t", 1 }, &f, "ready", &e);
}

static int put_visibility(void)
{
	return registry_visibility_put(r, URI, "public", &e);
}
static int remove_repo(void)
{
	return registry_repo_remove(r, "github.com/o/gone", &e);
}

static int get_secret(void)
{
	char out[65];

	return registry_secret(r, new_name(), out, &e);
}

static int get_delivery(void)
{
	const char *id;

	return deliveries_get(r, "github", "1", &id, a, &e);
}

static int put_delivery(void)
{
	return deliveries_put(r, "github", new_name(), "j", &e);
}

static int check_removed(void)
{
	struct hello h = {
		.repo_uri = "github.com/o/removed", .name = "x", .replica = "1", .source = "/s"
	};
	bool again;

	return tombstone_check(r, &h, "own", &again, a, &e);
}

static int export_rows(void)
{
	t_strs lines;
	const char *next;

	return registry_export(r, NULL, 1000, &lines, &next, a, &e);
}

static int import_rows(void)
{
	const char *line = arena_printf(
	    a, "{\"table\":\"sources\",\"row\":{\"source\":\"/%s\"}}", new_name());
	t_strs lines = { &line, 1 }, left_out;
	uint64_t written;

	int rc = registry_import(r, "importer", &lines, &written, &left_out, a, &e);
	if (!rc && left_out.n) /* a row that cannot be written is told so */
		return err_set(&e, ERR_DB_ERROR, "%s", left_out.v[0]);
	return rc;
}

static int standalone(void)
{
	return registry_check_standalone(r, &e);
}

static int peers(void)
{
	struct registry_peer *v;
	size_t n;

	return registry_peers(r, &v, &n, a, &e);
}

/* ---- jobs ---- */

static int enqueue_job(void)
{
	struct job j = { .key = new_name(), .lane = "lane", .reason = "r", .caller = "c" };
	bool fresh;

	return job_enqueue(r, job_kind("prune"), &j, &fresh, NOW, a, &e);
}

static int enqueue_again(void)
{
	struct job j = { .key = "again", .lane = "lane", .reason = "r", .caller = "c" };
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

/* ---- tables of contracts ---- */

static int get_facts(void)
{
	const char *version;
	struct contracts_res res;

	return tables_facts_read(r, "github.com/o/none", &version, &res, a, &e);
}

static int get_versions(void)
{
	struct synced_member v[] = { { URI, NULL } };

	return tables_facts_versions(r, v, 1, a, &e);
}

static int put_facts(void)
{
	bool kept;

	return tables_facts_put(r, URI, NULL, "1 a", (struct bytes){ "x", 1 }, &kept, &e);
}

static int reserve(void)
{
	struct synced_member v[] = { { URI, NULL } };

	return tables_reserve(r, new_name(), v, 1, &e);
}

static int put_tables(void)
{
	const struct end p = { .repo_uri = URI, .method = "GET", .path = "/p" };
	struct table_row contract = { .list = "contract",
		.what = "http",
		.producer = &p,
		.consumer = &p,
		.confidence = 90,
		.row = { new_name(), 2 } };
	struct table_row link = {
		.what = "contract", .producer = &p, .consumer = &p, .confidence = 90, .row = { "l", 1 }
	};
	struct table_rows contracts = { &contract, 1, 1 }, links = { &link, 1, 1 };
	struct synced_member v[] = { { URI, "1 a" } };
	const struct tables_origin origin = { .rules = 1 };
	struct tables_change change;

	return tables_put(r, "g", &contracts, &links, v, 1, &origin, "2026", &change, &e);
}

static int get_tables(void)
{
	struct tables_info t;

	return tables_get(r, "g", &t, a, &e);
}

static const struct table_filter no_filter;

static int get_page(void)
{
	struct table_page p;

	return tables_page(r, "g", &no_filter, &p, a, &e);
}

static int get_matrix(void)
{
	struct table_matrix m;

	return tables_matrix(r, "g", &no_filter, &m, a, &e);
}

static int get_pairs(void)
{
	struct table_filter links = { .links = true };
	struct table_matrix m;

	return tables_link_pairs(r, "g", &links, &m, a, &e);
}

/* ---- tokens ---- */

static int put_token(void)
{
	struct token_row t = { .name = new_name(),
		.visibility = "private",
		.created_at = "c",
		.groups = { (const char *[]){ "g" }, 1 },
		.repos = { (const char *[]){ URI }, 1 } };
	struct db *db = registry_begin(r, &e);

	return db ? registry_end(r, token_row_put(db, &t, t.name, &e), &e) : -1;
}

static int get_token(void)
{
	struct token_row t = { .name = "token" };
	char hash[100];
	struct db *db = registry_begin(r, &e);

	return db ? registry_end(r, token_row_get(db, &t, hash, a, &e), &e) : -1;
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

static const struct {
	const char *name;
	int (*call)(void);
	void (*before)(void);
} functions[] = {
#define FUNCTION(f)                                                                                \
	{                                                                                              \
#f, f, NULL                                                                                \
	}
#define FUNCTION_AFTER(before, f)                                                                  \
	{                                                                                              \
#f " after " #before, f, before                                                            \
	}
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
	FUNCTION(create_group),
	FUNCTION(delete_group),
	FUNCTION(add_members),
	FUNCTION(remove_members),
	FUNCTION(all_sources),
	FUNCTION(put_source),
	FUNCTION(remove_source),
	FUNCTION(remove_host),
	FUNCTION(link_repo),
	FUNCTION(all_repos),
	FUNCTION(put_repo),
	FUNCTION(put_index),
	FUNCTION(put_visibility),
	FUNCTION(remove_repo),
	FUNCTION(get_secret),
	FUNCTION(get_delivery),
	FUNCTION(put_delivery),
	FUNCTION(check_removed),
	FUNCTION(export_rows),
	FUNCTION(import_rows),
	FUNCTION(standalone),
	FUNCTION(peers),
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
	FUNCTION(get_facts),
	FUNCTION(get_versions),
	FUNCTION(put_facts),
	FUNCTION(reserve),
	FUNCTION(put_tables),
	FUNCTION(get_tables),
	FUNCTION(get_page),
	FUNCTION(get_matrix),
	FUNCTION(get_pairs),
	FUNCTION(put_token),
	FUNCTION(get_token),
};

/* ---- the faults ---- */

static int open_all(void **state)
{
	fault_after = -1;
	if (begin(state))
		return -1;
	log_init("test", LOG_ERROR + 1);
	const char *setup[] = {
		"insert into groups (name) values ('g'), ('gone')",
		"insert into removed (repo_uri, host, replica) values ('github.com/o/removed', '', '')",
		"insert into sources (source, repo_uri) values ('https://github.com/o/removed', null)",
		"insert into coordinators (id) values ('one')",
	};
	assert_int_equal(put_repo(), 0);
	for (size_t i = 0; i < LEN(setup); i++) {
		struct db *db = registry_begin(r, &e);
		assert_int_equal(registry_end(r, db_exec(db, setup[i], &e), &e), 0);
	}
	assert_int_equal(
	    put_facts() || put_tables() || put_index() || put_source() || enqueue_again(), 0);
	struct token_row t = { .name = "token", .visibility = "private", .created_at = "c" };
	struct db *db = registry_begin(r, &e);
	assert_int_equal(registry_end(r, token_row_put(db, &t, "hash", &e), &e), 0);
	job = enqueue("build", "x").id;
	bool fresh;
	enqueue_at("update", "y", false, NULL, 10 * (int64_t)NOW, &fresh);
	assert_int_equal(job_claim(r, &local, NOW, &(struct job){ 0 }, a, &e), 1);
	assert_int_equal(job_claim(r, &local, NOW, &(struct job){ 0 }, a, &e), 1);
	return 0;
}

/* How many rows there are. */
static int64_t rows(void)
{
	static const char sql[] =
	    "select (select count(*) from groups) + (select count(*) from members) + (select count(*) from repos)"
	    " + (select count(*) from endpoints) + (select count(*) from sources) + (select count(*) from source_groups)"
	    " + (select count(*) from removed) + (select count(*) from tokens) + (select count(*) from token_scope)"
	    " + (select count(*) from jobs) + (select count(*) from deliveries) + (select count(*) from secrets)";
	struct stmt *s = db_prep_once(registry_read_begin(r), sql, &e);

	assert_int_equal(db_step(s, &e), 1);
	int64_t n = db_int(s, 0);
	db_finalize(s);
	registry_read_end(r, 0);
	return n;
}

/* The n-th statement of a call fails; false if it has not so many. */
static bool fails_at(const char *name, int (*call)(void), void (*prepare)(void), int n)
{
	if (prepare)
		prepare();
	int64_t before = rows();
	e = (struct err){ 0 };
	fault_at(n);
	int rc = call();
	if (!fault_end()) {
		if (rc)
			fail_msg("%s: %s", name, e.msg);
		return false;
	}
	if (rc != -1)
		fail_msg("%s: %d, although its statement %d has failed", name, rc, n);
	if (e.code != ERR_DB_ERROR)
		fail_msg("%s: the error of statement %d is %s: %s", name, n, err_name(e.code), e.msg);
	if (rows() != before)
		fail_msg("%s has written rows, although its statement %d has failed", name, n);
	return true;
}

static void each_statement_fails(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(functions); i++)
		for (int n = 0; n < 200; n++) {
			bool any = false;
			for (int k = 0; k < 3;
			     k++) /* a statement is prepared once: then another one is the n-th */
				any |= fails_at(functions[i].name, functions[i].call, functions[i].before, n);
			if (!any)
				break;
		}
}

static void groups_are_read_again(void **state)
{
	(void)state;
	fault_at(-1);
	assert_int_equal(all_groups(), 0);
	assert_int_equal(remove_members(), 0);
	struct group_row *v;
	size_t n;
	fault_at(0);
	assert_int_equal(groups_all(r, &v, &n, a, &e), -1);
	assert_true(fault_end());
	fault_at(0);
	t_strs of;
	assert_int_equal(groups_of(r, URI, &of, a, &e), -1);
	assert_true(fault_end());
	fault_at(0);
	assert_int_equal(groups_get(r, "g", &(struct group_row){ 0 }, a, &e), -1);
	assert_true(fault_end());
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_int_equal(groups_all(r, &v, &n, a, &e), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_statement_fails, open_all, end),
		cmocka_unit_test_setup_teardown(groups_are_read_again, open_all, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
