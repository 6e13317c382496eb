/* How many calls of a repository are known, and why others are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "proto/record/record.h"
#include "shard/handlers/call_counts.h"

static struct arena *a;
static struct db *db;
static struct err e;

static int begin(void **state)
{
	(void)state;
	e = (struct err){ 0 };
	a = arena_new();
	db = db_open(":memory:", DB_CREATE, &e);
	return !db ||
	    db_exec(db,
	        "create table contracts (id integer primary key, file integer, line integer, joined integer, fact blob);"
	        "create table files (id integer primary key, path text); insert into files values (1, 'a.js')",
	        &e);
}

static int end(void **state)
{
	(void)state;
	db_close(db);
	arena_free(a);
	return 0;
}

static void add(struct fact f, int joined)
{
	struct buf b = { 0 };

	f.file = f.file ? f.file : "a.js";
	f.kind = "http";
	codec_put(&rec_fact, &f, &b);
	int rc = db_run(db, &e, "insert into contracts (file, line, joined, fact) values (1, ?, ?, ?)",
	    "iib", (int64_t)f.line, (int64_t)joined, b.p, b.n);
	assert_int_equal(rc, 0);
	buf_free(&b);
}

static const char *counted(void)
{
	struct status_res out = { 0 };
	const char *all = "";

	assert_int_equal(call_counts_read(db, &out, a, &e), 0);
	for (size_t i = 0; i < out.calls.n; i++) {
		const struct call_count *c = &out.calls.v[i];
		all = arena_printf(
		    a, "%s%s %llu %s; ", all, c->reason, (unsigned long long)c->calls, c->example);
	}
	return all;
}

#define CALL .side = "consumes"

static void reasons_in_order(void **state)
{
	(void)state;
	assert_string_equal(counted(), "");
	add((struct fact){ CALL, .line = 9 }, 0);
	add((struct fact){ CALL, .line = 3, .file = "b.js" }, 1);
	add((struct fact){ CALL, .line = 4, .reason = "dynamic", .why = "call" }, 0);
	add((struct fact){ CALL, .line = 5, .reason = "dynamic", .why = "call" }, 0);
	add((struct fact){ CALL, .line = 6, .reason = "dynamic", .why = "call" }, 0);
	add((struct fact){ CALL, .line = 7, .reason = "dynamic", .why = "name" }, 0);
	add((struct fact){ CALL, .line = 8, .reason = "dynamic" }, 0);
	add((struct fact){ .side = "provides", .line = 1 }, 0);
	add((struct fact){ CALL, .line = 2 }, 4); /* a part of another one */
	assert_string_equal(
	    counted(), "call 3 a.js:4; resolved 2 b.js:3; name 1 a.js:7; unknown 1 a.js:8; ");
}

static void not_more_than_some_reasons(void **state)
{
	(void)state;
	for (int i = 0; i < 34; i++) {
		const char *why = arena_printf(a, "why%02d", i);
		add((struct fact){ CALL, .line = (uint64_t)i, .reason = "dynamic", .why = why }, 0);
	}
	add((struct fact){ CALL, .line = 99, .reason = "dynamic", .why = "why31" }, 0);
	const char *all = counted();
	assert_memory_equal(all, "why31 2 a.js:31; why00 1", 24);
	assert_non_null(strstr(all, "why30 1"));
	assert_null(strstr(all, "why32"));
}

static void damage(void **state)
{
	struct status_res out = { 0 };

	(void)state;
	add((struct fact){ CALL }, 0);
	assert_int_equal(db_exec(db, "update contracts set fact = x'c1'", &e), 0);
	assert_int_equal(call_counts_read(db, &out, a, &e), -1);
	assert_int_equal(out.calls.n, 0);
}

static void no_table(void **state)
{
	struct status_res out = { 0 };

	(void)state;
	assert_int_equal(db_exec(db, "drop table contracts", &e), 0);
	assert_int_equal(call_counts_read(db, &out, a, &e), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reasons_in_order),
		TEST(not_more_than_some_reasons),
		TEST(damage),
		TEST(no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
