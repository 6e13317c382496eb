/* The file of a registry: who opens it, versions, names; repositories, removals, secrets, deliveries; export and import. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "coordinator/registry/replication.h"
#include "coordinator/registry/tombstones.h"
#include "coordinator/registry/webhook_deliveries.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"

static char dir[64];
static struct registry *r;
static struct arena *a;
static struct err e;

static int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	strcpy(dir, "/tmp/atoll-registry.XXXXXX");
	a = arena_new();
	e = (struct err){ 0 };
	if (!mkdtemp(dir))
		return -1;
	r = registry_open(dir, &e);
	return r ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	registry_close(r);
	const char *cmd = arena_printf(a, "rm -rf %s", dir);
	int rc = system(cmd);
	arena_free(a);
	return rc;
}

static void run(const char *sql)
{
	struct db *db = registry_begin(r, &e);

	assert_non_null(db);
	assert_int_equal(registry_end(r, db_exec(db, sql, &e), &e), 0);
}

static const char *text(const char *sql)
{
	struct stmt *s = db_prep_once(registry_read_begin(r), sql, &e);
	const char *out = "";

	assert_non_null(s);
	while (db_step(s, &e) == 1)
		out = arena_printf(a, "%s%s%s", out, *out ? " " : "", db_str(s, 0));
	db_finalize(s);
	registry_read_end(r, 0);
	return out;
}

static void fails_with(enum err_code code, const char *msg)
{
	assert_int_equal(e.code, code);
	assert_string_equal(e.msg, msg);
	e = (struct err){ 0 };
}

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

/* ---- who was removed ---- */

static bool again;

static int check(struct hello h)
{
	e = (struct err){ 0 };
	again = false;
	h.name = "the-name";
	return tombstone_check(r, &h, "own", &again, a, &e);
}

static void removed(const char *uri, const char *host, const char *replica)
{
	struct db *db = registry_begin(r, &e);

	assert_int_equal(registry_end(r, tombstone_put(db, uri, host, replica, &e), &e), 0);
}

static void refused(const char *msg, const char *hint)
{
	assert_false(again);
	assert_string_equal(e.hint, hint);
	fails_with(ERR_FORBIDDEN, msg);
}

static void what_was_removed_is_refused(void **state)
{
	(void)state;
	removed("h/gone", NULL, NULL);
	removed("h/b", "b", NULL);
	removed("h/b", "b", "b-1");
	assert_int_equal(check((struct hello){ .repo_uri = "h/a", .replica = "1" }), 0);
	assert_int_equal(check((struct hello){ .repo_uri = "h/gone", .replica = "1" }), -1);
	refused("the-name was removed from this coordinator",
	    "`atoll repo add its path or URL` admits it again.");
	assert_int_equal(check((struct hello){
	                     .repo_uri = "h/gone", .replica = "1", .host = "b", .source = "/src" }),
	    -1);
	refused("the-name was removed from this coordinator", "`atoll repo add /src` admits it again.");
	assert_int_equal(
	    check((struct hello){ .repo_uri = "h/b", .replica = "2", .host = "b", .source = "" }), -1);
	refused("the-name was removed from the host b",
	    "`atoll repo add --host b its path or URL` admits it again.");
	assert_int_equal(check((struct hello){ .repo_uri = "h/b", .replica = "b-1", .host = "" }), -1);
	refused("the-name was removed from the host b-1",
	    "`atoll repo add --host b-1 its path or URL` admits it again.");
	assert_int_equal(check((struct hello){ .repo_uri = "h/b", .replica = "2", .host = "c" }), 0);
	assert_int_equal(check((struct hello){ .repo_uri = "h/b", .replica = "2", .host = "" }), 0);
	assert_false(again);
	/* both: what was removed on the host is told */
	removed("h/gone", "b", NULL);
	assert_int_equal(
	    check((struct hello){ .repo_uri = "h/gone", .replica = "1", .host = "b" }), -1);
	refused("the-name was removed from the host b",
	    "`atoll repo add --host b its path or URL` admits it again.");
}

static void a_source_admits_it_again(void **state)
{
	static const struct {
		const char *source, *host, *linked;
		struct hello h;
		bool again;
	} v[] = {
		{ "/src", NULL, NULL, { .repo_uri = "h/gone", .replica = "1", .source = "/src/" }, true },
		{ "/src", NULL, NULL, { .repo_uri = "h/gone", .replica = "1", .source = "/other" }, false },
		{ "/src", NULL, NULL, { .repo_uri = "h/gone", .replica = "1" }, false },
		{ "https://h/gone.git", NULL, NULL, { .repo_uri = "h/gone", .replica = "1" }, true },
		{ "https://h/others.git", NULL, NULL, { .repo_uri = "h/gone", .replica = "1" }, false },
		{ "/linked", NULL, "h/gone", { .repo_uri = "h/gone", .replica = "1" }, true },
		{ "/linked", NULL, "h/others", { .repo_uri = "h/gone", .replica = "1" }, false },
		/* a host is admitted by a source that is to run there */
		{ "/src", "a,b", NULL, { .repo_uri = "h/b", .replica = "1", .host = "b", .source = "/src" },
		    true },
		{ "/src", "a,c", NULL, { .repo_uri = "h/b", .replica = "1", .host = "b", .source = "/src" },
		    false },
		{ "/src", NULL, NULL,
		    { .repo_uri = "h/own", .replica = "1", .host = "own", .source = "/src" }, true },
		{ "/src", ",a", NULL,
		    { .repo_uri = "h/own", .replica = "1", .host = "own", .source = "/src" }, true },
		{ "/src", "a", NULL,
		    { .repo_uri = "h/own", .replica = "1", .host = "own", .source = "/src" }, false },
		{ "/src", NULL, NULL, { .repo_uri = "h/own", .replica = "r-own", .source = "/src" },
		    false },
	};

	(void)state;
	removed("h/gone", NULL, NULL);
	removed("h/b", "b", NULL);
	removed("h/own", "own", "r-own");
	removed("h/own", "own", NULL);
	for (size_t i = 0; i < LEN(v); i++) {
		run("delete from sources");
		assert_int_equal(
		    sources_put(r, &(struct source_row){ .source = v[i].source, .host = v[i].host }, &e),
		    0);
		if (v[i].linked)
			run(arena_printf(a, "update sources set repo_uri = '%s'", v[i].linked));
		assert_int_equal(check(v[i].h), v[i].again ? 0 : -1);
		assert_int_equal(again, v[i].again);
	}
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

/* ---- export and import ---- */

static const char *exported(const char *after, size_t limit, const char **next)
{
	t_strs lines;
	const char *out = "";

	assert_int_equal(registry_export(r, after, limit, &lines, next, a, &e), 0);
	assert_true(lines.n <= limit);
	for (size_t i = 0; i < lines.n; i++)
		out = arena_printf(a, "%s%s\n", out, lines.v[i]);
	return out;
}

#define GROUP(name, description)                                                                   \
	"{\"table\":\"groups\",\"row\":{\"name\":\"" name "\",\"description\":" description "}}"
#define SOURCE(name)                                                                               \
	"{\"table\":\"sources\",\"row\":{\"source\":\"" name                                           \
	"\",\"host\":null,\"repo_uri\":null,\"added_by\":null}}"
#define OF_GROUP(name, grp)                                                                        \
	"{\"table\":\"source_groups\",\"row\":{\"source\":\"" name "\",\"grp\":\"" grp "\"}}"

static void an_export_in_pages(void **state)
{
	static const char *const rows[] = { GROUP("a/b", "\"d\""), GROUP("c", "null"), SOURCE("/s"),
		OF_GROUP("/s", "c") };
	static const char *const keys[] = { "groups/a%2Fb", "groups/c", "sources/%2Fs",
		"source_groups/%2Fs/c" };
	const char *next, *all = "";
	char secret[65];

	(void)state;
	run("insert into groups (name, description) values ('c', null), ('a/b', 'd')");
	assert_int_equal(
	    sources_put(r,
	        &(struct source_row){ .source = "/s", .groups = { (const char *[]){ "c" }, 1 } }, &e),
	    0);
	assert_int_equal(registry_secret(r, "hidden", secret, &e), 0);
	run("insert into coordinators (id) values ('me')");
	for (size_t i = 0; i < LEN(rows); i++)
		all = arena_printf(a, "%s%s\n", all, rows[i]);
	assert_string_equal(exported(NULL, 100, &next), all);
	assert_null(next);
	assert_string_equal(exported(NULL, 5, &next), all);
	assert_null(next);
	assert_string_equal(exported(NULL, 4, &next), all);
	assert_string_equal(next, keys[3]);
	assert_string_equal(exported(keys[3], 4, &next), "");
	assert_null(next);
	const char *after = NULL;
	for (size_t i = 0; i < LEN(rows); i++) {
		assert_string_equal(exported(after, 1, &next), arena_printf(a, "%s\n", rows[i]));
		assert_string_equal(next, keys[i]);
		after = next;
	}
	assert_string_equal(exported(keys[0], 2, &next), arena_printf(a, "%s\n%s\n", rows[1], rows[2]));
	t_strs lines;
	assert_int_equal(registry_export(r, "nothing/x", 5, &lines, &next, a, &e), -1);
	fails_with(ERR_INVALID_INPUT, "`after`: `nothing/x` is not the key of an exported row");
}

static int import_lines(
    const char *importer, const char *const *v, size_t n, uint64_t *written, t_strs *left_out)
{
	t_strs lines = { (const char **)(uintptr_t)v, n };

	e = (struct err){ 0 };
	return registry_import(r, importer, &lines, written, left_out, a, &e);
}

static void an_import(void **state)
{
	static const char *const v[] = { GROUP("c", "\"new\""), OF_GROUP("/none", "c"), SOURCE("/s"),
		OF_GROUP("/s", "c"), GROUP("d", "null") };
	t_strs left_out;
	uint64_t written;

	(void)state;
	groups_create(r, "c", "old", &e);
	groups_create(r, "d", NULL, &e);
	assert_int_equal(import_lines(NULL, v, LEN(v), &written, &left_out), 0);
	assert_int_equal(written, 3);
	assert_int_equal(left_out.n, 1);
	assert_non_null(strstr(left_out.v[0], "source_groups/%2Fnone/c: "));
	assert_non_null(strstr(left_out.v[0], "FOREIGN KEY"));
	assert_string_equal(text("select description from groups where name = 'c'"), "new");
	assert_string_equal(text("select source || ifnull(added_by, '-') from sources"), "/s-");
	assert_int_equal(import_lines("someone", v, LEN(v), &written, &left_out), 0);
	assert_int_equal(written, 0);
	run("delete from sources");
	assert_int_equal(import_lines("someone", v, LEN(v), &written, &left_out), 0);
	assert_int_equal(written, 2);
	assert_string_equal(text("select added_by from sources"), "someone");
}

static void what_is_no_export(void **state)
{
	static const struct {
		const char *line, *msg;
	} v[] = {
		{ "x", "`rows`: `x` is not a row of an export" },
		{ "[]", "`rows`: `[]` is not a row of an export" },
		{ "{}", "`rows`: `{}` is not a row of an export" },
		{ "{\"table\":\"x\",\"row\":{}}",
		    "`rows`: `{\"table\":\"x\",\"row\":{}}` is not a row of an export" },
		{ "{\"table\":\"secrets\",\"row\":{}}",
		    "`rows`: `{\"table\":\"secrets\",\"row\":{}}` is not a row of an export" },
		{ "{\"table\":\"groups\"}", "`rows`: `{\"table\":\"groups\"}` is not a row of an export" },
		{ "{\"table\":\"groups\",\"row\":7}",
		    "`rows`: `{\"table\":\"groups\",\"row\":7}` is not a row of an export" },
		{ "{\"table\":\"groups\",\"row\":{}}", "`rows`: a row of groups has no `name`" },
		{ "{\"table\":\"members\",\"row\":{\"grp\":\"g\"}}",
		    "`rows`: a row of members has no `repo_uri`" },
	};
	t_strs left_out;
	uint64_t written;

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		const char *lines[] = { GROUP("first", "null"), v[i].line };
		assert_int_equal(import_lines(NULL, lines, 2, &written, &left_out), -1);
		fails_with(ERR_INVALID_INPUT, v[i].msg);
		assert_string_equal(text("select count(*) from groups"), "0");
	}
}

static void jobs_are_imported_once(void **state)
{
	static const char row[] =
	    "{\"table\":\"jobs\",\"row\":{\"id\":\"j1\",\"kind\":\"build\",\"key\":\"build:x\",\"lane\":\"x\",\"heavy\":1,"
	    "\"force\":0,\"reason\":\"r\",\"caller\":\"c\",\"state\":\"running\",\"cancelled\":0,\"tries\":1,\"waits\":0,\"lost\":0,"
	    "\"created_ms\":1,\"due_ms\":1,\"started_ms\":2,\"holder\":\"them\",\"memo\":\"\"}}";
	const char *lines[] = { row };
	t_strs left_out;
	uint64_t written;

	(void)state;
	assert_int_equal(import_lines(NULL, lines, 1, &written, &left_out), 0);
	assert_string_equal(left_out.n ? left_out.v[0] : "", "");
	assert_int_equal(written, 1);
	assert_string_equal(text("select state || ifnull(holder, '-') from jobs"), "queued-");
	run("update jobs set state = 'done'");
	assert_int_equal(import_lines(NULL, lines, 1, &written, &left_out), 0);
	assert_int_equal(written, 0);
	assert_string_equal(text("select state from jobs"), "done");
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
		TEST(what_was_removed_is_refused),
		TEST(a_source_admits_it_again),
		TEST(deliveries),
		TEST(an_export_in_pages),
		TEST(an_import),
		TEST(what_is_no_export),
		TEST(jobs_are_imported_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
