/* The database: values in and out, transactions, copies, which rows have changed, and tables whose rows a program makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/db/db_changes.h"

static struct arena *a;
static char folder[] = "/tmp/atoll-db.XXXXXX";

static const char *at(const char *name)
{
	return arena_printf(a, "%s/%s", folder, name);
}

static struct db *open_db(const char *name, enum db_mode mode)
{
	struct err e = { 0 };
	struct db *d = db_open(*name == ':' ? name : at(name), mode, &e);

	if (!d)
		fail_msg("%s", e.msg);
	return d;
}

static void run(struct db *d, const char *sql)
{
	struct err e = { 0 };

	if (db_exec(d, sql, &e))
		fail_msg("%s: %s", sql, e.msg);
}

/* The rows of a query, `a|b;`; null is -. */
static const char *rows_of(struct db *d, const char *sql, int columns)
{
	struct err e = { 0 };
	struct stmt *s = db_prep_once(d, sql, &e);
	const char *all = "";
	int rc = -1;

	while (s && (rc = db_step(s, &e)) == 1)
		for (int i = 0; i < columns; i++)
			all = arena_printf(
			    a, "%s%s%s", all, db_null(s, i) ? "-" : db_str(s, i), i + 1 < columns ? "|" : ";");
	db_finalize(s);
	return rc ? arena_printf(a, "%s!%s", all, e.msg) : all;
}

static void values_in_and_out(void **state)
{
	struct db *d = open_db(":memory:", DB_CREATE);
	struct err e = { 0 };
	size_t n;

	(void)state;
	run(d, "create table t(i, f, s, s2, t, b, n)");
	assert_int_equal(db_run(d, &e, "insert into t values(?,?,?,?,?,?,?)", "ifsStbn", (int64_t)-5,
	                     1.5, "text", "static", "cut here", (size_t)3, "\0b", (size_t)2),
	    0);
	assert_int_equal(db_last_id(d), 1);
	assert_int_equal(db_changes(d), 1);
	assert_int_equal(db_run(d, &e, "insert into t values(?,?,?,?,?,?,?)", "ifsStbn", INT64_MAX, 0.0,
	                     NULL, NULL, "", (size_t)0, NULL, (size_t)0),
	    0);
	struct stmt *s = db_prep(d, "select * from t where i = ?", &e);
	assert_int_equal(db_bind(s, "i", (int64_t)-5), 0);
	assert_int_equal(db_step(s, &e), 1);
	assert_int_equal(db_int(s, 0), -5);
	assert_string_equal(db_str(s, 1), "1.5");
	assert_string_equal(db_str(s, 2), "text");
	assert_string_equal(db_str(s, 3), "static");
	assert_string_equal(db_str(s, 4), "cut");
	assert_memory_equal(db_blob(s, 5, &n), "\0b", 2);
	assert_int_equal(n, 2);
	assert_true(db_null(s, 6));
	assert_false(db_null(s, 5));
	assert_null(db_copy_text(s, 6, a));
	assert_string_equal(db_copy_text(s, 2, a), "text");
	assert_string_equal(db_str(s, 6), "");
	assert_int_equal(db_step(s, &e), 0);
	assert_ptr_equal(db_prep(d, "select 7", &e) == s, 0);
	assert_string_equal(
	    rows_of(d, "select s, s2, typeof(b), length(b), t from t where s is null", 5),
	    "-|-|blob|0|;");
	assert_int_equal(db_bind(s, "ss", "x", "y"), -1); /* there is one parameter */
	static const char again[] = "select ?";
	s = db_prep(d, again, &e);
	assert_int_equal(db_bind(s, "s", "bound"), 0);
	assert_int_equal(db_step(s, &e), 1);
	assert_ptr_equal(db_prep(d, again, &e), s); /* the same one, reset, with nothing bound */
	assert_int_equal(db_step(s, &e), 1);
	assert_true(db_null(s, 0));
	assert_int_equal(db_run(d, &e, "insert into t(i) values(?)", "ii", (int64_t)1, (int64_t)2), -1);
	assert_int_equal(db_run(d, &e, "insert into none values(1)", ""), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
	int64_t before = db_total_changes(d);
	run(d, "update t set n = 1");
	assert_int_equal(db_changes(d), 2);
	assert_int_equal(db_total_changes(d) - before, 2);
	db_finalize(NULL);
	db_close(d);
	db_close(NULL);
}

static void files_and_their_faults(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_null(db_open(at("none"), DB_READ, &e));
	assert_int_equal(e.code, ERR_NOT_FOUND);
	assert_string_equal(e.msg, arena_printf(a, "%s: unable to open database file", at("none")));
	assert_null(db_open(at("none"), DB_WRITE, &e));
	struct db *d = open_db("one", DB_CREATE);
	run(d, "create table t(x primary key); insert into t values('a')");
	struct db *reader = open_db("one", DB_READ);
	assert_string_equal(rows_of(reader, "select * from t", 1), "a;");
	assert_int_equal(db_exec(reader, "insert into t values('b')", &e), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_string_equal(
	    e.msg, "one: attempt to write a readonly database"); /* without the folder */
	struct db *writer = open_db("one", DB_WRITE);
	run(writer, "insert into t values('b')");
	db_close(writer);
	FILE *f = fopen(at("text"), "w");
	for (int i = 0; i < 2000; i++)
		fputs("no database ", f);
	fclose(f);
	struct db *bad = open_db("text", DB_READ);
	assert_non_null(strstr(rows_of(bad, "select * from t", 1), "file is not a database"));
	db_close(bad);
	struct db *plain = open_db(":memory:", DB_CREATE);
	assert_int_equal(db_exec(plain, "nonsense", &e), -1);
	assert_string_equal(e.msg, ":memory:: near \"nonsense\": syntax error");
	db_close(plain);

	assert_int_equal(db_copy(d, at("two"), &e), 0);
	struct db *copy = open_db("two", DB_READ);
	assert_string_equal(rows_of(copy, "select x, rowid from t", 2), "a|1;b|2;");
	db_close(copy);
	assert_int_equal(db_copy(d, "/no/such/copy", &e), -1);
	assert_int_equal(e.code, ERR_NOT_FOUND);
	run(d, "pragma journal_mode=wal");
	assert_int_equal(db_persist_wal(d, &e), 0);
	run(d, "insert into t values('c')");
	db_close(reader);
	db_close(d);
	assert_int_equal(access(at("one-wal"), F_OK), 0);
}

static void versions(void **state)
{
	struct db *d = open_db("versions", DB_CREATE), *other;
	struct err e = { 0 };

	(void)state;
	run(d, "pragma journal_mode=wal; create table t(x); insert into t values(1)");
	other = open_db("versions", DB_WRITE);
	uint64_t first = db_data_version(d);
	assert_true(db_data_version(d) == first);
	run(other, "insert into t values(2)");
	assert_string_equal(
	    rows_of(d, "select count(*) from t", 1), "2;"); /* a statement sees what others did */
	uint64_t second = db_data_version(d);
	assert_true(second != first);
	run(d, "insert into t values(3)");
	assert_true(db_data_version(d) != second);
	assert_int_equal(db_read_begin(d, &e), 0);
	assert_string_equal(rows_of(d, "select count(*) from t", 1), "3;");
	run(other, "insert into t values(4)");
	assert_string_equal(rows_of(d, "select count(*) from t", 1), "3;"); /* the same version */
	struct stmt *s = db_prep(d, "select x from t", &e);
	assert_int_equal(db_step(s, &e), 1); /* and left unread */
	db_read_end(d);
	assert_string_equal(rows_of(d, "select count(*) from t", 1), "4;");
	db_read_end(d);
	run(d, "begin; insert into t values(5)");
	db_read_end(d);
	assert_string_equal(rows_of(d, "select count(*) from t", 1), "4;");
	db_close(other);
	db_close(d);
}

static void statements_are_interrupted(void **state)
{
	static const char forever
	    [] = "with recursive n(i) as (select 1 union all select i+1 from n) select count(*) from n";
	struct db *d = open_db(":memory:", DB_CREATE);
	atomic_int cancelled = 1;
	struct err e = { 0 };

	(void)state;
	db_set_interrupt(d, &cancelled, 0);
	assert_int_equal(db_step(db_prep(d, forever, &e), &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_string_equal(e.msg, "stopped at the deadline");
	assert_string_equal(e.hint, "The question takes too long: ask for less, or again later.");
	db_set_interrupt(d, NULL, 1); /* long ago */
	assert_int_equal(db_step(db_prep(d, forever, &e), &e), -1);
	cancelled = 0;
	db_set_interrupt(d, &cancelled, INT64_MAX);
	assert_string_equal(
	    rows_of(d,
	        "with recursive n(i) as (select 1 union all select i+1 from n where i < 20000) select count(*) from n",
	        1),
	    "20000;");
	db_set_interrupt(d, NULL, 0);
	db_close(d);
}

/* ---- changed rows ---- */

static int note(void *arg, const struct db_row *r, struct err *e)
{
	static const char *const names[] = {
		[DB_ROW_INSERTED] = "+", [DB_ROW_UPDATED] = "~", [DB_ROW_DELETED] = "-"
	};

	(void)e;
	buf_printf(arg, "%s%s %d %s %d;", names[db_row_change(r)], db_row_table(r),
	    (int)db_row_int(r, 0), db_row_str(r, 1), db_row_column_changed(r, 1));
	return !strcmp(db_row_str(r, 1), "stop") ? 7 : 0;
}

static int broken(void *arg, const struct db_row *r, struct err *e)
{
	(void)arg, (void)r;
	return err_set(e, ERR_INTERNAL, "no");
}

static void rows_that_have_changed(void **state)
{
	static const char *const tables[] = { "t", "u" };
	struct db *d = open_db(":memory:", DB_CREATE);
	struct err e = { 0 };
	struct buf b = { 0 };

	(void)state;
	run(d,
	    "create table t(k integer primary key, v); create table u(k integer primary key, v); create table x(k integer primary key);"
	    "insert into t values(1, 'one'), (2, 'two'), (3, 'three'), (4, null)");
	struct db_changes *c = db_changes_begin(d, tables, 2, &e);
	assert_false(db_changes_any(c));
	assert_int_equal(db_changes_each(c, note, &b, &e), 0);
	assert_int_equal(b.n, 0);
	run(d, "insert into x values(1)"); /* is not watched */
	assert_false(db_changes_any(c));
	run(d,
	    "update t set v = 'zwei' where k = 2; delete from t where k = 3; insert into u values(9, null); delete from t where k = 4");
	assert_true(db_changes_any(c));
	assert_int_equal(db_changes_each(c, note, &b, &e), 0);
	const char *all = arena_strn(a, b.p, b.n);
	assert_non_null(strstr(all, "~t 2 two 1;"));
	assert_non_null(strstr(all, "-t 3 three 0;"));
	assert_non_null(strstr(all, "-t 4  0;"));
	assert_non_null(strstr(all, "+u 9  1;"));
	assert_int_equal(strlen(all), strlen("~t 2 two 1;-t 3 three 0;-t 4  0;+u 9  1;"));
	assert_int_equal(db_changes_each(c, broken, NULL, &e), -1);
	assert_string_equal(e.msg, "no");
	run(d, "insert into u values(10, 'stop')");
	assert_int_equal(db_changes_each(c, note, &b, &e), 7);
	db_changes_end(c);
	db_changes_end(NULL);
	buf_free(&b);
	db_close(d);
}

/* ---- tables of a program: the numbers 1 to 9, their names, and whether they are odd ---- */

struct numbers {
	int at, key, want;
};

static int opened, closed, dropped;

static const char *name_of(int n)
{
	static const char *const names[] = { "zero", "one", "two", "three", "four", "five", "six",
		"seven", "eight", "nine" };

	return names[n];
}

static void *open_numbers(void *arg, int key, const struct db_value *v, struct err *e)
{
	struct numbers *rows = calloc(1, sizeof *rows);

	opened++;
	assert_ptr_equal(arg, &dropped);
	*rows = (struct numbers){ .key = key, .want = (int)v->number };
	if (key == 1)
		for (int i = 1; i < 10; i++)
			if (v->text && !strcmp(v->text, name_of(i)))
				rows->want = i;
	if (key == 0 && v->number == 99) {
		free(rows);
		err_set(e, ERR_DB_ERROR, "cannot open 99");
		return NULL;
	}
	return rows;
}

static int next_number(void *arg, struct err *e)
{
	struct numbers *rows = arg;

	for (rows->at++; rows->at < 10; rows->at++) {
		if (rows->key == 2 && rows->at % 2 != rows->want)
			continue;
		if ((rows->key == 0 || rows->key == 1) && rows->at != rows->want)
			continue;
		if (rows->key == 2 && rows->at == 8)
			return err_set(e, ERR_DB_ERROR, "eight is broken");
		return 1;
	}
	return 0;
}

static void number_column(void *arg, int column, struct db_value *out)
{
	const struct numbers *rows = arg;

	if (column == 0)
		out->number = rows->at;
	else if (column == 1)
		out->text = name_of(rows->at);
	else if (column == 2)
		out->number = rows->at % 2;
	else
		out->null = rows->at < 5;
}

static void close_numbers(void *rows)
{
	closed++;
	free(rows);
}

static void drop(void *arg)
{
	++*(int *)arg;
}

static void tables_of_a_program(void **state)
{
	static const struct db_table numbers = { "numbers",
		"n integer, name text, odd integer, late integer", 3, open_numbers, next_number,
		number_column, close_numbers };
	/* clang-format off */
	static const struct { const char *sql; int columns; const char *rows; } asked[] = {
		{ "select n from numbers", 1, "1;2;3;4;5;6;7;8;9;" },
		{ "select * from numbers where n = 4", 4, "4|four|0|-;" }, { "select * from numbers where name = 'seven'", 4, "7|seven|1|0;" },
		{ "select n from numbers where odd = 1", 1, "1;3;5;7;9;" }, { "select n from numbers where n = 4 and odd = 1", 1, "" },
		{ "select n from numbers where n = 5 and name = 'five' and odd = 1", 1, "5;" }, { "select n from numbers where n > 7", 1, "8;9;" },
		{ "select n from numbers where n = null", 1, "" }, { "select n from numbers where late is null and n > 3", 1, "4;" },
		{ "select a.n, b.n from numbers a join numbers b on b.n = a.n + 7", 2, "1|8;2|9;" }, { "select n from numbers where n in (2, 3)", 1, "2;3;" },
		{ "select n from numbers where n = 99", 1, "!:memory:: cannot open 99" }, { "select n from numbers where odd = 0", 1, "2;4;6;!:memory:: eight is broken" },
		{ "select rowid, n from numbers where n > 8", 2, "9|9;" }, { "select n from numbers where n = 12", 1, "" },
		{ "insert into numbers values(1, 2, 3, 4)", 1, "!:memory:: table numbers may not be modified" },
	};
	/* clang-format on */
	struct db *d = open_db(":memory:", DB_CREATE);
	struct err e = { 0 };

	(void)state;
	assert_int_equal(db_add_table(d, &numbers, &dropped, drop, &e), 0);
	for (size_t i = 0; i < LEN(asked); i++) {
		const char *got = rows_of(d, asked[i].sql, asked[i].columns);
		if (strcmp(got, asked[i].rows))
			fail_msg("%s: %s", asked[i].sql, got);
	}
	assert_int_equal(opened, closed + 1); /* all but the one that could not be opened */
	db_close(d);
	assert_int_equal(dropped, 1);
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	const char *remove = arena_printf(a, "rm -rf %s", folder);

	(void)state;
	if (system(remove))
		return -1;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_in_and_out),
		cmocka_unit_test(files_and_their_faults),
		cmocka_unit_test(versions),
		cmocka_unit_test(statements_are_interrupted),
		cmocka_unit_test(rows_that_have_changed),
		cmocka_unit_test(tables_of_a_program),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
