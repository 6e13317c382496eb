/* Bytes as text: encodings, lines, paths, numbers, quoted texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/base/kinds.h"
#include "shard/base/relative_path.h"
#include "shard/base/string_pool.h"
#include "shard/base/text_lines.h"
#include "shard/base/text_markers.h"
#include "shard/base/varint.h"
#include "shard/search/phrase_match.h"
#include "tests/language_rules.h"

static struct arena *a;

#define BAD "\xef\xbf\xbd"

static void bytes_become_utf8(void **state)
{
	/* clang-format off */
	static const struct { const char *bytes; size_t n; const char *text; } cases[] = {
		{ "", 0, "" }, { "ab", 2, "ab" }, { "a\0b", 3, "a" BAD "b" }, { "abcdefgh\0", 9, "abcdefgh" BAD }, { "\x80", 1, BAD }, { "abcdefgh\x80", 9, "abcdefgh" BAD },
		{ "\xc3\xa9", 2, "\xc3\xa9" }, { "\xc3", 1, BAD }, { "\xc3z", 2, BAD "z" }, { "\xc1\xbf", 2, BAD BAD }, { "\xc2\x80", 2, "\xc2\x80" }, { "\xdf\xbf", 2, "\xdf\xbf" },
		{ "\xe2\x82\xac", 3, "\xe2\x82\xac" }, { "\xe2\x82", 2, BAD BAD }, { "\xe0\x9f\xbf", 3, BAD BAD BAD }, { "\xe0\xa0\x80", 3, "\xe0\xa0\x80" }, { "\xed\x9f\xbf", 3, "\xed\x9f\xbf" },
		{ "\xed\xa0\x80", 3, BAD BAD BAD }, { "\xef\xbf\xbf", 3, "\xef\xbf\xbf" }, { "\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80" }, { "\xf0\x8f\xbf\xbf", 4, BAD BAD BAD BAD },
		{ "\xf0\x90\x80\x80", 4, "\xf0\x90\x80\x80" }, { "\xf4\x8f\xbf\xbf", 4, "\xf4\x8f\xbf\xbf" }, { "\xf4\x90\x80\x80", 4, BAD BAD BAD BAD }, { "\xf5\x80\x80\x80", 4, BAD BAD BAD BAD },
		{ "\xff\xfe", 2, BAD BAD }, { "a\xe2\x82\xac\x82z", 6, "a\xe2\x82\xac" BAD "z" },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		char *exact = memcpy(malloc(cases[i].n + !cases[i].n), cases[i].bytes, cases[i].n);
		assert_string_equal(text_utf8(exact, cases[i].n, a), cases[i].text);
		free(exact);
	}
}

static void encodings_are_decoded(void **state)
{
	/* clang-format off */
	static const struct { const char *bytes; size_t n; const char *text; size_t length; } cases[] = {
		{ "ab", 2, "ab", 2 }, { "caf\xe9", 4, "caf\xc3\xa9", 5 }, { "caf\xe9 \xff\xa0", 7, "caf\xc3\xa9 \xc3\xbf\xc2\xa0", 10 }, { "caf\xe9 \xc3\xa9", 7, "caf\xe9 \xc3\xa9", 7 }, { "caf\xe9\0", 5, "caf\xe9\0", 5 },
		{ "\xff\xfe" "a\0b\0", 6, "ab", 2 }, { "\xfe\xff\0a\0b", 6, "ab", 2 }, { "\xff\xfe", 2, "", 0 }, { "\xff\xfe" "a", 3, "", 0 }, { "\xff\xfe\xac\x20", 4, "\xe2\x82\xac", 3 }, { "\xfe\xff\x20\xac", 4, "\xe2\x82\xac", 3 },
		{ "\xff\xfe\xe9\0", 4, "\xc3\xa9", 2 }, { "\xff\xfe\x3d\xd8\x00\xde", 6, "\xf0\x9f\x98\x80", 4 }, { "\xfe\xff\xd8\x3d\xde\x00", 6, "\xf0\x9f\x98\x80", 4 }, { "\xff\xfe\x3d\xd8" "a\0", 6, BAD "a", 4 },
		{ "\xff\xfe\x00\xde" "a\0", 6, BAD "a", 4 }, { "\xff\xfe\x3d\xd8", 4, BAD, 3 }, { "\xff\xfe\0\0", 4, "\xff\xfe\0\0", 4 }, { "\xff\xfe\0\x01", 4, "\xc4\x80", 2 }, { "\xff\xfe\xff\x07\x00\x08", 6, "\xdf\xbf\xe0\xa0\x80", 5 },
		{ "\xff\xfe\x7f\0\x80\0", 6, "\x7f\xc2\x80", 3 }, { "", 0, "", 0 },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct buf b = { 0 };
		buf_put(&b, cases[i].bytes, cases[i].n);
		text_decode(&b);
		assert_int_equal(b.n, cases[i].length);
		assert_true(!b.n || !memcmp(b.p, cases[i].text, b.n));
		buf_free(&b);
	}
}

static void characters_are_not_cut(void **state)
{
	/* clang-format off */
	static const struct { const char *text; size_t n, prefix; } cases[] = {
		{ "ab", 2, 2 }, { "ab", 0, 0 }, { "\xc3\xa9", 1, 0 }, { "\xc3\xa9", 2, 2 }, { "a\xe2\x82\xac", 2, 1 }, { "a\xe2\x82\xac", 3, 1 }, { "a\xe2\x82\xac", 4, 4 },
		{ "a\xf0\x9f\x98\x80", 4, 1 }, { "a\xf0\x9f\x98\x80", 5, 5 }, { "\x80\x80\x80\x80\x80", 5, 5 }, { "a\x80", 2, 2 }, { "\xf0\x9f\x98", 3, 0 },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		assert_int_equal(text_utf8_prefix(cases[i].text, cases[i].n), cases[i].prefix);
}

static void texts_have_lines(void **state)
{
	/* clang-format off */
	static const struct { const char *text; size_t most, n, v[5]; uint32_t starts, at[5]; } cases[] = {
		{ "", 9, 0, { 0 }, 1, { 0, 0 } }, { "a", 9, 1, { 0, 1 }, 1, { 0, 1 } }, { "a\n", 9, 1, { 0, 2 }, 2, { 0, 2, 2 } }, { "a\nb", 9, 2, { 0, 2, 3 }, 2, { 0, 2, 3 } },
		{ "\n\n", 9, 2, { 0, 1, 2 }, 3, { 0, 1, 2, 2 } }, { "a\nb\nc", 2, 2, { 0, 2, 4 }, 3, { 0, 2, 4, 5 } }, { "a\nb\nc", 1, 1, { 0, 2 }, 3, { 0, 2, 4, 5 } }, { "a\r\nb", 9, 2, { 0, 3, 4 }, 2, { 0, 3, 4 } },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		size_t n = strlen(cases[i].text);
		char *text = exact_copy(cases[i].text);
		struct line_offsets l = text_lines(text, n, cases[i].most, a);
		uint32_t lines, *at = text_line_starts(text, (uint32_t)n, &lines, a);
		assert_int_equal(l.n, cases[i].n);
		assert_memory_equal(l.v, cases[i].v, (l.n + 1) * sizeof *l.v);
		assert_int_equal(lines, cases[i].starts);
		assert_memory_equal(at, cases[i].at, (lines + 1) * sizeof *at);
		for (size_t line = 1; line <= lines; line++)
			assert_int_equal(text_line_start(text, n, line), at[line - 1]);
		assert_int_equal(text_line_start(text, n, lines + 3), n);
		free(text);
	}
}

/* Lines of many lengths, so that they begin everywhere in the blocks that are counted at once. */
static void lines_of_a_long_text_begin_where_they_do(void **state)
{
	enum { LINES = 3000 };
	struct buf b = { 0 };
	size_t starts[LINES];

	(void)state;
	for (size_t i = 0; i < LINES; i++) {
		starts[i] = b.n;
		for (size_t k = 0; k < i * 7 % 61; k++)
			buf_byte(&b, 'x');
		buf_byte(&b, '\n');
	}
	for (size_t i = 0; i < LINES; i++)
		assert_int_equal(text_line_start(b.p, b.n, i + 1), starts[i]);
	assert_int_equal(text_line_start(b.p, b.n, LINES + 1), b.n);
	buf_free(&b);
}

static void paths_are_relative(void **state)
{
	/* clang-format off */
	static const struct { const char *dir, *path, *whole; } cases[] = {
		{ "", "a", "a" }, { "d", "a", "d/a" }, { "d/e", "../a", "d/a" }, { "d/e", "../../a", "a" }, { "d", "../../a", NULL }, { "", "../a", NULL }, { "d", "./a/./b", "d/a/b" }, { "d", "a/../b", "d/b" },
		{ "d", ".", "d" }, { "d", "..", "" }, { "d", "a//b", "d/a/b" }, { "d", "a/", "d/a" }, { "d", "..a", "d/..a" }, { "d", "a/..", "d" }, { "", "", "" }, { "d/e", "", "d/e" }, { "d", ".a/b.", "d/.a/b." },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *got = relative_path(a, cases[i].dir, cases[i].path);
		if (!got != !cases[i].whole || (got && strcmp(got, cases[i].whole) != 0))
			fail_msg("%s + %s: %s", cases[i].dir, cases[i].path, got ? got : "none");
	}
}

static void numbers_are_short(void **state)
{
	/* clang-format off */
	static const struct { uint64_t v; size_t n; } cases[] = { { 0, 1 }, { 127, 1 }, { 128, 2 }, { 16383, 2 }, { 16384, 3 }, { UINT32_MAX, 5 }, { ((uint64_t)1 << 63) - 1, 9 } };
	/* clang-format on */
	/* clang-format off */
	static const int64_t differences[] = { 0, -1, 1, -64, 63, 64, -65, INT32_MIN, INT64_MAX / 2, INT64_MIN / 2 };
	/* clang-format on */
	struct buf b = { 0 };
	uint64_t v = 0;
	int64_t d = 0;

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		b.n = 0;
		varint_put(&b, cases[i].v);
		assert_int_equal(b.n, cases[i].n);
		const uint8_t *at = (const uint8_t *)b.p, *end = at + b.n, *early = at;
		assert_true(varint_take(&at, end, &v));
		assert_true(v == cases[i].v && at == end);
		assert_false(varint_take(&early, end - 1, &v));
	}
	for (size_t i = 0; i < LEN(differences); i++) {
		b.n = 0;
		varint_put_difference(&b, differences[i]);
		const uint8_t *at = (const uint8_t *)b.p, *end = at + b.n;
		assert_true(varint_take_difference(&at, end, &d));
		assert_true(d == differences[i] && at == end);
	}
	b.n = 0;
	varint_put_difference(&b, -64);
	assert_int_equal(b.n, 1);
	b.n = 0;
	varint_put(&b, (uint64_t)1 << 63); /* 64 bits are too many */
	const uint8_t *at = (const uint8_t *)b.p;
	assert_false(varint_take(&at, at + b.n, &v));
	at = (const uint8_t *)b.p;
	assert_false(varint_take_difference(&at, at, &d));
	buf_free(&b);
}

static void quoted_texts_are_found(void **state)
{
	/* clang-format off */
	static const struct { const char *phrase, *text; int start, end; } cases[] = {
		{ "a b", "x a b y", 2, 5 }, { "a b", "xa b", -1, 0 }, { "a b", "a by", -1, 0 }, { "a b", "a  b", -1, 0 }, { "a b", "xa b a b", 5, 8 }, { "a b", "A b", -1, 0 }, { "(a", "x(a)", 1, 3 }, { "a(", "xa( a(", 4, 6 },
		{ "a\nb", "a\n\t b", 0, 5 }, { "a\nb", "a b", -1, 0 }, { "a \n b", "a\nb", 0, 3 }, { "a\n\nb c", "x a\nb c", 2, 7 }, { "a\nb", "a\nc a\nb", 4, 7 }, { "a", "a", 0, 1 }, { "", "a", -1, 0 }, { "a", "", -1, 0 },
		{ "abc", "ab", -1, 0 }, { "-a", "b-a", 1, 3 }, { "a_b", "a_b", 0, 3 }, { "a", "a_b", -1, 0 }, { "a\n", "a\nb", 0, 2 }, { "\xc3\xa9", "x\xc3\xa9", -1, 0 }, { "a\nb", "a\n", -1, 0 },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct phrase_place at = { 0 };
		char *text = exact_copy(cases[i].text);
		bool found = phrase_matches(cases[i].phrase, text, strlen(cases[i].text), &at);
		if (found != (cases[i].start >= 0) ||
		    (found && ((int)at.start != cases[i].start || (int)at.end != cases[i].end)))
			fail_msg(
			    "%s in %s: %d %zu-%zu", cases[i].phrase, cases[i].text, found, at.start, at.end);
		assert_int_equal(phrase_matches(cases[i].phrase, text, strlen(cases[i].text), NULL), found);
		free(text);
	}
}

static void markers_are_found(void **state)
{
	/* clang-format off */
	static const struct text_markers v[] = { { "ab", { "xaby", "abz" } }, { "q", { "q1" } } };
	/* clang-format on */

	(void)state;
	assert_true(text_markers_find(v, 2, "..xaby", 6));
	assert_true(text_markers_find(v, 2, "abz", 3));
	assert_true(text_markers_find(v, 2, "ab q1", 5));
	assert_false(text_markers_find(v, 1, "ab q1", 5));
	assert_false(text_markers_find(v, 2, "xabz", 3));
	assert_false(text_markers_find(v, 2, "q", 1));
	assert_false(text_markers_find(v, 2, "", 0));
}

static void equal_strings_are_one(void **state)
{
	struct string_pool *p = string_pool_new();
	const char *first = string_pool_intern(p, "a"), *other = string_pool_intern(p, "b");

	(void)state;
	assert_string_equal(first, "a");
	assert_ptr_not_equal(first, other);
	for (int i = 0; i < 2000; i++)
		string_pool_intern(p, arena_printf(a, "s%d", i));
	assert_ptr_equal(string_pool_intern(p, arena_str(a, "a")), first);
	assert_ptr_equal(string_pool_intern(p, arena_str(a, "b")), other);
	string_pool_free(p);
	string_pool_free(NULL);
}

static void kinds_have_names(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; k++)
		assert_int_equal(kind_of(kind_name((enum kind)k)), k);
	assert_int_equal(kind_of("nothing"), KINDS);
	assert_true(kind_is_callable(KIND_method) && kind_is_callable(KIND_function) &&
	    kind_is_callable(KIND_constructor));
	assert_false(kind_is_callable(KIND_class) || kind_is_callable(KIND_field));
	assert_true(kind_is_type(KIND_class) && kind_is_type(KIND_interface) &&
	    kind_is_type(KIND_type) && kind_is_type(KIND_enum));
	assert_false(kind_is_type(KIND_function) || kind_is_type(KIND_variable));
	assert_true(kind_holds_value(KIND_field) && kind_holds_value(KIND_variable) &&
	    kind_holds_value(KIND_constant));
	assert_false(kind_holds_value(KIND_method) || kind_holds_value(KIND_class));
	assert_string_equal(edge_name(EDGE_CALLS), "CALLS");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_become_utf8),
		cmocka_unit_test(encodings_are_decoded),
		cmocka_unit_test(characters_are_not_cut),
		cmocka_unit_test(texts_have_lines),
		cmocka_unit_test(lines_of_a_long_text_begin_where_they_do),
		cmocka_unit_test(paths_are_relative),
		cmocka_unit_test(numbers_are_short),
		cmocka_unit_test(quoted_texts_are_found),
		cmocka_unit_test(markers_are_found),
		cmocka_unit_test(equal_strings_are_one),
		cmocka_unit_test(kinds_have_names),
	};

	a = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	return rc;
}
