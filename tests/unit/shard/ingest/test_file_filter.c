/* Which files are indexed: path rules, gitignore patterns, first bytes; lines and UTF-8 of indexed files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/text/symbol_match.h"
#include "shard/base/text_lines.h"
#include "shard/git/gitignore.h"
#include "shard/ingest/file_filter.h"

static void paths_and_bytes(void **state)
{
	static const struct { const char *path, *reason;
	} skips[] = {
		{ "src/app.js", NULL },
		{ "node_modules/x/a.js", "node_modules" },
		{ "a/dist/b.js", "dist" },
		{ "vendor/github.com/x/y.go", "vendor" },
		{ "a/__pycache__/b.py", "__pycache__" },
		{ ".github/x.py", "hidden" },
		{ "a/.b/c.py", "hidden" },
		{ ".eslintrc.js", NULL },
		{ "jquery.min.js", "minified" },
		{ "a/b.min.css", "minified" },
		{ "distribution/a.js", NULL },
		{ "src/vendor.go", NULL },
		{ "a/yarn.lock", "lockfile" },
		{ "node_modules/x/yarn.lock", "node_modules" },
		{ "a/buildscript-gradle.lockfile", "lockfile" },
		{ "a.lock", NULL },
		{ "my-yarn.lock", NULL },
	};
	static const struct { const char *path; bool test, generated; } marks[] = {
		{ "src/app.py", false, false }, { "tests/app.py", true, false }, { "a/test/b.c", true, false },
		{ "a/__tests__/b.tsx", true, false }, { "x_test.go", true, false }, { "test_x.py", true, false },
		{ "a.spec.ts", true, false }, { "src/test/java/A.java", true, false }, { "contest.py", false, false },
		{ "latest/app.py", false, false }, { "a_pb2.py", false, true }, { "x.pb.go", false, true },
		{ "genproto/x.go", false, true }, { "zz_generated.deepcopy.go", false, true },
	};

	(void)state;
	for (size_t i = 0; i < LEN(skips); i++) {
		const char *got = filter_skip_path(skips[i].path);
		if (!got)
			got = "indexed";
		if (strcmp(got, skips[i].reason ? skips[i].reason : "indexed"))
			fail_msg("%s: %s", skips[i].path, got);
	}
	assert_true(filter_is_lock("a/Cargo.lock"));
	assert_false(filter_is_lock("vendor/a/Cargo.lock"));
	assert_false(filter_is_lock("a.min.js"));
	for (size_t i = 0; i < LEN(marks); i++)
		if (filter_is_test(marks[i].path) != marks[i].test || filter_is_generated(marks[i].path) != marks[i].generated)
			fail_msg("%s", marks[i].path);
	assert_string_equal(filter_skip_content("", 0), "empty");
	assert_string_equal(filter_skip_content("a\0b", 3), "binary");
	assert_null(filter_skip_content("abc", 3));
	const char *lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
	assert_string_equal(filter_skip_content(lfs, strlen(lfs)), "lfs-pointer");
}

static void encodings(void **state)
{
	static const struct { const char *bytes; size_t n; const char *text; } table[] = {
		{ "\xff\xfe" "a\0\xe9\0\n\0", 8, "a\xc3\xa9\n" },
		{ "\xfe\xff" "\0a\x20\xac\xd8\x3d\xde\x00", 10, "a\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "\xff\xfe" "a\0\x3d\xd8", 6, "a\xef\xbf\xbd" },
		{ "\xff\xfe" "a\0b", 5, "a" },
		{ "caf\xe9 \xfc", 6, "caf\xc3\xa9 \xc3\xbc" },
		{ "caf\xc3\xa9", 5, "caf\xc3\xa9" },
		{ "caf\xc3\xa9 \xfc", 7, "caf\xc3\xa9 \xfc" },
		{ "plain", 5, "plain" },
		{ "\xff\xfe", 2, "" },
		{ "\xfe\xff", 2, "" },
		{ "", 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(table); i++) {
		struct buf b = { 0 };
		buf_put(&b, table[i].bytes, table[i].n);
		text_decode(&b);
		assert_true(!table[i].n || b.p);
		if (b.n != strlen(table[i].text) || memcmp(b.p, table[i].text, b.n))
			fail_msg("case %zu: %zu bytes: %s", i, b.n, b.p);
		buf_free(&b);
	}
	struct buf nul = { 0 };
	buf_put(&nul, "\xe9\0", 2);
	text_decode(&nul);
	assert_int_equal(nul.n, 2);
	buf_free(&nul);
}

static void ignore_patterns(void **state)
{
	static const char rules[] =
	    "# comment\n\n*.log\n!keep.log\n/top\nbuild/\ndocs/**/old\na?c\n[x-z].py\n**/gen/*.go\n\\#odd  \n[]a].q\n[!]a].r\n";
	static const struct { const char *path; bool ignored; } cases[] = {
		{ "x.log", true }, { "a/b/x.log", true }, { "keep.log", false }, { "top", true }, { "a/top", false },
		{ "top/x.c", true }, { "build/x.c", true }, { "a/build/x.c", true }, { "build", false },
		{ "docs/old/x", true }, { "docs/a/b/old", true }, { "docs/older", false }, { "abc", true },
		{ "a/c", false }, { "y.py", true }, { "a.py", false }, { "gen/a.go", true }, { "p/q/gen/a.go", true },
		{ "p/gen/q/a.go", false }, { "#odd", true }, { "].q", true }, { "a.q", true }, { "b.q", false }, { "].r", false }, { "b.r", true },
		{ "sub/only.c", true }, { "only.c", false },
	};
	struct arena *a = arena_new();
	struct ignore_rules ig = { 0 };

	(void)state;
	ignore_add(&ig, "", rules, sizeof rules - 1, a);
	ignore_add(&ig, "sub/", "only.c\n", 7, a);
	for (size_t i = 0; i < LEN(cases); i++)
		if (ignore_matches(&ig, cases[i].path) != cases[i].ignored)
			fail_msg("%s", cases[i].path);
	arena_free(a);
}

static void attributes(void **state)
{
	static const char text[] = "*.pb.c linguist-generated\napi/* text linguist-generated=true\napi/own.c -linguist-generated\n"
	    "api/two.c linguist-generated=false\n*.x linguist-generatedness\n";
	struct arena *a = arena_new();
	struct ignore_rules g = { 0 };

	(void)state;
	ignore_add_attr(&g, "linguist-generated", "", text, sizeof text - 1, a);
	assert_true(ignore_matches(&g, "deep/a.pb.c"));
	assert_true(ignore_matches(&g, "api/x.c"));
	assert_false(ignore_matches(&g, "api/own.c"));
	assert_false(ignore_matches(&g, "api/two.c"));
	assert_false(ignore_matches(&g, "a.x"));
	arena_free(a);
}

/* A pattern that is made to run for ever does not. */
static void hostile_pattern(void **state)
{
	struct arena *a = arena_new();
	struct ignore_rules ig = { 0 };
	const char *p = "a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b\n**/**/**/**/**/**/**/**/**/x\n[\n[a\n\\\n";

	(void)state;
	ignore_add(&ig, "", p, strlen(p), a);
	ignore_matches(&ig, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/y");
	arena_free(a);
}

static void utf8_and_lines(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	assert_string_equal(text_utf8("caf\xc3\xa9", 5, a), "café");
	assert_string_equal(text_utf8("a\xff" "b\xc3", 4, a), "a\xef\xbf\xbd" "b\xef\xbf\xbd");
	assert_string_equal(text_utf8("a\0b", 3, a), "a\xef\xbf\xbd" "b");
	assert_string_equal(text_utf8("\xed\xa0\x80", 3, a), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	assert_int_equal(text_utf8_prefix("ab\xc3\xa9", 3), 2);
	assert_int_equal(text_utf8_prefix("ab\xc3\xa9", 4), 4);
	assert_int_equal(text_utf8_prefix("\xf0\x9f\x98\x80", 3), 0);
	struct line_offsets l = text_lines("a\nbb\n\nc", 7, SIZE_MAX, a);
	assert_int_equal(l.n, 4);
	assert_int_equal(l.v[1], 2);
	assert_int_equal(l.v[4], 7);
	assert_int_equal(text_lines("", 0, SIZE_MAX, a).n, 0);
	assert_int_equal(text_lines("a\n", 2, SIZE_MAX, a).n, 1);
	assert_int_equal(text_lines("a\nb\nc", 5, 2, a).n, 2);
	assert_int_equal(text_lines("a\nb\nc", 5, 2, a).v[2], 4);
	arena_free(a);
}

static void symbol_names(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	assert_string_equal(symbol_key("loadUsers", a), "loadusers");
	assert_string_equal(symbol_key("load_users", a), "loadusers");
	assert_string_equal(symbol_key("LOAD_USERS", a), "loadusers");
	assert_string_equal(symbol_key("+", a), "+");
	assert_string_equal(symbol_base_name("Class.method"), "method");
	assert_string_equal(symbol_base_name("a::b::c"), "c");
	assert_string_equal(symbol_base_name("A#b"), "b");
	assert_string_equal(symbol_base_name("plain"), "plain");
	assert_string_equal(symbol_base_name("ends."), "ends.");
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_and_bytes), cmocka_unit_test(encodings),
		cmocka_unit_test(ignore_patterns), cmocka_unit_test(attributes),
		cmocka_unit_test(hostile_pattern), cmocka_unit_test(utf8_and_lines), cmocka_unit_test(symbol_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
