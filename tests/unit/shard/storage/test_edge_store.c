/* Edges on disk: what is put is had again, from both ends; damage is an error. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/process/embedded.h"
#include "shard/base/varint.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/symbol_store.h"

#define OF(file, number) ((int64_t)(file) << SYMBOL_BITS | (number))

static struct err e;
static struct db *db;
static struct arena *a;

static int setup(void **state)
{
	(void)state;
	e = (struct err){ 0 };
	a = arena_new();
	db = db_open(":memory:", DB_CREATE, &e);
	return !db || db_exec(db, embedded_contents("shard/index/schema.sql"), &e);
}

static int teardown(void **state)
{
	(void)state;
	db_close(db);
	arena_free(a);
	return 0;
}

static void into_is(int64_t file, size_t n, const int64_t *want)
{
	int64_t *files;
	size_t got;

	assert_int_equal(edges_incoming_files(db, file, a, &files, &got, &e), 0);
	assert_int_equal(got, n);
	assert_true(!n || !memcmp(files, want, n * sizeof *want));
}

static void had_again(void **state)
{
	struct stored_edge v[] = {
		{ .source = OF(4, 900000), .target = OF(2, 7), .target_file = 2, .kind = 4, .confidence = 95, .line = 12, .reason = "import" },
		{ .source = OF(4, 5), .target = 0, .target_file = 900, .kind = 3, .confidence = 100, .line = 1, .reason = "import" },
		{ .source = OF(4, 5), .target = OF(4, (1 << SYMBOL_BITS) - 1), .target_file = 4, .kind = 4,
		  .confidence = 0, .line = 4000000000u, .reason = "" },
		{ .source = 0, .target = OF(4, 6), .target_file = 4, .kind = 4, .confidence = 95, .line = 12, .reason = "import" },
	};
	static const size_t order[] = { 3, 1, 2, 0 };	/* by source, kind, target file */
	struct stored_edge copy[LEN(v)];
	struct stored_edges got;

	(void)state;
	memcpy(copy, v, sizeof v);
	assert_int_equal(edges_put(db, 4, copy, LEN(v), &e), 0);
	assert_int_equal(edges_read(db, 4, a, &got, &e), 0);
	assert_int_equal(got.n, LEN(v));
	for (size_t i = 0; i < got.n; i++) {
		const struct stored_edge *x = &got.v[i], *w = &v[order[i]];
		assert_true(x->source == w->source && x->target == w->target && x->target_file == w->target_file);
		assert_true(x->kind == w->kind && x->confidence == w->confidence && x->line == w->line);
		assert_string_equal(x->reason, w->reason);
	}
	into_is(2, 1, (int64_t[]){ 4 });
	into_is(4, 1, (int64_t[]){ 4 });
	into_is(900, 1, (int64_t[]){ 4 });
	into_is(3, 0, NULL);
	assert_int_equal(edges_read(db, 5, a, &got, &e), 0);
	assert_int_equal(got.n, 0);
}

static void replaced_and_dropped(void **state)
{
	struct stored_edge x = { .source = 1, .target = 2, .target_file = 9, .kind = 4, .confidence = 90, .line = 3, .reason = "self" };
	struct stored_edge y = x;
	struct stored_edges got;

	(void)state;
	assert_int_equal(edges_put(db, 1, &x, 1, &e), 0);
	assert_int_equal(edges_put(db, 2, &x, 1, &e), 0);
	into_is(9, 2, (int64_t[]){ 1, 2 });
	y.target_file = 8;
	assert_int_equal(edges_put(db, 1, &y, 1, &e), 0);
	into_is(9, 1, (int64_t[]){ 2 });
	into_is(8, 1, (int64_t[]){ 1 });
	assert_int_equal(edges_put(db, 1, NULL, 0, &e), 0);
	into_is(8, 0, NULL);
	assert_int_equal(edges_delete(db, 2, &e), 0);
	into_is(9, 0, NULL);
	assert_int_equal(edges_read(db, 2, a, &got, &e), 0);
	assert_int_equal(got.n, 0);
	assert_int_equal(edges_delete(db, 2, &e), 0);
}

/* Every cut of a blob, and bytes that mean nothing, are an error or fewer edges, never more than was read. */
static void damage(void **state)
{
	struct stored_edge v[20];
	struct stored_edges got;
	struct buf whole = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(v); i++)
		v[i] = (struct stored_edge){ .source = (int64_t)i * 300, .target = 70000 - (int64_t)i, .target_file = 1 + (int64_t)i % 3,
			.kind = 4, .confidence = (int)i * 5, .line = (uint32_t)i * 100, .reason = i % 2 ? "type" : "scip:x" };
	assert_int_equal(edges_put(db, 1, v, LEN(v), &e), 0);
	struct stmt *s = db_prep(db, "select data from edges", &e);
	assert_int_equal(db_step(s, &e), 1);
	size_t n;
	const void *p = db_blob(s, 0, &n);
	buf_put(&whole, p, n);
	db_step(s, &e);
	for (size_t cut = 0; cut < whole.n; cut++) {
		e = (struct err){ 0 };
		assert_int_equal(db_run(db, &e, "update edges set data = ?", "b", whole.p, cut), 0);
		if (!edges_read(db, 1, a, &got, &e))
			assert_true(got.n < LEN(v));
		else
			assert_int_equal(e.code, ERR_DB_ERROR);
	}
	for (int byte = 0; byte < 256; byte++) {
		char junk[40];
		memset(junk, byte, sizeof junk);
		e = (struct err){ 0 };
		assert_int_equal(db_run(db, &e, "update edges set data = ?", "b", junk, sizeof junk), 0);
		if (edges_read(db, 1, a, &got, &e))
			assert_int_equal(e.code, ERR_DB_ERROR);
	}
	buf_free(&whole);
}

/* Enough edges to be packed. */
static void many(void **state)
{
	struct stored_edge v[400];
	struct stored_edges got;
	size_t n;

	(void)state;
	for (size_t i = 0; i < LEN(v); i++)
		v[i] = (struct stored_edge){ .source = symbol_id(1, 1 + (int64_t)i), .target_file = 2, .target = symbol_id(2, 7), .kind = 4,
			.confidence = 90, .line = (uint32_t)i * 3, .reason = "type" };
	assert_int_equal(edges_put(db, 1, v, LEN(v), &e), 0);
	assert_int_equal(edges_read(db, 1, a, &got, &e), 0);
	assert_int_equal(got.n, LEN(v));
	for (size_t i = 0; i < LEN(v); i++) {
		assert_int_equal(got.v[i].source, v[i].source);
		assert_int_equal(got.v[i].target, v[i].target);
		assert_int_equal(got.v[i].line, v[i].line);
		assert_string_equal(got.v[i].reason, "type");
	}
	struct stmt *s = db_prep(db, "select data from edges", &e);
	assert_int_equal(db_step(s, &e), 1);
	const char *p = db_blob(s, 0, &n);
	assert_true(n < 5 * LEN(v) / 2);
	char *copy = arena_strn(a, p, n);
	db_step(s, &e);
	for (size_t i = 0; i < n; i++) {	/* any other byte is damage */
		e = (struct err){ 0 };
		copy[i] ^= 64;
		assert_int_equal(db_run(db, &e, "update edges set data = ?", "b", copy, n), 0);
		if (edges_read(db, 1, a, &got, &e))
			assert_int_equal(e.code, ERR_DB_ERROR);
		copy[i] ^= 64;
	}
}

/* The numbers that edges, symbols and keys are made of: all that fit come back, none is read beyond its end. */
static void numbers(void **state)
{
	static const int64_t some[] = { 0, 1, 63, 64, 127, 128, 16383, 16384, INT32_MAX, (int64_t)1 << 61, ((int64_t)1 << 62) - 1 };
	struct buf b = { 0 };
	uint64_t v;
	int64_t d;

	(void)state;
	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		for (int sign = 1; sign >= -1; sign -= 2) {
			b.n = 0;
			varint_put(&b, (uint64_t)some[i]);
			size_t whole = b.n;
			varint_put_difference(&b, sign * some[i]);
			const uint8_t *at = (const uint8_t *)b.p, *end = at + b.n;
			assert_true(varint_take(&at, end, &v) && v == (uint64_t)some[i]);
			assert_ptr_equal(at, (const uint8_t *)b.p + whole);
			assert_true(varint_take_difference(&at, end, &d) && d == sign * some[i]);
			assert_ptr_equal(at, end);
			at = (const uint8_t *)b.p;
			assert_false(varint_take(&at, at + whole - 1, &v));
		}
	static const uint8_t endless[] = { 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0 };
	const uint8_t *at = endless;
	assert_false(varint_take(&at, endless + sizeof endless, &v));
	at = endless;
	assert_false(varint_take_difference(&at, endless + sizeof endless, &d));
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(had_again, setup, teardown),
		cmocka_unit_test_setup_teardown(replaced_and_dropped, setup, teardown),
		cmocka_unit_test_setup_teardown(damage, setup, teardown),
		cmocka_unit_test_setup_teardown(many, setup, teardown),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
