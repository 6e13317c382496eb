/* SCIP: symbols, and indexes that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/graph/scip/scip.h"

/* Metadata with the tool `t/1`; a document `a.py` that defines `~f().` at 1:4-5 and uses it at 3:0-1. */
static const char index_bytes[] =
	"\x0a\x07\x12\x05\x0a\x03t/1"
	"\x12\x30\x0a\x04" "a.py"
	"\x12\x15\x0a\x03\x00\x04\x05\x12\x0cs p n 1 f().\x18\x01"
	"\x12\x11\x0a\x03\x02\x00\x01\x12\x0as p n 1 f.";

static void test_names(void **state)
{
	static const struct { const char *symbol, *name; } rows[] = {
		{ "scip-python python flask 0 `flask.app`/Flask#", "Flask" },
		{ "scip-python python flask 0 `flask.app`/Flask#run().", "run" },
		{ "scip-python python flask 0 `flask.app`/Flask#run().(self)", NULL },
		{ "scip-python python flask 0 `flask.app`/__init__:", NULL },
		{ "scip-typescript npm hono 4 src/`node.ts`/Node#`#children`.", "#children" },
		{ "scip-typescript npm hono 4 src/`node.ts`/Node#`<constructor>`().", "constructor" },
		{ "scip-typescript npm hono 4 src/`node.ts`/Node#[T]", NULL },
		{ "scip-typescript npm hono 4 src/`node.ts`/", NULL },
		{ "scip-typescript npm hono 4 src/`node.ts`/map(+2).", "map" },
		{ "scip-typescript npm hono 4 src/`a b.ts`/`x y`.", NULL },
		{ "local 3", NULL }, { "", NULL }, { ".", NULL }, { "a b c d .", NULL }, { "a b c d `.", NULL },
		{ "a b c d ).", NULL },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *name = scip_name(rows[i].symbol, a);
		if (!rows[i].name)
			assert_null(name);
		else
			assert_string_equal(name, rows[i].name);
	}
	assert_int_equal(scip_package_length("s  x npm hono 4 src/"), strlen("s  x npm hono 4 "));
	assert_int_equal(scip_package_length("nothing"), strlen("nothing"));
	assert_true(scip_is_local("local 12"));
	assert_false(scip_is_local("locale p n 1 x."));
	arena_free(a);
}

static void test_document(void **state)
{
	struct arena *a = arena_new();
	struct scip_document d;
	struct scip *s = scip_open(index_bytes, sizeof index_bytes - 1, NULL);

	(void)state;
	assert_non_null(s);
	assert_string_equal(scip_tool(s), "t-1");
	assert_int_equal(scip_document_count(s), 1);
	assert_int_equal(scip_document(s, 0, a, &d, NULL), 0);
	assert_string_equal(d.path, "a.py");
	assert_int_equal(d.column, SCIP_UTF16);
	assert_int_equal(d.occurrences.n, 2);
	assert_true(d.occurrences.v[0].definition);
	assert_int_equal(d.occurrences.v[0].line, 1);
	assert_int_equal(d.occurrences.v[0].start, 4);
	assert_int_equal(d.occurrences.v[1].line, 3);
	assert_false(d.occurrences.v[1].definition);
	scip_close(s);
	arena_free(a);
}

/*
 * A document whose columns are of UTF-32 (`0 3` at its end): a range over two lines (`f().` from 1:4 to 2:5), one of four numbers on one
 * line, and a symbol `T#` that refers to `U#` and implements `V#`.
 */
static const char forms[] =
	"\x12\x4a\x0a\x04" "b.py"
	"\x12\x16\x0a\x04\x00\x04\x01\x05\x12\x0cs p n 1 f().\x18\x01"
	"\x12\x12\x0a\x04\x02\x00\x02\x01\x12\x0as p n 1 f."
	"\x1a\x14\x0a\x02T#" "\x22\x06\x0a\x02U#\x10\x01" "\x22\x06\x0a\x02V#\x18\x01"
	"\x30\x03";

static void test_forms(void **state)
{
	struct arena *a = arena_new();
	struct scip_document d;
	struct scip *s = scip_open(forms, sizeof forms - 1, NULL);

	(void)state;
	assert_non_null(s);
	assert_string_equal(scip_tool(s), "unknown");
	assert_int_equal(scip_document(s, 0, a, &d, NULL), 0);
	assert_int_equal(d.column, SCIP_UTF32);
	assert_int_equal(d.occurrences.n, 1);
	assert_int_equal(d.occurrences.v[0].line, 3);
	assert_int_equal(d.occurrences.v[0].end, 1);
	assert_int_equal(d.relations.n, 1);
	assert_string_equal(d.relations.v[0].base, "V#");
	scip_close(s);
	arena_free(a);
}

/* Occurrences are in the order of their places, whatever order the index has: line, column, end, symbol. */
static void test_order(void **state)
{
	static const char sorted[][4] = { { 0, 2, 9, 'z' }, { 1, 0, 3, 'b' }, { 1, 0, 5, 'a' }, { 1, 0, 5, 'c' }, { 1, 4, 5, 'a' }, { 2, 0, 1, 'a' } };
	enum { N = sizeof sorted / sizeof *sorted, SIZE = 10, HEAD = 6 };
	char bytes[2 + HEAD + N * SIZE] = { 0x12, HEAD + N * SIZE, 0x0a, 4, 'a', '.', 'p', 'y' };

	(void)state;
	for (size_t first = 0; first < N; first++) {
		struct arena *a = arena_new();
		struct scip_document d;
		for (size_t i = 0; i < N; i++) {
			const char *o = sorted[(first + 5 * i) % N];
			memcpy(bytes + 2 + HEAD + i * SIZE, (const char[]){ 0x12, SIZE - 2, 0x0a, 3, o[0], o[1], o[2], 0x12, 1, o[3] }, SIZE);
		}
		struct scip *s = scip_open(bytes, sizeof bytes, NULL);
		assert_non_null(s);
		assert_int_equal(scip_document(s, 0, a, &d, NULL), 0);
		assert_int_equal(d.occurrences.n, N);
		for (size_t i = 0; i < N; i++) {
			const struct scip_occurrence *o = &d.occurrences.v[i];
			assert_int_equal(o->line, sorted[i][0] + 1);
			assert_int_equal(o->start, sorted[i][1]);
			assert_int_equal(o->end, sorted[i][2]);
			assert_int_equal(*o->symbol, sorted[i][3]);
		}
		scip_close(s);
		arena_free(a);
	}
}

/* Each part of an index, and each byte of it another: read, or refused by name. */
static void test_broken(void **state)
{
	(void)state;
	for (size_t n = 0; n < sizeof index_bytes - 1; n++) {
		char bytes[sizeof index_bytes];
		memcpy(bytes, index_bytes, sizeof bytes);
		for (int flip = 0; flip < 2; flip++) {
			struct err e = { 0 };
			struct scip *s = scip_open(bytes, flip ? sizeof bytes - 1 : n, &e);
			assert_true(s || e.code == ERR_INVALID_INPUT);
			for (size_t i = 0; s && i < scip_document_count(s); i++) {
				struct arena *a = arena_new();
				struct scip_document d;
				assert_true(!scip_document(s, i, a, &d, &e) || e.code == ERR_INVALID_INPUT);
				arena_free(a);
			}
			scip_close(s);
			bytes[n] ^= 0x55;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_document),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_broken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
