/* Where SCIP indexes come from: files of the repository and one that an option names; what is said of those that are broken. */
#include "tests/indexed_repository.h"

#include "shard/index/scip_sources.h"

/* An index that says nothing: its one document is of no file here. */
#define NOTHING "\x12\x06\x0a\x04none"

static void write_file(const char *name, const void *bytes, size_t n)
{
	FILE *f = fopen(arena_printf(a, "%s/%s", dir, name), "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static void make(void)
{
	run("git init -q -b main . && mkdir lib && echo 'def one(): return two()' >a.py && echo 'def two(): return 2' >lib/b.py");
	write_file("repo/index.scip", "\xff\xff\xff", 3);
	write_file("repo/lib/empty.scip", NOTHING, sizeof NOTHING - 1);
	run("git add -A");
	commit_staged(1, "ann@x.example", "one");
}

static int begin(void **state)
{
	static const char *const options[] = { "--embedder", "none" };

	(void)state;
	open_repository(NULL, make, options, LEN(options));
	return 0;
}

/* `PATH REASON SIZE;` of what the index left out. */
static const char *skipped(bool force)
{
	struct err e = { 0 };
	const char *all = "";

	o.force = force;
	in_child(ingest_run);
	open_reader();
	struct stmt *q = db_prep(reader.db, "select path, reason, size from skipped order by path", &e);
	assert_non_null(q);
	while (db_step(q, &e) == 1)
		all = arena_printf(a, "%s%s %s %d;", all, db_str(q, 0), db_str(q, 1), (int)db_int(q, 2));
	return all;
}

static void which_files_are_indexes(void **state)
{
	static const struct {
		const char *path;
		bool is;
	} cases[] = { { "index.scip", true }, { "a/b.scip", true }, { ".scip", false },
		{ "a/.scip", false }, { "scip", false }, { "a.scip.gz", false }, { "a.scipx", false },
		{ "x.SCIP", false }, { "", false }, { "..scip", true } };

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		if (scip_sources_is_path(cases[i].path) != cases[i].is)
			fail_msg("%s", cases[i].path);
}

/* A broken one is left out, and the rest of the index is made. */
static void files_of_the_repository(void **state)
{
	(void)state;
	assert_string_equal(skipped(false), "index.scip broken SCIP index 3;");
	assert_int_equal(reader.info.files, 2);
	write_file("repo/lib/empty.scip", "\xff", 1);
	run("git rm -q index.scip && git add -A");
	commit_staged(2, "ann@x.example", "another");
	assert_string_equal(skipped(false), "lib/empty.scip broken SCIP index 1;");
	assert_string_equal(skipped(true), "lib/empty.scip broken SCIP index 1;");
}

static void a_file_that_is_given(void **state)
{
	const char *given = arena_printf(a, "%s/given", dir);

	(void)state;
	o.scip = given;
	assert_string_equal(skipped(false),
	    arena_printf(a, "%s broken SCIP index 0;index.scip broken SCIP index 3;", given));
	write_file("given", NOTHING, sizeof NOTHING - 1);
	assert_string_equal(skipped(false), "index.scip broken SCIP index 3;");
	write_file("given", "\xff\xff\xff\xff", 4);
	assert_string_equal(skipped(false),
	    arena_printf(a, "%s broken SCIP index 4;index.scip broken SCIP index 3;", given));
	o.scip = "";
	assert_string_equal(skipped(false), "index.scip broken SCIP index 3;");
}

static const char *fingerprint(const char *given)
{
	struct buf b = { 0 };

	buf_str(&b, "before");
	scip_sources_fingerprint(given, &b);
	const char *text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

static void fingerprints(void **state)
{
	const char *given = arena_printf(a, "%s/given", dir);

	(void)state;
	assert_string_equal(fingerprint(""), "before");
	assert_string_equal(fingerprint(given), "before scip unreadable");
	assert_string_equal(fingerprint(dir), "before scip unreadable");
	write_file("given", "", 0);
	assert_string_equal(fingerprint(given),
	    "before scip e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	write_file("given", "abc", 3);
	assert_string_equal(fingerprint(given),
	    "before scip ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, close_repository)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(which_files_are_indexes),
		TEST(files_of_the_repository),
		TEST(a_file_that_is_given),
		TEST(fingerprints),
	};

	repo_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
