/* Paths that people type, in a commit with folders, links and a submodule; and the subjects of the commits that changed a file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "shard/git/commit_subjects.h"
#include "shard/git/repo.h"

static struct arena *a;
static char dir[64], head[REPO_OID_SIZE];
static struct repo *r;

static void run(const char *command)
{
	if (system(arena_printf(a, "cd %s && { %s; } >/dev/null 2>&1", dir, command)))
		fail_msg("%s", command);
}

static void commit(const char *subject)
{
	run(arena_printf(a,
	    "git add -A && git -c user.name=n -c user.email=e commit -q --allow-empty -m '%s'",
	    subject));
	struct err e = { 0 };
	if (repo_head(r, head, &e))
		fail_msg("%s", e.msg);
}

static int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-path.XXXXXX");
	assert_non_null(mkdtemp(dir));
	run("git init -q -b main .");
	r = repo_open(dir, &(struct err){ 0 });
	assert_non_null(r);
	return 0;
}

static int end(void **state)
{
	char cmd[100];

	(void)state;
	repo_close(r);
	arena_free(a);
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

/* ---- paths ---- */

static struct err e;

static const char *found(const char *path)
{
	char blob[REPO_OID_SIZE] = "";

	e = (struct err){ 0 };
	const char *at = repo_resolve_path(r, head, path, blob, a, &e);
	if (!at)
		return err_name(e.code);
	char same[REPO_OID_SIZE];
	assert_int_equal(repo_find_blob(r, head, at, same, &e), 0);
	assert_string_equal(blob, same);
	return at;
}

static void paths_are_tidied(void **state)
{
	(void)state;
	run("mkdir -p src/lib && echo x >src/lib/a.c && echo y >b.c");
	commit("one");
	assert_string_equal(found("src/lib/a.c"), "src/lib/a.c");
	assert_string_equal(found("./src//lib/./a.c"), "src/lib/a.c");
	assert_string_equal(found("b.c"), "b.c");
	static const char *const never[] = { "", "nowhere", "src/nowhere.c", "/b.c", "../b.c",
		"src/../b.c", "b.c/x", "src/lib/a.c/..", ".." };
	for (size_t i = 0; i < sizeof never / sizeof *never; i++)
		assert_string_equal(found(never[i]), "NOT_FOUND");
	assert_non_null(strstr(e.msg, "file `..` does not exist"));
}

static void a_folder_tells_what_it_contains(void **state)
{
	(void)state;
	run("mkdir -p few many && echo x >few/a.c && echo x >few/b.c && for i in 1 2 3 4 5 6 7 8 9 a b; do echo x >many/$i; done");
	commit("one");
	assert_string_equal(found("few"), "INVALID_INPUT");
	assert_string_equal(e.msg, "path: `few` is a folder");
	assert_string_equal(e.hint, "It contains: a.c, b.c");
	assert_string_equal(found("many/"), "INVALID_INPUT");
	assert_string_equal(e.hint, "It contains: 1, 2, 3, 4, 5, 6, 7, 8, 9, a, …");
	assert_string_equal(found("."), "INVALID_INPUT");
	assert_string_equal(e.hint, "It contains: few, many");
}

static void links_are_followed_inside_the_commit(void **state)
{
	(void)state;
	run("mkdir -p src/deep && echo x >src/a.c && ln -s src to && ln -s ../a.c src/deep/up.c && ln -s ../../.. src/deep/out && "
	    "ln -s /etc/passwd abs && ln -s two one && ln -s one two && ln -s ../.. src/deep/root && ln -s to to2 && ln -s gone broken");
	commit("one");
	assert_string_equal(found("to/a.c"), "src/a.c");
	assert_string_equal(found("to2/a.c"), "src/a.c");
	assert_string_equal(found("src/deep/up.c"), "src/a.c");
	assert_string_equal(found("src/deep/root/src/a.c"), "src/a.c");
	assert_string_equal(found("to"), "INVALID_INPUT");
	assert_non_null(strstr(e.msg, "is a folder"));
	assert_string_equal(found("src/deep/out"), "INVALID_INPUT");
	assert_non_null(strstr(e.msg, "leads out of the repository"));
	assert_string_equal(found("abs"), "INVALID_INPUT");
	assert_string_equal(found("one"), "NOT_FOUND");
	assert_non_null(strstr(e.msg, "symbolic links form a loop"));
	assert_string_equal(found("broken"), "NOT_FOUND");
}

/* Eight links are followed, not nine. */
static void links_to_links(void **state)
{
	(void)state;
	run("echo x >l0; for i in 1 2 3 4 5 6 7 8 9; do ln -s l$((i - 1)) l$i; done");
	commit("one");
	assert_string_equal(found("l8"), "l0");
	assert_string_equal(found("l9"), "NOT_FOUND");
}

static void a_submodule_is_no_file(void **state)
{
	(void)state;
	run("git update-index --add --cacheinfo 160000,0123456789012345678901234567890123456789,module && echo x >a.c && git add a.c && "
	    "git -c user.name=n -c user.email=e commit -q -m one");
	assert_int_equal(repo_head(r, head, &e), 0);
	assert_string_equal(found("module"), "NOT_FOUND");
	assert_string_equal(found("module/a.c"), "NOT_FOUND");
	assert_string_equal(found("a.c"), "a.c");
}

/* ---- subjects ---- */

static void subjects_of_small_commits(void **state)
{
	(void)state;
	run("echo 1 >a.c");
	commit("first of all");
	run("echo 2 >a.c && echo 2 >b.c");
	commit("two of them");
	run("for i in a b c d; do echo 3 >$i.c; done");
	commit("too many at once");
	run("echo 4 >c.c && echo 4 >a.c && echo 4 >b.c");
	commit("three are few");
	run("git checkout -q -b side HEAD~1 && echo 5 >a.c");
	commit("on the side");
	run("git checkout -q main && git -c user.name=n -c user.email=e merge -q -X ours -m merged side");
	assert_int_equal(repo_head(r, head, &e), 0);
	for (int i = 0; i < 2; i++) { /* the second time from what was noted */
		struct commit_subjects *s = commit_subjects_read(dir, r, head, &e);
		assert_non_null(s);
		assert_string_equal(commit_subjects_get(s, "c.c"), "three are few");
		assert_string_equal(commit_subjects_get(s, "b.c"), "three are few\ntwo of them");
		const char *of_a = commit_subjects_get(s, "a.c");
		assert_non_null(strstr(of_a, "on the side"));
		assert_null(strstr(of_a, "first of all")); /* it has no parent */
		assert_null(strstr(of_a, "merged"));
		assert_null(commit_subjects_get(s, "d.c"));
		assert_null(commit_subjects_get(s, "nowhere"));
		commit_subjects_free(s);
	}
	assert_null(commit_subjects_read(dir, r, "0123456789012345678901234567890123456789", &e));
	assert_true(commit_subjects_fingerprint("a") != commit_subjects_fingerprint("b"));
	assert_true(commit_subjects_fingerprint("a") == commit_subjects_fingerprint("a"));
}

static void at_most_thirty_of_a_file(void **state)
{
	(void)state;
	run("for i in $(seq 33); do echo $i >a.c; git add a.c; git -c user.name=n -c user.email=e commit -q -m \"change $i\"; done");
	assert_int_equal(repo_head(r, head, &e), 0);
	struct commit_subjects *s = commit_subjects_read(dir, r, head, &e);
	const char *all = commit_subjects_get(s, "a.c");
	int lines = 1;
	for (const char *p = all; *p; p++)
		lines += *p == '\n';
	assert_int_equal(lines, COMMIT_SUBJECTS_MAX_PER_FILE);
	assert_int_equal(strncmp(all, "change 33\n", 10), 0);
	assert_null(strstr(all, "change 3\n"));
	commit_subjects_free(s);
}

int main(void)
{
	repo_init();
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(paths_are_tidied),
		CASE(a_folder_tells_what_it_contains),
		CASE(links_are_followed_inside_the_commit),
		CASE(links_to_links),
		CASE(a_submodule_is_no_file),
		CASE(subjects_of_small_commits),
		CASE(at_most_thirty_of_a_file),
	};

	return cmocka_run_group_tests_name("repo_path", tests, NULL, NULL);
}
