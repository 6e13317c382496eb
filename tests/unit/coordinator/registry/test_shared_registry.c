/* The registry that coordinators share: rows to keys and back, without etcd; the changes of one are passed to the other directly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/contracts/contract_tables.h"
#include "coordinator/jobs/jobs.h"
#include "coordinator/registry/etcd/etcd.h"
#include "coordinator/registry/groups.h"
#include "coordinator/registry/job_table.h"
#include "coordinator/registry/registry_internal.h"
#include "coordinator/registry/replication.h"
#include "coordinator/registry/shared_tables_internal.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "proto/db/db_changes.h"

/* A coordinator's copy, and what has changed in it since it was last asked. */
static struct copy {
	struct registry *r;
	const struct shared_tables *sh;
	struct db_changes *changes;
} one, two;
static struct arena *a;
static struct err e;
static int64_t rev;
static const struct job_lease_terms terms = { "me", 1000, 10, 10, true };

static void listen(struct copy *c)
{
	db_changes_end(c->changes);
	c->changes = db_changes_begin(c->r->db, c->sh->names, c->sh->n, &e);
	assert_non_null(c->changes);
}

static void open_copy(struct copy *c)
{
	*c = (struct copy){ .r = registry_open_temporary(&e) };
	assert_non_null(c->r);
	c->sh = registry_tables(c->r, &e);
	assert_non_null(c->sh);
	listen(c);
}

static int setup(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR);
	a = arena_new();
	e = (struct err){ 0 };
	rev = 1;
	open_copy(&one);
	open_copy(&two);
	return 0;
}

static void close_copy(struct copy *c)
{
	db_changes_end(c->changes);
	registry_close(c->r);
}

static int teardown(void **state)
{
	(void)state;
	close_copy(&one);
	close_copy(&two);
	arena_free(a);
	return 0;
}

/* What has to be done: "+key" or "-key", then "?key" for what must be there and "<key" for what must not have moved. */
static const char *take(struct copy *c, struct shared_txn *t)
{
	const char *s = "";

	assert_int_equal(shared_tables_collect(c->sh, c->r->db, c->changes, rev, t, a, &e), 0);
	for (size_t i = 0; i < t->nops; i++)
		s = arena_printf(a, "%s%s%c%s", s, *s ? " " : "", t->ops[i].value ? '+' : '-', t->ops[i].key);
	for (size_t i = 0; i < t->nguards; i++)
		s = arena_printf(a, "%s %c%s", s, t->guards[i].what == ETCD_EXISTS ? '?' : '<', t->guards[i].key);
	return s;
}

/* It is done there, and the other one hears of it. */
static const char *move(struct copy *from, struct copy *to, struct shared_changes *news)
{
	struct shared_txn t;
	const char *s = take(from, &t);

	*news = (struct shared_changes){ 0 };
	rev++;
	assert_int_equal(shared_tables_confirm(from->r->db, &t, rev, &e), 0);
	struct etcd_kv *v = arena_many(a, t.nops + 1, struct etcd_kv);
	for (size_t i = 0; i < t.nops; i++)
		v[t.nops - 1 - i] = (struct etcd_kv){ t.ops[i].key, t.ops[i].value, rev };	/* children first: order must not matter */
	assert_int_equal(shared_tables_apply(to->sh, to->r->db, v, t.nops, 0, news, a, &e), 0);
	listen(from);
	listen(to);
	return s;
}

static const char *text(struct copy *c, const char *sql)
{
	struct stmt *s = db_prep_once(c->r->db, sql, &e);
	const char *out = "";

	assert_non_null(s);
	while (db_step(s, &e) == 1)
		out = arena_printf(a, "%s%s%s", out, *out ? " " : "", db_str(s, 0));
	db_finalize(s);
	return out;
}

static void put_repo(struct copy *c, const char *uri)
{
	struct hello h = { .repo_uri = uri, .name = uri, .replica = "1", .endpoint = "ipc:///x", .version = "1" };

	assert_int_equal(registry_repo_put(c->r, &h, false, &e), 0);
}

static void keys_are_paths(void **state)
{
	const char *parts[SHARED_PARTS], *in[] = { "https://x/100%25/", "a%2Fb", "" };

	(void)state;
	const char *key = shared_key("sources", in, 3, a);
	assert_string_equal(key, "sources/https:%2F%2Fx%2F100%2525%2F/a%252Fb/");
	assert_int_equal(shared_key_split(key, parts, a), 4);
	for (int i = 0; i < 3; i++)
		assert_string_equal(parts[i + 1], in[i]);
}

static void rows_come_and_go(void **state)
{
	struct shared_changes news;
	const char *const uris[] = { "x/1" };

	(void)state;
	put_repo(&one, "x/1");
	assert_int_equal(groups_create(one.r, "g", "of \"both\"", &e), 0);
	assert_int_equal(groups_add(one.r, "g", uris, 1, &e), 0);
	assert_string_equal(move(&one, &two, &news), "+groups/g +repos/x%2F1 +endpoints/x%2F1/1 +members/g/x%2F1");
	assert_int_equal(news.tables, 1 << SHARED_groups | 1 << SHARED_repos | 1 << SHARED_endpoints | 1 << SHARED_members);
	assert_string_equal(text(&two, "select name || ' ' || description from groups"), "g of \"both\"");
	assert_string_equal(text(&two, "select grp || repo_uri from members"), "gx/1");
	/* a child of what is there already wants its parents, a parent goes with all of its children */
	put_repo(&two, "x/2");
	move(&two, &one, &news);
	assert_int_equal(groups_add(two.r, "g", (const char *[]){ "x/2" }, 1, &e), 0);
	assert_string_equal(move(&two, &one, &news), "+members/g/x%2F2 ?groups/g ?repos/x%2F2");
	assert_int_equal(registry_repo_remove(one.r, "x/1", &e), 0);
	assert_string_equal(move(&one, &two, &news), "+removed/x%2F1// -members/g/x%2F1 -endpoints/x%2F1/1 -repos/x%2F1 <endpoints/ <members/");
	assert_int_equal(news.nrepos, 1);
	assert_string_equal(news.repos[0], "x/1");
	free(news.repos);
	free(news.endpoints);
	assert_string_equal(text(&two, "select grp || repo_uri from members"), "gx/2");
}

static const char *hosts_without(const char *host, bool own)
{
	struct shared_changes news;
	const char *shards[] = { "1" };
	struct host_removal x = { "x/1", NULL, host, own, { shards, 1 } };

	assert_int_equal(sources_remove_host(one.r, &x, &e), 0);
	const char *s = move(&one, &two, &news);
	assert_int_equal(news.nrepos, 0);
	for (size_t i = 0; i < news.nendpoints; i++)
		s = arena_printf(a, "%s %s:%s", s, news.endpoints[i].repo_uri, news.endpoints[i].replica);
	free(news.endpoints);
	return s;
}

static void a_host_leaves(void **state)
{
	const struct source_row rows[] = { { .source = "/p" }, { .source = "/p", .host = "b" },
	    { .source = "/p", .host = "bb" }, { .source = "/q", .host = "b" } };
	struct shared_changes news;

	(void)state;
	put_repo(&one, "x/1");
	for (size_t i = 0; i < LEN(rows); i++)
		assert_int_equal(sources_put(one.r, &rows[i], &e), 0);
	assert_int_equal(sources_link_repo(one.r, "/p", "x/1", &e), 0);
	move(&one, &two, &news);
	assert_string_equal(text(&two, "select host from sources where source = '/p'"), ",b,bb");
	assert_string_equal(hosts_without("b", false), "+sources/%2Fp +removed/x%2F1/b/ +removed/x%2F1/b/1 -endpoints/x%2F1/1 x/1:1");
	assert_string_equal(text(&two, "select host from sources where source = '/p'"), ",bb");
	assert_string_equal(hosts_without("b", false), "");
	assert_string_equal(hosts_without("a", true), "+sources/%2Fp +removed/x%2F1/a/ +removed/x%2F1/a/1");
	assert_string_equal(text(&two, "select host from sources where source = '/p'"), "bb");
	/* By then its shards are run by nobody that is told to. */
	assert_string_equal(hosts_without("bb", false), "+removed/x%2F1/bb/ +removed/x%2F1/bb/1 -sources/%2Fp <source_groups/");
	assert_string_equal(text(&two, "select source || host from sources"), "/qb");
}

static void what_is_derived_stays_at_home(void **state)
{
	struct shared_changes news;
	struct bytes b = { "x", 1 };
	bool kept;

	(void)state;
	put_repo(&one, "x/1");
	groups_create(one.r, "g", NULL, &e);
	groups_add(one.r, "g", (const char *[]){ "x/1" }, 1, &e);
	move(&one, &two, &news);
	assert_int_equal(registry_index_put(one.r, "x/1", b, b, NULL, "ready", &e), 0);
	assert_int_equal(tables_facts_put(one.r, "x/1", NULL, "1 abc", b, &kept, &e), 0);
	assert_true(kept);
	assert_string_equal(move(&one, &two, &news), "");
	/* nor is what is written as it was */
	put_repo(&one, "x/1");
	assert_int_equal(registry_visibility_put(one.r, "x/1", "private", &e), 0);
	assert_string_equal(move(&one, &two, &news), "");
	assert_int_equal(registry_visibility_put(one.r, "x/1", "public", &e), 0);
	assert_string_equal(move(&one, &two, &news), "+repos/x%2F1");
	assert_string_equal(text(&two, "select visibility from repos"), "public");
}

static struct job enqueue(struct copy *c, const char *kind, const char *of)
{
	struct job j = { .key = arena_printf(a, "%s:%s", kind, of), .lane = arena_printf(a, "lane:%s", of), .reason = "r", .caller = "c" };
	bool fresh;

	assert_int_equal(job_enqueue(c->r, job_kind(kind), &j, &fresh, 1000, a, &e), 0);
	return j;
}

/* The row of a job that was made at one and is not told yet. */
static const char *row_of(const char *id)
{
	struct shared_txn t;

	take(&one, &t);
	for (size_t i = 0; i < t.nops; i++)
		if (strstr(t.ops[i].key, id))
			return t.ops[i].value;
	fail_msg("no row of %s", id);
	return NULL;
}

static const char *as(const char *row, const char *state)
{
	const char *at = strstr(row, "queued");

	assert_non_null(at);
	return arena_printf(a, "%.*s%s%s", (int)(at - row), row, state, at + strlen("queued"));
}

/* Who was away hears all of it at once, after it has written what came later than that. */
static void what_is_late_does_not_come_back(void **state)
{
	struct shared_changes news = { 0 };
	struct shared_txn t;

	(void)state;
	struct job j = enqueue(&one, "build", "x");
	const char *row = row_of(j.id), *key = arena_printf(a, "jobs/%s", j.id);
	struct job later = enqueue(&two, "build", "x");
	take(&two, &t);
	const char *later_row = t.ops[0].value, *later_key = arena_printf(a, "jobs/%s", later.id);
	assert_int_equal(shared_tables_confirm(two.r->db, &t, 10, &e), 0);
	listen(&two);
	struct etcd_kv v[] = { { key, row, 5 }, { key, as(row, "running"), 6 }, { key, as(row, "done"), 7 },
	    { later_key, as(later_row, "running"), 11 } };
	log_init("test", LOG_ERROR + 1);
	assert_int_equal(shared_tables_apply(two.sh, two.r->db, v, LEN(v), 0, &news, a, &e), 0);
	assert_string_equal(text(&two, "select state from jobs where key = 'build:x' order by state"), "done running");
	assert_string_equal(text(&two, arena_printf(a, "select state from jobs where id = '%s'", later.id)), "running");
}

static void jobs_are_one_of_a_kind(void **state)
{
	struct shared_changes news;
	struct job out;

	(void)state;
	struct job j = enqueue(&one, "build", "x");
	assert_string_equal(move(&one, &two, &news), arena_printf(a, "+jobs/%s +unique/jobs.queued/build:x", j.id));
	assert_string_equal(enqueue(&two, "build", "x").id, j.id);
	move(&two, &one, &news);
	assert_int_equal(job_claim(one.r, &terms, 2000, &out, a, &e), 1);
	assert_string_equal(move(&one, &two, &news), arena_printf(a, "+jobs/%s -unique/jobs.queued/build:x +unique/jobs.running/lane:x", j.id));
	assert_string_equal(text(&two, "select state || ' ' || holder from jobs"), "running me");
	/* how far it is, is told to nobody, what it needs to go on is */
	bool cancelled;
	out.done = 7;
	assert_int_equal(job_renew_lease(one.r, &terms, &out, 3000, &cancelled, &e), 1);
	assert_string_equal(move(&one, &two, &news), "");
	out.memo = "{\"at\":1}";
	assert_int_equal(job_renew_lease(one.r, &terms, &out, 4000, &cancelled, &e), 1);
	assert_string_equal(move(&one, &two, &news), arena_printf(a, "+jobs/%s", j.id));
	/* tables that each has for itself */
	enqueue(&one, "sync", "g");
	assert_string_equal(move(&one, &two, &news), "");
}

/* No clock says whose lease is over, but who is there. */
static void a_job_is_its_holders_as_long_as_that_is_there(void **state)
{
	static const struct job_lease_terms other = { "other", 1000, 10, 10, true };
	struct shared_changes news;
	struct job out;

	(void)state;
	enqueue(&one, "build", "x");
	move(&one, &two, &news);
	db_exec(one.r->db, "insert into coordinators (id) values ('me'), ('other')", &e);
	assert_int_equal(job_claim(one.r, &terms, 2000, &out, a, &e), 1);
	move(&one, &two, &news);
	assert_int_equal(job_claim(two.r, &other, 2000 + 3600 * 1000, &out, a, &e), 0);
	db_exec(two.r->db, "delete from coordinators where id = 'me'", &e);
	assert_int_equal(job_claim(two.r, &other, 2001, &out, a, &e), 1);
	assert_int_equal(out.lost, 1);
	move(&two, &one, &news);
	/* who has lost it ends nothing */
	out.state = "done";
	assert_int_equal(job_end(one.r, &terms, &out, 5000, &e), 0);
	assert_string_equal(text(&one, "select state || ' ' || holder from jobs"), "running other");
	/* what the registry says is run here and is not, goes back */
	assert_int_equal(job_requeue_orphans(two.r, &other, arena_printf(a, "[\"%s\"]", out.id), 6000, &e), 0);
	assert_string_equal(text(&two, "select state from jobs"), "running");
	assert_int_equal(job_requeue_orphans(two.r, &other, "[]", 6000, &e), 0);
	assert_string_equal(text(&two, "select state from jobs"), "queued");
}

static void a_whole_replaces_what_was(void **state)
{
	struct shared_changes news = { 0 };
	const struct etcd_kv all[] = {
		{ "members/new/x%2F1", "{\"grp\":\"new\",\"repo_uri\":\"x/1\"}", 5 }, { "groups/new", "{\"name\":\"new\",\"description\":null}", 5 },
		{ "repos/x%2F1", "{\"repo_uri\":\"x/1\",\"name\":\"n\",\"visibility\":\"public\",\"added_at\":\"\"}", 4 },
		{ "members/none/x%2F1", "{\"grp\":\"none\",\"repo_uri\":\"x/1\"}", 5 }, { "of a newer program/1", "{}", 5 },
	};
	struct bytes b = { "x", 1 };
	bool kept;

	(void)state;
	log_init("test", LOG_ERROR + 1);	/* what is left out is said */
	put_repo(&one, "x/1");
	put_repo(&one, "x/2");
	groups_create(one.r, "old", NULL, &e);
	tables_facts_put(one.r, "x/1", NULL, "1 abc", b, &kept, &e);
	assert_int_equal(shared_tables_apply(one.sh, one.r->db, all, LEN(all), 9, &news, a, &e), 0);
	assert_string_equal(text(&one, "select name from groups"), "new");
	assert_string_equal(text(&one, "select repo_uri || visibility from repos"), "x/1public");
	assert_string_equal(text(&one, "select grp from members"), "new");
	assert_string_equal(text(&one, "select version from facts"), "1 abc");
	assert_int_equal(news.nrepos, 1);
	assert_int_equal(news.nendpoints, 2);
	free(news.repos);
	free(news.endpoints);
	/* what is older than what is known is not taken */
	news = (struct shared_changes){ 0 };
	assert_int_equal(shared_tables_apply(one.sh, one.r->db, &(struct etcd_kv){ "groups/new", NULL, 3 }, 1, 0, &news, a, &e), 0);
	assert_string_equal(text(&one, "select name from groups"), "new");
	assert_int_equal(news.tables, 0);
}

static void urls_are_checked(void **state)
{
	static const struct { const char *url, *why; } bad[] = {
		{ "http://h:1", "neither etcd://" }, { "etcd://", "HOST:PORT" }, { "etcd://h", "HOST:PORT" }, { "etcd://u@h:1", "HOST:PORT" },
		{ "tls+etcd://h:1,,i:2", "HOST:PORT" }, { "etcd://127.0.0.1:1,10.0.0.1:1", "not encrypted" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(bad); i++) {
		e = (struct err){ 0 };
		assert_null(etcd_new(&(struct etcd_options){ .url = bad[i].url }, &e));
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		assert_non_null(strstr(e.msg, bad[i].why));
	}
	struct etcd *c = etcd_new(&(struct etcd_options){ .url = "tls+etcd://a:1,b:2/x/y/" }, &e);
	assert_string_equal(etcd_addresses(c), "a:1,b:2");
	assert_string_equal(etcd_prefix(c), "/x/y/");
	etcd_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(keys_are_paths, setup, teardown),
		cmocka_unit_test_setup_teardown(rows_come_and_go, setup, teardown),
		cmocka_unit_test_setup_teardown(a_host_leaves, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_late_does_not_come_back, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_derived_stays_at_home, setup, teardown),
		cmocka_unit_test_setup_teardown(jobs_are_one_of_a_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(a_job_is_its_holders_as_long_as_that_is_there, setup, teardown),
		cmocka_unit_test_setup_teardown(a_whole_replaces_what_was, setup, teardown),
		cmocka_unit_test(urls_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
