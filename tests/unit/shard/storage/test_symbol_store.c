/* Definitions on disk: what is put is had again as the table `symbols`, by id, name and file; damage is an error. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/process/embedded.h"
#include "proto/text/symbol_match.h"
#include "shard/storage/symbol_store.h"

static struct err e;
static struct db *db;
static struct arena *a;

static int setup(void **state)
{
	(void)state;
	e = (struct err){ 0 };
	a = arena_new();
	db = db_open(":memory:", DB_CREATE, &e);
	return !db || db_exec(db, embedded_contents("shard/index/schema.sql"), &e) || symbols_register_table(db, &e);
}

static int teardown(void **state)
{
	(void)state;
	db_close(db);
	arena_free(a);
	return 0;
}

#define OF(file, number) ((int64_t)(file) << SYMBOL_BITS | (number))

/* A type, a method of it, one that is named after it but elsewhere, an overload. */
static void some(int64_t file, struct stored_symbols *out)
{
	static struct stored_symbol v[4];

	v[0] = (struct stored_symbol){ OF(file, 1), 0, -1, "User_Repo", "User_Repo", "class", NULL, "Keeps users.", 3, 40, 100, 900, 1, 0, 0 };
	v[1] = (struct stored_symbol){ OF(file, 9), OF(file, 1), 0, "find", "User_Repo.find", "method", "find(id)",
	    NULL, 5, 9, 140, 200, 0, 1, 0 };
	v[2] = (struct stored_symbol){ OF(file, 3), 0, -1, "find", "User_Repo.find", "method", "a\1find()", "Finds\nall.", 2, 2, 50, 60, 1, 1, 1 };
	v[3] = (struct stored_symbol){ OF(file, 4), 0, -1, "\xc3\xa9t\xc3\xa9", "a.\xc3\xa9t\xc3\xa9", "section",
	    NULL, NULL, 900, 901, 70000, 70001, 0, 0, 0 };
	*out = (struct stored_symbols){ v, LEN(v) };
}

/* What a statement with one parameter gives, rows by `;`, columns by `,`, null as `-`. */
static const char *asked(const char *sql, int columns, const char *letter, int64_t number, const char *text)
{
	struct stmt *s = db_prep(db, sql, &e);
	const char *out = "";
	int rc;

	assert_non_null(s);
	assert_int_equal(*letter == 'i' ? db_bind(s, letter, number) : db_bind(s, letter, text), 0);
	while ((rc = db_step(s, &e)) == 1)
		for (int i = 0; i < columns; i++)
			out = arena_printf(a, "%s%s%s", out, db_null(s, i) ? "-" : db_str(s, i), i + 1 < columns ? "," : ";");
	if (rc)
		fail_msg("%s", e.msg);
	return out;
}

static void had_again(void **state)
{
	struct stored_symbols s, got;

	(void)state;
	some(7, &s);
	assert_int_equal(symbols_put(db, 7, SYMBOLS_MAJOR, &s, NULL, &e), 0);
	assert_int_equal(symbols_read(db, 7, a, &got, &e), 0);
	assert_int_equal(got.n, s.n);
	for (size_t i = 0; i < s.n; i++) {
		const struct stored_symbol *x = &s.v[i], *y = &got.v[i];
		assert_true(x->id == y->id && x->parent == y->parent && x->ordinal == y->ordinal && x->exported == y->exported && x->test == y->test);
		assert_true(x->start_line == y->start_line && x->end_line == y->end_line && x->start_byte == y->start_byte && x->end_byte == y->end_byte);
		assert_string_equal(x->name, y->name);
		assert_string_equal(x->qualified, y->qualified);
		assert_string_equal(x->kind, y->kind);
	}
	assert_int_equal(symbols_read(db, 8, a, &got, &e), 0);
	assert_int_equal(got.n, 0);
	assert_string_equal(asked("select name, qualified, kind, signature, doc, start_line, end_line, start_byte, end_byte, exported, test, ordinal,"
	    " place from symbols where id = ?", 13, "i", OF(7, 3), NULL), "find,User_Repo.find,method,a\1find(),Finds\nall.,2,2,50,60,1,1,1,2;");
	assert_string_equal(asked("select s.key, s.signature, s.doc, p.name, s.file from symbols s left join symbols p on p.id = s.parent where s.id = ?",
	    5, "i", OF(7, 9), NULL), "find,find(id),-,User_Repo,7;");
	assert_string_equal(asked("select parent, signature, doc from symbols where id = ?", 3, "i", OF(7, 4), NULL), "-,-,-;");
	assert_string_equal(asked("select name from symbols where id = ?", 1, "i", OF(7, 2), NULL), "");
	assert_string_equal(asked("select name from symbols where id = ?", 1, "i", OF(8, 1), NULL), "");
	assert_string_equal(asked("select count(*), max(id) - ? from symbols", 2, "i", OF(7, 0), NULL), "4,9;");
	assert_string_equal(asked("select id - ? from symbols where parent is null and exported order by start_line",
	    1, "i", OF(7, 0), NULL), "3;1;");
}

/* By name in several files, as they change: what a reader sees follows. */
static void by_name(void **state)
{
	static const char files[] = "select file, place from symbols where key = ? order by file, place";
	struct stored_symbols s;
	struct buf keys = { 0 };

	(void)state;
	some(300, &s);
	assert_int_equal(symbols_put(db, 300, SYMBOLS_MAJOR, &s, &keys, &e), 0);
	some(2, &s);
	assert_int_equal(symbols_put(db, 2, SYMBOLS_MAJOR, &s, &keys, &e), 0);
	assert_int_equal(symbols_write_names(db, SYMBOLS_MAJOR, &keys, &e), 0);
	assert_string_equal(asked(files, 2, "s", 0, symbol_key("userRepo", a)), "2,0;300,0;");
	assert_string_equal(asked(files, 2, "s", 0, "find"), "2,1;2,2;300,1;300,2;");
	assert_string_equal(asked(files, 2, "s", 0, "\xc3\xa9t\xc3\xa9"), "2,3;300,3;");
	assert_string_equal(asked(files, 2, "s", 0, "fin"), "");
	assert_string_equal(
	    asked(files, 2, "s", 0, "find\nnothing\nuserrepo"), "2,0;2,1;2,2;300,0;300,1;300,2;");
	assert_string_equal(asked(files, 2, "s", 0, NULL), "");

	s.v[1].name = "seek", s.v[1].qualified = "User_Repo.seek";
	s.n = 2;
	assert_int_equal(symbols_put(db, 2, SYMBOLS_MAJOR, &s, NULL, &e), 0);
	assert_string_equal(asked(files, 2, "s", 0, "find"), "300,1;300,2;");
	assert_string_equal(asked(files, 2, "s", 0, "seek"), "2,1;");
	assert_string_equal(asked(files, 2, "s", 0, "userrepo"), "2,0;300,0;");
	assert_int_equal(
	    symbols_put(db, 300, SYMBOLS_MAJOR, &(struct stored_symbols){ 0 }, NULL, &e), 0);
	assert_int_equal(symbols_put(db, 2, SYMBOLS_MAJOR, &(struct stored_symbols){ 0 }, NULL, &e), 0);
	assert_string_equal(asked("select (select count(*) from definitions) + (select count(*) from told) + (select count(*) from named) + ?",
	    1, "i", 0, NULL), "0;");
}

/* Minor names are found by name and by id, and not among the definitions. */
static void minor_names(void **state)
{
	struct stored_symbol limit = { .up = -1, .name = "limit", .qualified = "limit",
		.kind = "variable", .start_line = 4, .end_line = 4, .start_byte = 40, .end_byte = 50 };
	const struct stored_symbols s = { &limit, 1 };
	static const char files[] = "select file, place from minor_symbols where key = ?";
	uint64_t before, counted;

	(void)state;
	assert_int_equal(symbols_count_files(db, "limit", &before, &e), 0);
	assert_int_equal(symbols_put(db, 5, SYMBOLS_MINOR, &s, NULL, &e), 0);
	assert_string_equal(asked(files, 2, "s", 0, "limit"), "5,0;");
	assert_int_equal(symbols_count_files(db, "limit", &counted, &e), 0);
	assert_int_equal(counted, before + 1);
	assert_string_equal(asked("select count(*) from symbols where key = ?", 1, "s", 0, "limit"), "0;");
	assert_string_equal(asked("select name, kind, parent from symbols where id = ?", 3, "i",
	    OF(5, SYMBOL_MINOR | 1), NULL), "limit,variable,-;");
	assert_int_equal(
	    symbols_put(db, 5, SYMBOLS_MINOR, &(struct stored_symbols){ 0 }, NULL, &e), 0);
	assert_string_equal(asked(files, 2, "s", 0, "limit"), "");
}

/* Many minor names of a file are stored compressed, and read like others. */
static void many_minor_names(void **state)
{
	enum { MANY = 1000 };
	static struct stored_symbol v[MANY];
	static char names[MANY][24];
	const struct stored_symbols s = { v, MANY };

	(void)state;
	for (int i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof names[i], "minor%d", i);
		v[i] = (struct stored_symbol){ .up = i % 2 - 1,
			.name = names[i],
			.qualified = names[i],
			.kind = "variable",
			.start_line = i,
			.end_line = i,
			.start_byte = i,
			.end_byte = i };
	}
	assert_int_equal(symbols_put(db, 5, SYMBOLS_MINOR, &s, NULL, &e), 0);
	static const char packed[] = "select hex(substr(data, 1, 1)) = '00' from minors where file = ?";
	assert_string_equal(asked(packed, 1, "i", 5, NULL), "1;");
	static const char place[] = "select place from minor_symbols where key = ?";
	assert_string_equal(asked(place, 1, "s", 0, "minor999"), "999;");
	assert_int_equal(symbols_put(db, 5, SYMBOLS_MINOR, &(struct stored_symbols){ 0 }, NULL, &e), 0);
	assert_string_equal(asked(place, 1, "s", 0, "minor999"), "");
}

/* A file whose names are asked for again and again gives the same answers by its index of keys. */
static void many_searches(void **state)
{
	static const char places[] = "select place from symbols where key = ? order by place";
	struct stored_symbols s;

	(void)state;
	some(6, &s);
	assert_int_equal(symbols_put(db, 6, SYMBOLS_MAJOR, &s, NULL, &e), 0);
	for (int i = 0; i < 40; i++) {
		assert_string_equal(asked(places, 1, "s", 0, "find"), "1;2;");
		assert_string_equal(asked(places, 1, "s", 0, "userrepo"), "0;");
		assert_string_equal(asked(places, 1, "s", 0, "found"), "");
	}
	assert_int_equal(
	    symbols_put(db, 6, SYMBOLS_MAJOR, &(struct stored_symbols){ 0 }, NULL, &e), 0);
}

/* More files, and more of them large, than are kept in memory, in one order and again. */
static void more_files_than_are_kept(void **state)
{
	enum { LARGE_ONES = 6, SMALL_ONES = 40, MANY = 2001 };
	static struct stored_symbol v[MANY];
	static char names[MANY][24];

	(void)state;
	for (int file = 1; file <= LARGE_ONES + SMALL_ONES; file++) {
		size_t n = file <= LARGE_ONES ? MANY : 3;
		for (size_t i = 0; i < n; i++) {
			snprintf(names[i], sizeof names[i], "name%dof%zu", file, i);
			v[i] = (struct stored_symbol){ .id = OF(file, i + 1),
				.up = -1,
				.name = names[i],
				.qualified = names[i],
				.kind = "variable",
				.start_line = (int64_t)i + 1,
				.end_line = (int64_t)i + 1 };
		}
		assert_int_equal(
		    symbols_put(db, file, SYMBOLS_MAJOR, &(struct stored_symbols){ v, n }, NULL, &e), 0);
	}
	for (int round = 0; round < 3; round++)
		for (int file = 1; file <= LARGE_ONES + SMALL_ONES; file++) {
			int last = file <= LARGE_ONES ? MANY : 3;
			assert_string_equal(
			    asked("select name from symbols where id = ?", 1, "i", OF(file, last), NULL),
			    arena_printf(a, "name%dof%d;", file, last - 1));
			assert_string_equal(
			    asked("select count(*) from symbols where file = ?", 1, "i", file, NULL),
			    arena_printf(a, "%d;", last));
		}
}

/* Every cut of a blob, and bytes that mean nothing, are an error or definitions, never more than was read. */
static void damage(void **state)
{
	struct stored_symbols s, got;
	struct buf whole = { 0 };
	size_t n;

	(void)state;
	some(1, &s);
	assert_int_equal(symbols_put(db, 1, SYMBOLS_MAJOR, &s, NULL, &e), 0);
	struct stmt *q = db_prep(db, "select data from definitions", &e);
	assert_int_equal(db_step(q, &e), 1);
	const void *p = db_blob(q, 0, &n);
	buf_put(&whole, p, n);
	db_step(q, &e);
	for (size_t cut = 0; cut < whole.n; cut++) {
		e = (struct err){ 0 };
		assert_int_equal(db_run(db, &e, "update definitions set data = ?", "b", whole.p, cut), 0);
		assert_int_equal(symbols_read(db, 1, a, &got, &e), -1);
		assert_int_equal(e.code, ERR_DB_ERROR);
	}
	for (int byte = 0; byte < 256; byte++) {
		char junk[60];
		memset(junk, byte, sizeof junk);
		e = (struct err){ 0 };
		assert_int_equal(db_run(db, &e, "update definitions set data = ?", "b", junk, sizeof junk), 0);
		if (symbols_read(db, 1, a, &got, &e))
			assert_int_equal(e.code, ERR_DB_ERROR);
		e = (struct err){ 0 };
		assert_int_equal(db_run(db, &e, "update named set data = ?", "b", junk, sizeof junk), 0);
		struct stmt *by = db_prep(db, "select name from symbols where key = ?", &e);
		assert_int_equal(db_bind(by, "s", "find"), 0);
		while (db_step(by, &e) == 1)
			;
		if (e.code)
			assert_int_equal(e.code, ERR_DB_ERROR);
	}
	buf_free(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(had_again, setup, teardown),
		cmocka_unit_test_setup_teardown(by_name, setup, teardown),
		cmocka_unit_test_setup_teardown(minor_names, setup, teardown),
		cmocka_unit_test_setup_teardown(many_minor_names, setup, teardown),
		cmocka_unit_test_setup_teardown(many_searches, setup, teardown),
		cmocka_unit_test_setup_teardown(more_files_than_are_kept, setup, teardown),
		cmocka_unit_test_setup_teardown(damage, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
