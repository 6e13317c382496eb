/* How gateways change paths: the templates of patterns in each style, and what each kind of change makes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/gateways/path_rewrite.h"

static struct arena *a;
static struct path_rewrites f;

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	f.n = 0;
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

/* The rewrites as "PATH" or, if it is changed, "PATH>TARGET", with spaces between them. */
static void are(const char *want)
{
	struct buf b = { 0 };

	buf_str(&b, "");
	for (size_t i = 0; i < f.n; i++) {
		const char *to = path_rewrite_target(&f.v[i], a);
		buf_printf(&b, "%s%s%s%s", i ? " " : "", f.v[i].path, to ? ">" : "", to ? to : "");
	}
	assert_string_equal(b.p, want);
	buf_free(&b);
}

/* Begins with this pattern alone. */
static void begin_with(enum path_rewrite_style style, const char *pattern)
{
	f.n = 0;
	assert_true(path_rewrite_add(&f, style, pattern, a));
}

static void becomes(enum path_rewrite_style style, const char *pattern, const char *template)
{
	begin_with(style, pattern);
	are(template);
}

static void paths_and_prefixes(void **state)
{
	(void)state;
	becomes(PATH_REWRITE_EXACT, "/a/b", "/a/b");
	becomes(PATH_REWRITE_EXACT, "/a/", "/a/");
	becomes(PATH_REWRITE_TEXT_PREFIX, "/a", "/a{*}");
	becomes(PATH_REWRITE_TEXT_PREFIX, "/a/", "/a/{*}");
	becomes(PATH_REWRITE_SEGMENT_PREFIX, "/a", "/a/{*}");
	becomes(PATH_REWRITE_SEGMENT_PREFIX, "/a/", "/a/{*}");
	becomes(PATH_REWRITE_SEGMENT_PREFIX, "/", "/{*}");
	f.n = 0;
	assert_false(path_rewrite_add(&f, PATH_REWRITE_EXACT, "a/b", a));
	assert_false(path_rewrite_add(&f, PATH_REWRITE_EXACT, "", a));
	are("");
}

static void patterns_of_spring(void **state)
{
	(void)state;
	becomes(PATH_REWRITE_ANT, "/a/b", "/a/b");
	becomes(PATH_REWRITE_ANT, "a/b", "/a/b");
	becomes(PATH_REWRITE_ANT, "/a/**", "/a/{*}");
	becomes(PATH_REWRITE_ANT, "/**/a", "/{}/a");
	becomes(PATH_REWRITE_ANT, "/a/*", "/a/{}");
	becomes(PATH_REWRITE_ANT, "/a/?", "/a/{}");
	becomes(PATH_REWRITE_ANT, "/a/{id}/b", "/a/{}/b");
	becomes(PATH_REWRITE_ANT, "/a/{id:x/y}/b", "/a/{}/b");
	becomes(PATH_REWRITE_ANT, "/a/{*rest}", "/a/{*}");
	becomes(PATH_REWRITE_ANT, "/a/{*rest}/b", "/a/{}/b");
	becomes(PATH_REWRITE_ANT, "/a/{everything}", "/a/{*}");
	becomes(PATH_REWRITE_ANT, "/a/{path:.*}", "/a/{*}");
	becomes(PATH_REWRITE_ANT, "/a/user*", "/a/user{*}");
	becomes(PATH_REWRITE_ANT, "/a/user*/b", "/a/user*/b");
	becomes(PATH_REWRITE_ANT, "/a/{}", "/a/{}");
	becomes(PATH_REWRITE_ANT, "/", "/");
}

static void expressions(void **state)
{
	(void)state;
	becomes(PATH_REWRITE_REGEX, "^/a/b$", "/a/b");
	becomes(PATH_REWRITE_REGEX, "^/a/(.*)$", "/a/{*}");
	f.n = 0;
	assert_false(path_rewrite_add(&f, PATH_REWRITE_REGEX, "^a$", a));
	are("");
}

static void how_many_there_may_be(void **state)
{
	char path[2100];

	(void)state;
	for (int i = 0; i < MAX_PATH_REWRITES; i++)
		assert_true(path_rewrite_add(&f, PATH_REWRITE_EXACT, arena_printf(a, "/%d", i), a));
	assert_false(path_rewrite_add(&f, PATH_REWRITE_EXACT, "/more", a));
	assert_int_equal(f.n, MAX_PATH_REWRITES);
	f.n = 0;
	assert_true(path_rewrite_add(&f, PATH_REWRITE_EXACT, "/a", a));
	assert_true(path_rewrite_add(&f, PATH_REWRITE_EXACT, "/a", a));
	are("/a");
	memset(path, '/', sizeof path);
	path[2000] = 0;
	assert_true(path_rewrite_add(&f, PATH_REWRITE_EXACT, path, a));
	path[2000] = '/';
	path[2001] = 0;
	assert_false(path_rewrite_add(&f, PATH_REWRITE_EXACT, path, a));
}

/* ---- changes ---- */

static void segments_are_removed(void **state)
{
	static const struct {
		enum path_rewrite_style style;
		const char *pattern;
		size_t n;
		const char *is;
	} v[] = {
		{ PATH_REWRITE_EXACT, "/a/b/c", 0, "/a/b/c" },
		{ PATH_REWRITE_EXACT, "/a/b/c", 1, "/a/b/c>/b/c" },
		{ PATH_REWRITE_EXACT, "/a/b/c", 2, "/a/b/c>/c" },
		{ PATH_REWRITE_EXACT, "/a/b/c", 3, "/a/b/c>/" },
		{ PATH_REWRITE_EXACT, "/a/b/c", 4, "/a/b/c>/" },
		{ PATH_REWRITE_SEGMENT_PREFIX, "/a", 1, "/a/{*}>/{*}" },
		{ PATH_REWRITE_SEGMENT_PREFIX, "/a", 2, "/a/{}/{*}>/{*}" },
		{ PATH_REWRITE_SEGMENT_PREFIX, "/a", 3, "/a/{}/{}/{*}>/{*}" },
		{ PATH_REWRITE_ANT, "/a/{x}/**", 1, "/a/{}/{*}>/{1}/{*}" },
		{ PATH_REWRITE_ANT, "/a/{x}/{y}", 2, "/a/{}/{}>/{2}" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		begin_with(v[i].style, v[i].pattern);
		path_rewrite_strip_segments(&f, v[i].n, a);
		are(v[i].is);
	}
}

static void a_prefix_is_removed(void **state)
{
	static const struct {
		enum path_rewrite_style style;
		const char *pattern, *prefix, *is;
	} v[] = {
		{ PATH_REWRITE_EXACT, "/a/b", "/a", "/a/b>/b" },
		{ PATH_REWRITE_EXACT, "/a/b", "/a//", "/a/b>/b" },
		{ PATH_REWRITE_EXACT, "/a/b", "/a/b", "/a/b>/" },
		{ PATH_REWRITE_EXACT, "/ab", "/a", "/ab" },
		{ PATH_REWRITE_EXACT, "/a", "/b", "/a" },
		{ PATH_REWRITE_EXACT, "/a/b", "/", "/a/b" },
		{ PATH_REWRITE_SEGMENT_PREFIX, "/a", "/a", "/a/{*}>/{*}" },
		{ PATH_REWRITE_TEXT_PREFIX, "/a", "/a", "/a{*}>/{*}" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		begin_with(v[i].style, v[i].pattern);
		path_rewrite_strip_prefix(&f, v[i].prefix, a);
		are(v[i].is);
	}
}

static void a_prefix_is_added(void **state)
{
	static const char *const v[][2] = { { "/v1", "/a/{*}>/v1/a/{*}" }, { "v1", "/a/{*}>/v1/a/{*}" },
		{ "/v1//", "/a/{*}>/v1/a/{*}" }, { "/", "/a/{*}" }, { "", "/a/{*}" } };

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		begin_with(PATH_REWRITE_SEGMENT_PREFIX, "/a");
		path_rewrite_add_prefix(&f, v[i][0], a);
		are(v[i][1]);
	}
}

static void paths_are_replaced(void **state)
{
	(void)state;
	begin_with(PATH_REWRITE_SEGMENT_PREFIX, "/a");
	assert_true(path_rewrite_add(&f, PATH_REWRITE_EXACT, "/b", a));
	path_rewrite_set(&f, "/x", a);
	are("/a/{*}>/x /b>/x");
	path_rewrite_replace_prefix(&f, "/y/", a);
	are("/a/{*}>/y/{*} /b>/y/");
}

static void what_an_expression_matches_is_replaced(void **state)
{
	static const struct {
		enum path_rewrite_style style;
		const char *pattern, *regex, *with;
		bool whole;
		const char *is;
	} v[] = {
		{ PATH_REWRITE_SEGMENT_PREFIX, "/a", "^/a/(.*)$", "/$1", false, "/a/{*}>/{*}" },
		{ PATH_REWRITE_SEGMENT_PREFIX, "/a", "^/a/(.*)$", "/b/\\1", true, "/a/{*}>/b/{*}" },
		{ PATH_REWRITE_SEGMENT_PREFIX, "/a", "^/b/(.*)$", "/$1", false, "/a/{*}" },
		{ PATH_REWRITE_EXACT, "/a/b", "^/a/b$", "c", false, "/a/b>/c" },
		{ PATH_REWRITE_EXACT, "/a/b", "^/a/([^/]+)$", "/x/$1", false, "/a/b>/x/b" },
		{ PATH_REWRITE_ANT, "/a/{id}", "^/a/([^/]+)$", "/x/$1/y", false, "/a/{}>/x/{1}/y" },
		{ PATH_REWRITE_SEGMENT_PREFIX, "/a", "^/a/b$", "/c", false, "/a/b>/c /a/{*}" },
		{ PATH_REWRITE_EXACT, "/a/b/c", "^/a/b$", "/x", false, "/a/b/c" },
		{ PATH_REWRITE_EXACT, "/a", "^/a/([^/]+)$", "/x/$1", false, "/a" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		begin_with(v[i].style, v[i].pattern);
		path_rewrite_replace_regex(&f, v[i].regex, v[i].with, v[i].whole, a);
		are(v[i].is);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(paths_and_prefixes, begin, end),
		cmocka_unit_test_setup_teardown(patterns_of_spring, begin, end),
		cmocka_unit_test_setup_teardown(expressions, begin, end),
		cmocka_unit_test_setup_teardown(how_many_there_may_be, begin, end),
		cmocka_unit_test_setup_teardown(segments_are_removed, begin, end),
		cmocka_unit_test_setup_teardown(a_prefix_is_removed, begin, end),
		cmocka_unit_test_setup_teardown(a_prefix_is_added, begin, end),
		cmocka_unit_test_setup_teardown(paths_are_replaced, begin, end),
		cmocka_unit_test_setup_teardown(what_an_expression_matches_is_replaced, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
