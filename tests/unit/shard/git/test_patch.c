/* Unified diffs of other programs, and of git with other settings, are read like those of `git diff`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/git/repo.h"

#define HUNK "@@ -6 +6 @@ def two():\n-    return 2\n+    return 3\n"

/* The files of a diff: change, old path where it is another one, new path, first line of each hunk. */
static void reads(const char *text, const char *want)
{
	struct arena *a = arena_new();
	struct diff d;
	struct err e = { 0 };
	struct buf b = { 0 };

	if (repo_diff_text(text, a, &d, &e))
		fail_msg("%s: %s", text, e.msg);
	for (size_t i = 0; i < d.n; i++) {
		buf_printf(&b, "%s%c ", i ? "; " : "", d.v[i].change);
		if (strcmp(d.v[i].old_path, d.v[i].new_path))
			buf_printf(&b, "%s ", d.v[i].old_path);
		buf_str(&b, d.v[i].new_path);
		for (size_t k = 0; k < d.v[i].nhunks; k++)
			buf_printf(&b, " %u", d.v[i].hunks[k].old_start);
	}
	assert_string_equal(b.p ? b.p : "", want);
	buf_free(&b);
	arena_free(a);
}

static void files_without_lines(void **state)
{
	(void)state;
	reads("diff --git a/x.py b/x.py\nold mode 100644\nnew mode 100755\n", "M x.py");
	reads("diff --git a/x.py b/y.py\nsimilarity index 100%\nrename from x.py\nrename to y.py\n", "R x.py y.py");
	reads("diff --git a/x.py b/y.py\nsimilarity index 100%\nrename from x.py\nrename to y.py", "R x.py y.py");
	reads("diff --git a/e.py b/e.py\nnew file mode 100644\nindex 0000000..e69de29\n", "A e.py");
	reads("diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n" HUNK "diff --git a/e.py b/e.py\ndeleted file mode 100644\nindex e69de29..0000000\n",
	    "M a.py 6; D e.py");
	reads("diff --git a/b.dat b/b.dat\nindex 1111111..2222222 100644\nBinary files a/b.dat and b/b.dat differ\n", "M b.dat");
}

static void without_git_lines(void **state)
{
	(void)state;
	reads("--- a/app/a.py\n+++ b/app/a.py\n" HUNK, "M app/a.py 6");
	reads("--- a/app/a.py\n+++ b/app/a.py\n" HUNK "--- a/app/b.py\n+++ b/app/b.py\n" HUNK, "M app/a.py 6; M app/b.py 6");
	reads("--- app/a.py\t2026-01-01 00:00:00.0 +0000\n+++ app/a.py\t2026-01-02 00:00:00.0 +0000\n" HUNK, "M app/a.py 6");
	reads("--- app/a.py.orig\n+++ app/a.py\n" HUNK, "M app/a.py 6");
	reads("diff -ru old/app/a.py new/app/a.py\n--- old/app/a.py\t2026\n+++ new/app/a.py\t2026\n" HUNK "Only in new/app: c.py\n", "M app/a.py 6");
	reads("Index: app/a.py\n=====\n--- app/a.py\t(revision 1)\n+++ app/a.py\t(working copy)\n" HUNK, "M app/a.py 6");
	reads("--- /dev/null\n+++ b/app/n.py\n@@ -0,0 +1 @@\n+x = 1\n", "A app/n.py 1");
	reads("--- a/app/o.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n", "D app/o.py 1");
	reads("--- \"a/app/q\\\"o.py\"\n+++ \"b/app/q\\\"o.py\"\n" HUNK, "M app/q\"o.py 6");
	reads("--- a/with space/a.py\n+++ b/with space/a.py\n" HUNK, "M with space/a.py 6");
	/* a removed line that looks like the name of a file */
	reads("--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n select\n", "M q.sql 1");
}

static void without_prefixes(void **state)
{
	(void)state;
	reads("diff --git app/a.py app/a.py\nindex 1111111..2222222 100644\n--- app/a.py\n+++ app/a.py\n" HUNK, "M app/a.py 6");
	reads("diff --git app/e.py app/e.py\nold mode 100644\nnew mode 100755\n", "M app/e.py");
	reads("diff --git app/a.py app/a.py\n--- app/a.py\n+++ app/a.py\n" HUNK
	    "diff --git app/o.py lib/n.py\nsimilarity index 90%\nrename from app/o.py\nrename to lib/n.py\nindex 1111111..2222222 100644\n--- app/o.py\n+++ lib/n.py\n" HUNK,
	    "M app/a.py 6; R app/o.py lib/n.py 6");
	reads("diff --git w/n.py w/n.py\nnew file mode 100644\n--- /dev/null\n+++ w/n.py\n@@ -0,0 +1 @@\n+x = 1\n", "A w/n.py 1");
	reads("diff --git i/app/a.py w/app/a.py\n--- i/app/a.py\n+++ w/app/a.py\n" HUNK, "M app/a.py 6");
}

static void what_is_none(void **state)
{
	static const char *const texts[] = { "", "\n", "hello\n", "--- a\n", "@@ -1 +1 @@\n-a\n+b\n", "diff --git a/x b/x\n",
		"--- a/x\n+++ b/x\n@@ -1,99999999999999999999 +1,1 @@\n-x\n", "diff --git \n", "--- \n+++ \n@@ -1 +1 @@\n-a\n+b\n",
		"*** a/x\n--- b/x\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n" };
	struct diff d;

	(void)state;
	for (size_t i = 0; i < LEN(texts); i++) {
		struct arena *a = arena_new();
		struct err e = { 0 };
		assert_int_equal(repo_diff_text(texts[i], a, &d, &e), -1);
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		arena_free(a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_without_lines),
		cmocka_unit_test(without_git_lines),
		cmocka_unit_test(without_prefixes),
		cmocka_unit_test(what_is_none),
	};

	repo_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
