/* Who changed a path, ancestors, parents, names of commits and how far behind one is: real repositories of a few commits. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "shard/git/repo.h"

static struct arena *a;
static char dir[64];
static struct repo *r;
static struct buf heard;

static void run(const char *command)
{
	if (system(arena_printf(a, "cd %s && { %s; } >/dev/null 2>&1", dir, command)))
		fail_msg("%s", command);
}

/* A commit by `who` on the n-th day that sets the file to the text. */
static void commit(const char *who, int day, const char *file, const char *text)
{
	run(arena_printf(a,
	    "mkdir -p $(dirname %s) && echo '%s' >%s && git add -A && GIT_COMMITTER_DATE=2026-01-%02dT00:00:00Z "
	    "git -c user.name=%s -c user.email=%s@h.example commit -q -m '%s %d' --date=2026-01-%02dT00:00:00Z",
	    file, text, file, day, who, who, who, day, day));
}

static const char *id(const char *revision)
{
	char *oid = arena_get(a, REPO_OID_SIZE, 1);
	struct err e = { 0 };

	if (repo_revision(r, revision, oid, &e))
		fail_msg("%s: %s", revision, e.msg);
	return oid;
}

/* main: ann 1 (a.c), bob 2 (lib/b.c), ann 3 (a.c), and a branch of bob 4 (lib/b.c) that cy merges on day 5. */
static int begin(void **state)
{
	(void)state;
	a = arena_new();
	strcpy(dir, "/tmp/atoll-history.XXXXXX");
	assert_non_null(mkdtemp(dir));
	run("git init -q -b main .");
	commit("ann", 1, "a.c", "one");
	commit("bob", 2, "lib/b.c", "one");
	run("git branch side");
	commit("ann", 3, "a.c", "two");
	run("git checkout -q side");
	commit("bob", 4, "lib/b.c", "two");
	run("git checkout -q main && GIT_COMMITTER_DATE=2026-01-05T00:00:00Z git -c user.name=cy -c user.email=cy@h.example "
	    "merge -q --no-ff -m merge side");
	r = repo_open(dir, &(struct err){ 0 });
	assert_non_null(r);
	return 0;
}

static int end(void **state)
{
	char cmd[100];

	(void)state;
	repo_close(r);
	buf_free(&heard);
	arena_free(a);
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

/* ---- who changed a path ---- */

static void hear(void *arg, const struct path_commit *c)
{
	(void)arg;
	buf_printf(&heard, "%s(%s,%d) ", c->who, c->name, (int)((c->when - 1767225600) / 86400) + 1);
}

static struct {
	uint64_t looked_at;
	bool complete;
} last;

static const char *history(const char *path, uint64_t most, uint64_t enough, int64_t deadline)
{
	struct err e = { 0 };

	heard.n = 0;
	buf_str(&heard, "");
	if (repo_path_history(r, id("main"), path, most, enough, deadline, hear, NULL, &last.looked_at,
	        &last.complete, &e))
		fail_msg("%s", e.msg);
	return heard.p;
}

static void who_changed_a_path(void **state)
{
	(void)state;
	assert_string_equal(
	    history("a.c", 100, 100, INT64_MAX), "ann@h.example(ann,3) ann@h.example(ann,1) ");
	assert_int_equal(last.looked_at, 5);
	assert_true(last.complete);
	assert_string_equal(
	    history("lib", 100, 100, INT64_MAX), "bob@h.example(bob,4) bob@h.example(bob,2) ");
	assert_string_equal(history("lib/b.c", 100, 1, INT64_MAX), "bob@h.example(bob,4) ");
	assert_false(last.complete);
	assert_string_equal(history("nowhere", 100, 100, INT64_MAX), "");
	assert_true(last.complete);
	/* a merge is no change of a path that one of its parents has already */
	assert_null(strstr(history("a.c", 100, 100, INT64_MAX), "cy"));
	assert_non_null(strstr(history("", 100, 100, INT64_MAX), "cy@h.example"));
}

static void a_history_that_is_not_read_to_its_end(void **state)
{
	(void)state;
	history("a.c", 2, 100, INT64_MAX);
	assert_int_equal(last.looked_at, 2);
	assert_false(last.complete);
	assert_string_equal(history("a.c", 100, 100, clock_ms() - 1), "");
	assert_int_equal(last.looked_at, 0);
	assert_false(last.complete);
	history("a.c", 5, 100, INT64_MAX);
	assert_int_equal(last.looked_at, 5);
}

static void names_of_the_mailmap(void **state)
{
	(void)state;
	commit("ann", 6, ".mailmap", "Ann Archer <ann@home.example> <ann@h.example>");
	assert_string_equal(history("a.c", 100, 1, INT64_MAX), "ann@home.example(Ann Archer,3) ");
}

/* Of a shallow clone, or one that lost objects, it is not known who changed what first. */
static void a_commit_that_is_missing(void **state)
{
	const char *first = id("main~3");

	(void)state;
	repo_close(r);
	run(arena_printf(a, "rm -f .git/objects/%.2s/%s", first, first + 2));
	r = repo_open(dir, &(struct err){ 0 });
	history("lib", 100, 100, INT64_MAX);
	assert_false(last.complete);
	struct err e = { 0 };
	uint64_t n;
	bool complete;
	assert_int_equal(
	    repo_path_history(r, first, "", 9, 9, INT64_MAX, hear, NULL, &n, &complete, &e), -1);
	assert_int_equal(n, 0);
	assert_true(e.code != ERR_NONE);
}

/* ---- ancestors and names ---- */

static void count(void *arg, const char *oid)
{
	size_t *n = arg;

	assert_int_equal(strlen(oid), 40);
	++*n;
}

static void ancestors_and_parents(void **state)
{
	char parent[REPO_OID_SIZE];
	struct err e = { 0 };
	size_t n = 0;

	(void)state;
	assert_int_equal(repo_each_ancestor(r, id("main"), 100, count, &n, &e), 0);
	assert_int_equal(n, 5);
	n = 0;
	assert_int_equal(repo_each_ancestor(r, id("main"), 3, count, &n, &e), 0);
	assert_int_equal(n, 3);
	assert_int_equal(
	    repo_each_ancestor(r, "0123456789012345678901234567890123456789", 3, count, &n, &e), -1);
	assert_int_equal(repo_parent(r, id("main"), parent), 2);
	assert_string_equal(parent, id("main~1"));
	assert_int_equal(repo_parent(r, id("main~3"), parent), 0);
	assert_string_equal(parent, "");
	assert_int_equal(repo_parent(r, "0123456789012345678901234567890123456789", parent), -1);
	assert_int_equal(repo_parent(r, "no id", parent), -1);
}

static void how_far_behind(void **state)
{
	char tips[REPO_TIPS_SIZE];

	(void)state;
	repo_tips(r, tips);
	assert_int_equal(repo_behind(r, tips, id("main")), 0);
	assert_int_equal(repo_behind(r, tips, id("main~1")), 2); /* bob's commit and the merge */
	assert_int_equal(repo_behind(r, tips, id("main~3")), 4);
	run("git checkout -q --orphan other && git -c user.name=n -c user.email=e commit -q --allow-empty -m other && git checkout -q main");
	assert_int_equal(repo_behind(r, tips, id("other")), -1);
	assert_int_equal(repo_behind(r, tips, "0123456789012345678901234567890123456789"), -1);
}

static void names_of_commits(void **state)
{
	char oid[REPO_OID_SIZE];
	struct err e = { 0 };

	(void)state;
	assert_string_equal(id("main^2"), id("side"));
	assert_string_equal(repo_subject(r, id("main~1"), 80, a), "ann 3");
	assert_string_equal(repo_subject(r, id("main~1"), 3, a), "ann");
	assert_string_equal(repo_branch(r, a), "main");
	assert_int_equal(repo_revision(r, "nowhere", oid, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_non_null(strstr(e.msg, "nowhere"));
}

int main(void)
{
	repo_init();
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(who_changed_a_path),
		CASE(a_history_that_is_not_read_to_its_end),
		CASE(names_of_the_mailmap),
		CASE(a_commit_that_is_missing),
		CASE(ancestors_and_parents),
		CASE(how_far_behind),
		CASE(names_of_commits),
	};

	return cmocka_run_group_tests_name("repo_history", tests, NULL, NULL);
}
