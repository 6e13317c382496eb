/* The child that fetches a mirror before the ingest: what it reports, and that the ingest then sees what was fetched. */
#include "tests/indexed_repository.h"

#include "shard/git/repo_ownership.h"
#include "shard/ingest/fetch_process.h"

static const char *reported(void)
{
	char text[4096];
	FILE *f = fopen(arena_printf(a, "%s/reported", dir), "rb");

	assert_non_null(f);
	size_t n = fread(text, 1, sizeof text, f);
	fclose(f);
	return arena_strn(a, text, n);
}

static void make(void)
{
	run("git init -q -b main . && echo 'def one(): return 1' >a.py && git add -A");
	commit_staged(1, "ann@x.example", "one");
}

/* From now on the repository is one that is elsewhere. */
static void name_source(const char *source)
{
	struct err e = { 0 };

	o.repo = source;
	if (repo_source_resolve(&s.src, &o, a, &e))
		fail_msg("%s", e.msg);
}

static int begin(void **state)
{
	static const char *const options[] = { "--embedder", "none" };

	(void)state;
	open_repository(NULL, make, options, LEN(options));
	name_source(arena_printf(a, "file://%s/repo", dir));
	return 0;
}

static const char *head(void)
{
	char text[60] = "";
	FILE *f = popen(arena_printf(a, "git -C %s/repo rev-parse HEAD", dir), "r");

	assert_non_null(f);
	assert_non_null(fgets(text, sizeof text, f));
	assert_int_equal(pclose(f), 0);
	return arena_strn(a, text, strcspn(text, "\n"));
}

static const char *indexed(void)
{
	struct index_info now;
	struct err e = { 0 };

	in_child(ingest_run);
	assert_int_equal(store_current(s.src.data, &now, &e), 0);
	return arena_str(a, now.commit);
}

static void a_mirror_is_made_and_follows(void **state)
{
	(void)state;
	in_child(fetch_process_run);
	assert_string_equal(reported(), "fetch 0 0\nunchanged\n");
	assert_string_equal(indexed(), head());
	run("echo 'def two(): return 2' >>a.py && git add -A");
	commit_staged(2, "ann@x.example", "two");
	assert_string_not_equal(indexed(), head()); /* not fetched yet */
	in_child(fetch_process_run);
	assert_string_equal(reported(), "fetch 0 0\nunchanged\n");
	assert_string_equal(indexed(), head());
}

static void a_remote_that_is_away(void **state)
{
	const char *is = arena_printf(a, "%s/repo", dir), *was = arena_printf(a, "%s/gone", dir);

	(void)state;
	in_child(fetch_process_run);
	assert_int_equal(rename(is, was), 0);
	assert_int_not_equal(child_status(fetch_process_run), 0);
	const char *text = reported(), *begins = "fetch 0 0\nerror UNAVAILABLE ";
	assert_memory_equal(text, begins, strlen(begins));
	assert_int_equal(text[strlen(text) - 1], '\n');
	assert_null(strstr(text, "unchanged"));
	assert_int_equal(rename(was, is), 0);
	in_child(fetch_process_run);
	assert_string_equal(reported(), "fetch 0 0\nunchanged\n");
}

static void a_source_that_is_none(void **state)
{
	(void)state;
	o.repo = "/nowhere/at/all";
	assert_int_not_equal(child_status(fetch_process_run), 0);
	const char *begins = "error NOT_FOUND ";
	assert_memory_equal(reported(), begins, strlen(begins));
}

/* Nobody has an index that could be copied; with one of its own, nobody is asked. */
static void an_index_that_nobody_has(void **state)
{
	(void)state;
	o.copy_index = true;
	in_child(fetch_process_run);
	assert_string_equal(reported(), "fetch 0 0\nunchanged\n");
	assert_string_equal(indexed(), head());
	in_child(fetch_process_run);
	assert_string_equal(reported(), "fetch 0 0\nunchanged\n");
}

static int end(void **state)
{
	repo_safe_mirror(NULL); /* its path goes */
	return close_repository(state);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_mirror_is_made_and_follows),
		TEST(a_remote_that_is_away),
		TEST(a_source_that_is_none),
		TEST(an_index_that_nobody_has),
	};

	repo_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
