/* The texts of the files of a change, before and after: which are read, which are too large, and what a given diff makes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/record/record.h"
#include "shard/git/repo.h"
#include "shard/handlers/changed_texts.h"
#include "shard/index/index_reader.h"

enum { MOST = 32 };

static struct arena *a;
static struct err e;
static char dir[64];
static struct index_reader r;
static struct file_versions versions[MOST];
static struct changes_context w;

static void run(const char *command)
{
	if (system(arena_printf(a, "cd %s && { %s; } >/dev/null 2>&1", dir, command)))
		fail_msg("%s", command);
}

static const char *commit_of(const char *name)
{
	static char id[2][REPO_OID_SIZE];
	static int next;
	char *out = id[next++ % 2];
	FILE *f = popen(arena_printf(a, "git -C %s rev-parse %s", dir, name), "r");

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%40s", out), 1);
	pclose(f);
	return out;
}

#define COMMIT "git add -A && git -c user.name=n -c user.email=e commit -q -m x"
#define MEBIBYTE "head -c 1048576 /dev/zero | tr '\\0' x"

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	e = (struct err){ 0 };
	strcpy(dir, "/tmp/atoll-changed.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	run("git init -q . && printf 'a\\nb\\nc\\nd\\n' >small.py && printf 'x\\ny' >end.py && " MEBIBYTE
	    " >most.py && cp most.py shrinks.py && echo >>shrinks.py && echo >grows.py && echo >becomes.py && printf '\\0' >logo.png && echo 1 >gone.py && " COMMIT);
	run("echo 2 >small.py && echo 2 >most.py && echo 2 >shrinks.py && printf '\\1' >logo.png && git rm -q gone.py && echo later >new.py && " MEBIBYTE
	    " >becomes.py && cp becomes.py grows.py && echo >>grows.py && " COMMIT);
	r = (struct index_reader){ 0 };
	w = (struct changes_context){ .r = &r, .repo = repo_open(dir, &e), .a = a, .v = versions };
	memset(versions, 0, sizeof versions);
	return w.repo ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	for (int i = 0; i < MOST; i++) {
		buf_free(&versions[i].old_text);
		buf_free(&versions[i].new_text);
	}
	repo_close(w.repo);
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

static const struct file_versions *version_of(const char *path)
{
	for (size_t i = 0; i < w.diff.n; i++)
		if (!strcmp(w.diff.v[i].new_path, path) || !strcmp(w.diff.v[i].old_path, path))
			return &versions[i];
	fail_msg("%s is not in the diff", path);
	return NULL;
}

static void between_two_commits(void **state)
{
	static const struct {
		const char *path, *old, *now;
	} v[] = { { "small.py", "a\nb\nc\nd\n", "2\n" }, { "new.py", NULL, "later\n" },
		{ "gone.py", "1\n", NULL } };

	(void)state;
	assert_int_equal(repo_diff(w.repo, commit_of("HEAD~1"), commit_of("HEAD"), a, &w.diff, &e), 0);
	assert_int_equal(changed_texts_read(&w, &e), 0);
	for (size_t i = 0; i < LEN(v); i++) {
		const struct file_versions *p = version_of(v[i].path);
		assert_true(p->compared);
		assert_int_equal(!p->old.text, !v[i].old);
		assert_int_equal(!p->now.text, !v[i].now);
		if (v[i].old)
			assert_string_equal(p->old.text, v[i].old);
		if (v[i].now)
			assert_string_equal(p->now.text, v[i].now);
	}
	assert_true(version_of("most.py")->compared);
	assert_true(version_of("becomes.py")->compared);
	assert_false(version_of("shrinks.py")->compared);
	assert_false(version_of("grows.py")->compared);
	assert_false(version_of("logo.png")->compared);
	assert_null(version_of("logo.png")->now.text);
	assert_int_equal(w.left_out, 2);
}

/* What the diff makes of a file of the first commit; NULL: the message of the error is `want`. */
static void given(const char *diff, const char *path, const char *want)
{
	memcpy(r.info.commit, commit_of("HEAD~1"), REPO_OID_SIZE);
	w.text = true;
	e = (struct err){ 0 };
	assert_int_equal(repo_diff_text(diff, a, &w.diff, &e), 0);
	int rc = changed_texts_read(&w, &e);
	if (path) {
		assert_int_equal(rc, 0);
		assert_string_equal(version_of(path)->now.text, want);
		assert_int_equal(version_of(path)->now.n, strlen(want));
		assert_true(version_of(path)->compared);
	} else {
		assert_int_equal(rc, -1);
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		assert_string_equal(e.msg, want);
	}
	for (int i = 0; i < MOST; i++) {
		buf_free(&versions[i].old_text);
		buf_free(&versions[i].new_text);
	}
	memset(versions, 0, sizeof versions);
}

#define DIFF_OF(path) "diff --git a/" path " b/" path "\n--- a/" path "\n+++ b/" path "\n"

static void a_given_diff(void **state)
{
	(void)state;
	given(DIFF_OF("small.py") "@@ -2,1 +2,2 @@\n-b\n+B\n+BB\n", "small.py", "a\nB\nBB\nc\nd\n");
	given(DIFF_OF("small.py") "@@ -1,1 +1,1 @@\n-a\n+A\n@@ -4,1 +4,1 @@\n-d\n+D\n", "small.py",
	    "A\nb\nc\nD\n");
	given(DIFF_OF("end.py") "@@ -2,1 +2,1 @@\n-y\n+z\n", "end.py", "x\nz\n");
	given(
	    "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,1 @@\n+n\n",
	    "n.py", "n\n");
}

static void a_diff_of_something_else(void **state)
{
	(void)state;
	given(DIFF_OF("small.py") "@@ -2,1 +2,1 @@\n-x\n+B\n", NULL,
	    "diff: line 2 of small.py does not match the indexed commit");
	given(DIFF_OF("small.py") "@@ -9,1 +9,1 @@\n-x\n+B\n", NULL,
	    "diff: line 9 of small.py does not match the indexed commit");
	given(DIFF_OF("none.py") "@@ -1,1 +1,1 @@\n-x\n+B\n", NULL,
	    "diff: file `none.py` is not in the indexed commit");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(between_two_commits, begin, end),
		cmocka_unit_test_setup_teardown(a_given_diff, begin, end),
		cmocka_unit_test_setup_teardown(a_diff_of_something_else, begin, end),
	};

	repo_init();
	log_init("test", LOG_ERROR + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
