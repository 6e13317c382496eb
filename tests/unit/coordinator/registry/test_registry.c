/* The file of a registry: who opens it, versions, names; repositories, secrets, deliveries. */
#include "tests/registry_file.h"

#include <stdio.h>
#include <sys/stat.h>

#include "coordinator/registry/webhook_deliveries.h"

/* ---- the file ---- */

static void one_coordinator_at_a_time(void **state)
{
	(void)state;
	assert_null(registry_open(dir, &e));
	assert_string_equal(e.hint, "Stop it, or choose another --data.");
	fails_with(ERR_UNAVAILABLE,
	    arena_printf(
	        a, "another coordinator runs on --data %s (process %ld)", dir, (long)getpid()));
	const char *self = arena_str(a, registry_instance_id(r));
	assert_int_equal(strlen(self), strlen(arena_printf(a, "%ld-", (long)getpid())) + 8);
	registry_close(r);
	r = registry_open(dir, &e);
	assert_non_null(r);
	assert_string_not_equal(registry_instance_id(r), self);
	registry_close(NULL);
}

static int mode_of(const char *name)
{
	struct stat s;

	assert_int_equal(stat(arena_printf(a, "%s/%s", dir, name), &s), 0);
	return s.st_mode & 0777;
}

static void its_files_are_private(void **state)
{
	(void)state;
	registry_close(r);
	assert_int_equal(chmod(arena_printf(a, "%s/registry.db", dir), 0644), 0);
	assert_int_equal(chmod(arena_printf(a, "%s/coordinator.lock", dir), 0644), 0);
	r = registry_open(dir, &e);
	assert_int_equal(mode_of("registry.db"), 0600);
	assert_int_equal(mode_of("coordinator.lock"), 0600);
	assert_int_equal(mode_of("."), 0700);
}

static void versions_of_the_schema(void **state)
{
	(void)state;
	assert_string_equal(text("pragma user_version"), "12");
	groups_create(r, "kept", NULL, &e);
	run("create table later (x)");
	run("pragma user_version = 13");
	registry_close(r);
	r = NULL;
	assert_null(registry_open(dir, &e));
	assert_string_equal(e.hint, "Start the newer atoll-coordinator, or choose another --data.");
	fails_with(ERR_SCHEMA_MISMATCH, "the registry has schema 13, this program supports up to 12");
}

static void a_damaged_file(void **state)
{
	(void)state;
	registry_close(r);
	r = NULL;
	FILE *f = fopen(arena_printf(a, "%s/registry.db", dir), "w");
	fputs("this is no database, however long it may be", f);
	fclose(f);
	assert_null(registry_open(dir, &e));
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_string_equal(e.hint,
	    "Check the disk, restore registry.db from a backup (deploy/README.md, Backup), or choose another --data.");
	e = (struct err){ 0 };
	assert_null(registry_open("/dev/null/x", &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
}

static void what_changes_the_versions(void **state)
{
	(void)state;
	run("select 1");
	uint64_t v = registry_version(r);
	int64_t scope = registry_scope_version(r);
	run("select 1");
	assert_int_equal(registry_version(r), v);
	assert_int_equal(registry_scope_version(r), scope);
	groups_create(r, "g", NULL, &e);
	assert_int_equal(registry_version(r), v + 1);
	struct db *db = registry_begin(r, &e);
	db_exec(db, "insert into groups (name) values ('h')", &e);
	assert_int_equal(registry_end(r, -7, &e), -7);
	assert_string_equal(text("select name from groups"), "g");
	db = registry_begin_durable(r, &e);
	db_exec(db, "insert into groups (name) values ('h')", &e);
	assert_int_equal(registry_end(r, 0, &e), 0);
	assert_string_equal(text("select name from groups order by name"), "g h");
	struct hello hello = { .repo_uri = "u", .name = "n", .replica = "1", .endpoint = "x" };
	assert_int_equal(registry_repo_put(r, &hello, false, &e), 0);
	assert_true(registry_scope_version(r) > scope);
	scope = registry_scope_version(r);
	registry_close(r);
	r = registry_open(dir, &e);
	assert_int_equal(registry_scope_version(r), scope);
}

static void what_is_only_repeated_after_a_conflict(void **state)
{
	int tries = 0;

	(void)state;
	assert_false(registry_retry(r, 0, &tries, &e));
	assert_false(registry_retry(r, -1, &tries, &e));
	assert_int_equal(tries, 0);
	tries = 7;
	assert_false(registry_retry(r, REGISTRY_CONFLICT, &tries, &e));
}

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void names(void **state)
{
	static const char *const good[] = { "a", "Z", "0", "_-.", A64 },
	                         *const bad[] = { "", A64 "a", "a b", "a/b", "\xc3\xa4", "a:", "a\n" };

	(void)state;
	for (size_t i = 0; i < LEN(good); i++)
		assert_int_equal(registry_check_name("group", good[i], &e), 0);
	for (size_t i = 0; i < LEN(bad); i++) {
		assert_int_equal(registry_check_name("token", bad[i], &e), -1);
		fails_with(ERR_INVALID_INPUT,
		    arena_printf(a,
		        "`token`: `%.80s` is not a valid name: use letters, digits, `_`, `-`, `.`; at most 64",
		        bad[i]));
	}
}

static void snapshots_see_one_commit(void **state)
{
	t_strs v;

	(void)state;
	groups_create(r, "b", NULL, &e);
	groups_create(r, "a", NULL, &e);
	struct db *db = registry_snapshot_begin(r, &e);
	struct stmt *s = db_prep(db, "select name from groups order by name", &e);
	assert_int_equal(registry_strings(s, &v, a, &e), 0);
	assert_int_equal(v.n, 2);
	assert_string_equal(v.v[0], "a");
	assert_string_equal(v.v[1], "b");
	groups_create(r, "c", NULL, &e);
	assert_int_equal(registry_strings(db_prep(db, "select name from groups", &e), &v, a, &e), 0);
	assert_int_equal(v.n, 2);
	assert_int_equal(registry_snapshot_end(r, 5), 5);
	assert_string_equal(text("select count(*) from groups"), "3");
	/* one in memory has no other way to read */
	struct registry *other = registry_open_temporary(&e);
	db = registry_snapshot_begin(other, &e);
	assert_int_equal(registry_strings(db_prep(db, "select name from groups", &e), &v, a, &e), 0);
	assert_int_equal(v.n, 0);
	assert_int_equal(registry_snapshot_end(other, 0), 0);
	registry_close(other);
}

static void secrets(void **state)
{
	char one[65], again[65], other[65];

	(void)state;
	assert_int_equal(registry_secret(r, "states", one, &e), 0);
	assert_int_equal(registry_secret(r, "states", again, &e), 0);
	assert_int_equal(registry_secret(r, "more", other, &e), 0);
	assert_int_equal(strspn(one, "0123456789abcdef"), 64);
	assert_string_equal(one, again);
	assert_string_not_equal(one, other);
	assert_string_equal(text("select name from secrets order by name"), "more states");
}

/* ---- repositories ---- */

static void put(struct hello h)
{
	h.name = h.name ? h.name : "n";
	assert_int_equal(registry_repo_put(r, &h, false, &e), 0);
}

static void repositories_and_their_shards(void **state)
{
	struct registered_repo *v;
	size_t n;

	(void)state;
	assert_int_equal(registry_repos(r, &v, &n, a, &e), 0);
	assert_int_equal(n, 0);
	put((struct hello){ .repo_uri = "u/b",
	    .replica = "2",
	    .endpoint = "e2",
	    .default_branch = "main",
	    .source = "/src" });
	put((struct hello){ .repo_uri = "u/b", .replica = "1", .endpoint = "e1", .name = "new" });
	put((struct hello){ .repo_uri = "u/a", .replica = "1", .endpoint = "ea" });
	put((struct hello){ .repo_uri = "u/b", .replica = "2", .endpoint = "e3", .name = "new" });
	assert_int_equal(registry_index_put(r, "u/b", (struct bytes){ "st\0mp", 5 },
	                     (struct bytes){ "status", 6 }, NULL, "ready", &e),
	    0);
	assert_int_equal(registry_visibility_put(r, "u/b", "public", &e), 0);
	assert_int_equal(registry_repos(r, &v, &n, a, &e), 0);
	assert_int_equal(n, 2);
	assert_string_equal(v[0].repo_uri, "u/a");
	assert_null(v[0].default_branch);
	assert_null(v[0].source);
	assert_string_equal(v[0].visibility, "private");
	assert_int_equal(v[0].stamp.n, 0);
	assert_int_equal(v[0].nendpoints, 1);
	assert_string_equal(v[1].repo_uri, "u/b");
	assert_string_equal(v[1].name, "new");
	assert_string_equal(v[1].default_branch, "main");
	assert_string_equal(v[1].source, "/src");
	assert_string_equal(v[1].visibility, "public");
	assert_int_equal(v[1].stamp.n, 5);
	assert_memory_equal(v[1].stamp.p, "st\0mp", 5);
	assert_memory_equal(v[1].status.p, "status", 6);
	assert_int_equal(v[1].nendpoints, 2);
	assert_string_equal(v[1].endpoints[0].replica, "1");
	assert_string_equal(v[1].endpoints[0].url, "e1");
	assert_string_equal(v[1].endpoints[1].replica, "2");
	assert_string_equal(v[1].endpoints[1].url, "e3");
}

static void keys_of_metadata(void **state)
{
	struct freshness f = { .indexed_at = "2026-01-01T00:00:00Z", .commit = "c0ffee" };
	struct bytes none = { "", 0 };

	(void)state;
	put((struct hello){ .repo_uri = "h/a", .replica = "1", .endpoint = "e" });
	put((struct hello){ .repo_uri = "local:b", .replica = "1", .endpoint = "e" });
	assert_int_equal(registry_index_put(r, "h/a", none, none, &f, "ready", &e), 0);
	assert_int_equal(registry_index_put(r, "local:b", none, none, NULL, "failed", &e), 0);
	assert_string_equal(
	    text(
	        "select repo_url || ' ' || ifnull(indexed_at, '-') || ' ' || ifnull(head_sha, '-') || ' ' || status"
	        " from repo_index_metadata order by repo_url"),
	    "https://h/a 2026-01-01T00:00:00Z c0ffee ready local:b - - failed");
	assert_int_equal(registry_index_put(r, "h/a", none, none, NULL, "nonsense", &e), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
}

static void a_repository_is_removed_with_its_source(void **state)
{
	const struct source_row rows[] = { { .source = "/src" }, { .source = "/linked" },
		{ .source = "/other" } };

	(void)state;
	put((struct hello){ .repo_uri = "u/a", .replica = "1", .endpoint = "e", .source = "/src" });
	for (size_t i = 0; i < LEN(rows); i++)
		assert_int_equal(sources_put(r, &rows[i], &e), 0);
	run("update sources set repo_uri = 'u/a' where source = '/linked'");
	assert_int_equal(registry_repo_remove(r, "u/a", &e), 0);
	assert_string_equal(text("select source from sources"), "/other");
	assert_string_equal(text("select count(*) from endpoints"), "0");
	assert_string_equal(
	    text("select repo_uri || ':' || host || ':' || replica from removed"), "u/a::");
}

/* ---- deliveries ---- */

static const char *job_of(const char *forge, const char *id)
{
	const char *job = "x";

	assert_int_equal(deliveries_get(r, forge, id, &job, a, &e), 0);
	return job ? job : "none";
}

static void deliveries(void **state)
{
	(void)state;
	assert_string_equal(job_of("github", "1"), "none");
	assert_int_equal(deliveries_put(r, "github", "1", "j1", &e), 0);
	assert_int_equal(deliveries_put(r, "github", "1", "j2", &e), 0);
	assert_int_equal(deliveries_put(r, "gitlab", "1", "j3", &e), 0);
	assert_int_equal(deliveries_put(r, "github", NULL, "j4", &e), 0);
	assert_string_equal(job_of("github", "1"), "j1");
	assert_string_equal(job_of("gitlab", "1"), "j3");
	assert_string_equal(job_of("github", NULL), "none");
	assert_string_equal(text("select count(*) from deliveries"), "2");
	/* the last 10,000 of each forge are kept */
	run("update deliveries set seq = 1 where forge = 'github'");
	run("insert into deliveries (seq, forge, id, job) values (10000, 'github', '2', 'j')");
	assert_int_equal(deliveries_put(r, "github", "2", "j", &e), 0);
	assert_string_equal(job_of("github", "1"), "j1");
	assert_int_equal(deliveries_put(r, "github", "3", "j", &e), 0);
	assert_string_equal(job_of("github", "1"), "none");
	assert_string_equal(job_of("github", "2"), "j");
	assert_string_equal(job_of("gitlab", "1"), "j3");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_coordinator_at_a_time),
		TEST(its_files_are_private),
		TEST(versions_of_the_schema),
		TEST(a_damaged_file),
		TEST(what_changes_the_versions),
		TEST(what_is_only_repeated_after_a_conflict),
		TEST(names),
		TEST(snapshots_see_one_commit),
		TEST(secrets),
		TEST(repositories_and_their_shards),
		TEST(keys_of_metadata),
		TEST(a_repository_is_removed_with_its_source),
		TEST(deliveries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
