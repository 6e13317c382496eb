/* The subjects of the commits that changed a file, who owns it, and to which addresses git may connect: whole answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/record.h"
#include "shard/git/address_pins.h"
#include "shard/git/commit_subjects.h"
#include "shard/git/owners.h"
#include "shard/git/repo.h"

static struct arena *a;
static char dir[64] = "/tmp/atoll-subjects.XXXXXX";
static struct repo *repo;
static char head[REPO_OID_SIZE];

static void run(const char *command)
{
	if (system(arena_printf(a, "cd %s && { %s; } >/dev/null 2>&1", dir, command)))
		fail_msg("%s", command);
}

/* A commit of all on the n-th day. */
static void commit(const char *who, const char *address, int day, const char *subject)
{
	run(arena_printf(a,
	    "git add -A && GIT_COMMITTER_DATE=2026-02-%02dT10:20:30Z git -c user.name='%s' -c user.email=%s commit -q --allow-empty-message -m '%s' "
	    "--date=2026-02-%02dT10:20:30Z",
	    day, who, address, subject, day));
}

static int begin(void **state)
{
	struct err e = { 0 };

	(void)state;
	a = arena_new();
	repo_init();
	assert_non_null(mkdtemp(dir));
	run("git init -q -b main repo && mkdir data");
	strcat(dir, "/repo");
	run("mkdir d && echo 1 >a && echo 1 >d/b && echo 1 >c && echo 1 >e");
	commit("Root", "root@h", 1, "all of it");
	run("echo 2 >a && echo 2 >d/b");
	commit("Ann", "ann@h", 2, "a and b: two");
	run("echo 3 >a && echo 3 >c && echo 3 >e");
	commit("Bob", "bob@h", 3, "three files");
	run("echo 4 >a && echo 4 >c && echo 4 >e && echo 4 >d/b");
	commit("Bob", "bob@h", 4, "four files");
	run("echo 5 >d/b");
	commit("Ann Name", "ANN@H", 5, "");
	run("echo 6 >d/b && echo 6 >new");
	commit("Ann", "ann@h", 6, arena_printf(a, "%0*d long", 230, 7));
	run("git checkout -q -b side HEAD~1 && echo 7 >c");
	commit("Cy", "cy@h", 7, "on the side\n\nbody");
	run("git checkout -q main && GIT_COMMITTER_DATE=2026-02-08T00:00:00Z git -c user.name=M -c user.email=m@h merge -q --no-ff -m merged side && git rm -q e");
	commit("Dee", "dee@h", 9, "e is gone");
	repo = repo_open(dir, &e);
	assert_non_null(repo);
	assert_int_equal(repo_head(repo, head, &e), 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	repo_close(repo);
	*strrchr(dir, '/') = 0;
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

static struct commit_subjects *subjects(void)
{
	struct err e = { 0 };
	struct commit_subjects *t = commit_subjects_read(
	    arena_printf(a, "%s/../data", dir), repo, head, &e);

	assert_non_null(t);
	return t;
}

static void check_subjects(const struct commit_subjects *t)
{
	const char *long_one = arena_printf(a, "%0*d", 200, 0);

	assert_string_equal(commit_subjects_get(t, "a"), "three files\na and b: two");
	assert_string_equal(commit_subjects_get(t, "c"), "on the side\nthree files");
	assert_string_equal(commit_subjects_get(t, "e"), "e is gone\nthree files");
	assert_string_equal(commit_subjects_get(t, "new"), long_one);
	assert_string_equal(
	    commit_subjects_get(t, "d/b"), arena_printf(a, "%s\na and b: two", long_one));
	assert_null(commit_subjects_get(t, "d"));
	assert_null(commit_subjects_get(t, "nothing"));
}

/* Again from the cache; and with a cache that is no database, which is made anew. */
static void files_have_subjects(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		struct commit_subjects *t = subjects();
		check_subjects(t);
		commit_subjects_free(t);
		assert_int_equal(access(arena_printf(a, "%s/../data/told.db", dir), F_OK), 0);
		if (i == 1)
			run("echo this is no database at all, and longer than its header >../data/told.db; rm -f ../data/told.db-*");
	}
	assert_int_equal(commit_subjects_fingerprint(head), commit_subjects_fingerprint(head));
	assert_int_not_equal(commit_subjects_fingerprint(head), commit_subjects_fingerprint("x"));
	commit_subjects_free(NULL);
}

static void an_unknown_commit_has_none(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_null(commit_subjects_read(
	    arena_printf(a, "%s/../data", dir), repo, "0123456789012345678901234567890123456789", &e));
	assert_int_equal(e.code, ERR_NOT_FOUND);
}

/* `NAME SHARE COMMITS LAST`, a line for each owner, and what was read. */
static const char *owners(const char *path, struct owners_limits limits, size_t limit)
{
	struct owners_res r = { 0 };
	struct err e = { 0 };
	struct buf b = { 0 };

	if (owners_find(repo, head, path, &limits, limit, &r, a, &e))
		return arena_str(a, e.msg);
	for (size_t i = 0; i < r.owners.n; i++)
		buf_printf(&b, "%s %.2f %d %s %s\n", r.owners.v[i].name, r.owners.v[i].share,
		    (int)r.owners.v[i].commits, r.owners.v[i].last, r.owners.v[i].relation);
	buf_printf(&b, "%d owners, %d commits of %d%s", (int)r.total, (int)r.commits, (int)r.looked_at,
	    r.complete ? "" : ", more");
	const char *text = arena_str(a, b.p);
	buf_free(&b);
	return text;
}

static void paths_have_owners(void **state)
{
	const struct owners_limits all = { 100, 100, 60000 };

	(void)state;
	assert_string_equal(owners("a", all, 9),
	    "Bob 0.50 2 2026-02-04T10:20:30Z OWNED_BY\nAnn 0.25 1 2026-02-02T10:20:30Z OWNED_BY\nRoot 0.25 1 2026-02-01T10:20:30Z OWNED_BY\n3 owners, 4 commits of 9");
	assert_string_equal(owners("d/b", all, 9),
	    "Ann 0.60 3 2026-02-06T10:20:30Z OWNED_BY\nBob 0.20 1 2026-02-04T10:20:30Z OWNED_BY\nRoot 0.20 1 2026-02-01T10:20:30Z OWNED_BY\n3 owners, 5 commits of 9");
	assert_string_equal(
	    owners("d", all, 1), "Ann 0.60 3 2026-02-06T10:20:30Z OWNED_BY\n3 owners, 5 commits of 9");
	assert_string_equal(owners("c", all, 0), "3 owners, 4 commits of 9");
	assert_string_equal(owners("d/b", (struct owners_limits){ 100, 2, 60000 }, 1),
	    "Ann 1.00 2 2026-02-06T10:20:30Z OWNED_BY\n1 owners, 2 commits of 5, more");
	assert_string_equal(
	    owners("a", (struct owners_limits){ 3, 100, 60000 }, 9), "0 owners, 0 commits of 3, more");
}

static const char *pins(const char *url, bool from_token)
{
	struct address_pins p;
	struct err e = { 0 };
	struct buf b = { 0 };

	if (address_pins_resolve(&p, url, from_token, a, &e))
		return arena_printf(a, "%s", err_name(e.code));
	for (size_t i = 0; i < p.n; i++)
		buf_printf(&b, "%s=%s;", p.v[i].key, p.v[i].value);
	buf_printf(&b, "%s|%s", p.ssh ? p.ssh : "", p.virtual_host ? p.virtual_host : "");
	const char *text = arena_str(a, b.p);
	buf_free(&b);
	return text;
}

static void addresses_are_pinned(void **state)
{
	(void)state;
	assert_string_equal(pins("https://93.184.216.34/o/r", true),
	    "http.curloptResolve=93.184.216.34:443:93.184.216.34;|");
	assert_string_equal(pins("https://93.184.216.34:8443/o/r", true),
	    "http.curloptResolve=93.184.216.34:8443:93.184.216.34;|");
	assert_string_equal(pins("ssh://git@93.184.216.34/o/r", true),
	    "-oHostName=93.184.216.34 '-oHostKeyAlias=93.184.216.34'|");
	assert_string_equal(pins("ssh://git@93.184.216.34:2222/o/r", true),
	    "-oHostName=93.184.216.34 '-oHostKeyAlias=[93.184.216.34]:2222'|");
	assert_string_equal(pins("git://93.184.216.34/o/r", true),
	    "url.git://93.184.216.34:9418/.insteadOf=git://93.184.216.34/;|93.184.216.34");
	assert_string_equal(pins("git://93.184.216.34:99/o/r", true),
	    "url.git://93.184.216.34:99/.insteadOf=git://93.184.216.34:99/;|93.184.216.34:99");
	assert_string_equal(
	    pins("https://10.0.0.1/o/r", true), "http.curloptResolve=10.0.0.1:443:10.0.0.1;|");
	assert_string_equal(pins("https://127.0.0.1/o/r", true), "FORBIDDEN");
	assert_string_equal(pins("https://10.0.0.1/o/r", false), "|");
	assert_string_equal(pins("nowhere", true), "INVALID_INPUT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_have_subjects),
		cmocka_unit_test(an_unknown_commit_has_none),
		cmocka_unit_test(paths_have_owners),
		cmocka_unit_test(addresses_are_pinned),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
