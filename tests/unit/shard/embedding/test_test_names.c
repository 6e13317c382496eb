/* Which file a test describes, and by which names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "shard/embedding/test_names.h"

static struct arena *a;
static struct db *db;
static struct err e;

static int begin(void **state)
{
	static const char tables[] =
	    "create table files (id integer primary key, path text, language text, test integer);"
	    "create table symbols (id integer primary key, name text, kind text);"
	    "create table docs (id integer primary key, file integer, symbol integer, start_line integer)";

	(void)state;
	e = (struct err){ 0 };
	a = arena_new();
	db = db_open(":memory:", DB_CREATE, &e);
	return !db || db_exec(db, tables, &e);
}

static int end(void **state)
{
	(void)state;
	db_close(db);
	arena_free(a);
	return 0;
}

static void run(const char *sql)
{
	if (db_exec(db, sql, &e))
		fail_msg("%s: %s", sql, e.msg);
}

static int64_t add_file(const char *language, const char *path, bool test)
{
	run(arena_printf(a, "insert into files (path, language, test) values ('%s', '%s', %d)", path,
	    language, test));
	return db_last_id(db);
}

static void add_symbol(int64_t file, const char *name, const char *kind, int line)
{
	run(arena_printf(a, "insert into symbols (name, kind) values ('%s', '%s')", name, kind));
	run(arena_printf(a, "insert into docs (file, symbol, start_line) values (%d, %d, %d)",
	    (int)file, (int)db_last_id(db), line));
}

static const char *names_of(const char *path)
{
	struct test_names *t = test_names_read(db, &e);

	if (!t)
		fail_msg("%s", e.msg);
	const char *names = test_names_of(t, path), *copy = "none";
	if (names)
		copy = arena_str(a, names);
	test_names_free(t);
	return copy;
}

/* A test and a file: whether the one describes the other. */
static void stems(void **state)
{
	static const struct {
		const char *language, *test, *file;
		bool same;
	} cases[] = {
		{ "python", "tests/test_pool.py", "src/pool.py", true },
		{ "go", "a/pool_test.go", "a/pool.go", true },
		{ "go", "a/pool-test.go", "b/pool.go", true },
		{ "typescript", "pool.test.ts", "pool.ts", true },
		{ "typescript", "pool.spec.ts", "pool.ts", true },
		{ "ruby", "pool_spec.rb", "pool.rb", true },
		{ "ruby", "pool-spec.rb", "pool.rb", true },
		{ "csharp", "PoolTests.cs", "Pool.cs", true },
		{ "java", "PoolTest.java", "Pool.java", true },
		{ "scala", "PoolSpec.scala", "Pool.scala", true },
		{ "java", "TestPool.java", "Pool.java", false },
		{ "java", "PoolTest.java", "Pools.java", false },
		{ "java", "UserPoolTest.java", "user_pool.java", true },
		{ "java", "User2PoolTest.java", "user_2-pool.java", true },
		{ "python", "test_pool_test.py", "pool.py", true },
		{ "python", "test_.py", "x.py", false },
		{ "python", "tests.py", "tests.py2", true },
		{ "go", "pool_test", "pool", true },
		{ "go", "_test.go", "x.go", false },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		run("delete from files; delete from symbols; delete from docs");
		add_file(cases[i].language, cases[i].file, false);
		add_file("other", "pool.other", false);
		add_symbol(add_file(cases[i].language, cases[i].test, true), "waits_for_it", "function", 1);
		bool same = strcmp(names_of(cases[i].file), "none") != 0;
		if (same != cases[i].same)
			fail_msg("%s and %s", cases[i].test, cases[i].file);
	}
}

static void another_language(void **state)
{
	(void)state;
	add_file("go", "pool.go", false);
	add_symbol(add_file("python", "test_pool.py", true), "waits_for_it", "function", 1);
	assert_string_equal(names_of("pool.go"), "none");
}

/* Which of two files it is about cannot be known. */
static void two_files_of_one_stem(void **state)
{
	(void)state;
	add_file("go", "a/pool.go", false);
	add_file("go", "b/pool.go", false);
	add_symbol(add_file("go", "a/pool_test.go", true), "waits_for_it", "function", 1);
	assert_string_equal(names_of("a/pool.go"), "none");
	assert_string_equal(names_of("b/pool.go"), "none");
}

static void names_that_tell_something(void **state)
{
	(void)state;
	add_file("go", "pool.go", false);
	int64_t later = add_file("go", "z/pool_test.go", true),
	        test = add_file("go", "pool_test.go", true);
	add_symbol(later, "TestIsEmptyAtFirst", "method", 1);
	add_symbol(test, "TestGivesItBack", "function", 9);
	add_symbol(test, "TestPool", "function", 4);
	add_symbol(test, "test_waits_here", "function", 2);
	add_symbol(test, "PoolOfThings", "class", 1);
	add_symbol(add_file("go", "other_test.go", true), "is_not_about_it", "function", 1);
	assert_string_equal(
	    names_of("pool.go"), "test_waits_here\nTestGivesItBack\nTestIsEmptyAtFirst");
	assert_string_equal(names_of("pool_test.go"), "none");
	assert_string_equal(names_of("nowhere"), "none");
	test_names_free(NULL);
}

static void not_more_than_some(void **state)
{
	(void)state;
	add_file("go", "pool.go", false);
	int64_t test = add_file("go", "pool_test.go", true);
	struct buf want = { 0 };
	for (int i = 0; i < TEST_NAMES_MAX + 2; i++) {
		const char *name = arena_printf(a, "waits_for_%c%c", 'a' + i / 26, 'a' + i % 26);
		add_symbol(test, name, "function", i);
		if (i < TEST_NAMES_MAX)
			buf_printf(&want, "%s%s", i ? "\n" : "", name);
	}
	assert_string_equal(names_of("pool.go"), want.p);
	buf_free(&want);
}

static void a_damaged_index(void **state)
{
	(void)state;
	add_file("go", "pool.go", false);
	add_symbol(add_file("go", "pool_test.go", true), "waits_for_it", "function", 1);
	run("drop table symbols");
	assert_null(test_names_read(db, &e));
	assert_int_equal(e.code, ERR_DB_ERROR);
	e = (struct err){ 0 };
	run("drop table files");
	assert_null(test_names_read(db, &e));
	assert_int_equal(e.code, ERR_DB_ERROR);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(stems),
		TEST(another_language),
		TEST(two_files_of_one_stem),
		TEST(names_that_tell_something),
		TEST(not_more_than_some),
		TEST(a_damaged_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
