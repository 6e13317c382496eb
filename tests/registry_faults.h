#ifndef TESTS_REGISTRY_FAULTS_H
#define TESTS_REGISTRY_FAULTS_H
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
#include "proto/base/buf.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "tests/job_registry.h"

#define URI "github.com/o/x"

/* A function of the registry, which may be called any number of times, and what is done before each call. */
struct faulty_call {
	const char *name;
	int (*call)(void);
	void (*before)(void);
};
#define FUNCTION(f)                                                                                \
	{                                                                                              \
#f, f, NULL                                                                                \
	}
#define FUNCTION_AFTER(before, f)                                                                  \
	{                                                                                              \
#f " after " #before, f, before                                                            \
	}

static const char *job; /* the id of one that runs here */
static struct job_lease_terms local = { "one", LEASE, 100, 100, false };
static int64_t counter; /* makes names new */

static inline const char *new_name(void)
{
	return arena_printf(a, "n%lld", (long long)++counter);
}

static inline int put_source(void)
{
	return sources_put(r,
	    &(struct source_row){
	        .source = "/s", .host = "b", .groups = { (const char *[]){ "g" }, 1 } },
	    &e);
}

static inline int put_repo(void)
{
	struct hello h = { .repo_uri = URI, .name = "x", .replica = new_name(), .endpoint = "e" };

	return registry_repo_put(r, &h, counter % 2, &e);
}

static inline int put_index(void)
{
	struct freshness f = { .indexed_at = new_name(), .commit = "c" };

	return registry_index_put(
	    r, URI, (struct bytes){ "s", 1 }, (struct bytes){ "t", 1 }, &f, "ready", &e);
}

static inline int enqueue_again(void)
{
	struct job j = { .key = "again", .lane = "lane", .reason = "r", .caller = "c" };
	bool fresh;

	return job_enqueue(r, job_kind("prune"), &j, &fresh, NOW, a, &e);
}

static inline int put_facts(void)
{
	bool kept;

	return tables_facts_put(r, URI, NULL, "1 a", (struct bytes){ "x", 1 }, &kept, &e);
}

static inline int put_tables(void)
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

static inline int open_all(void **state)
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
static inline int64_t rows(void)
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
static inline bool fails_at(const char *name, int (*call)(void), void (*prepare)(void), int n)
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

static inline void check_each_statement(const struct faulty_call *f)
{
	for (int n = 0; n < 200; n++) {
		bool any = false;
		for (int k = 0; k < 3; k++) /* a statement is prepared once: then another one is the n-th */
			any |= fails_at(f->name, f->call, f->before, n);
		if (!any)
			break;
	}
}
#endif
