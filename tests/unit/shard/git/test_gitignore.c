/* Which paths patterns ignore, and which attributes they give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/git/gitignore.h"

static struct arena *a;

/* clang-format off */
static const struct { const char *patterns, *path; bool ignored; } rows[] = {
	{ "", "a", false }, { "a", "a", true }, { "a", "b", false }, { "a", "x/a", true }, { "a", "a/x", true }, { "a", "x/a/y", true }, { "a", "ab", false },
	{ "/a", "a", true }, { "/a", "x/a", false }, { "/a", "a/b", true }, { "a/", "a", false }, { "a/", "a/b", true }, { "a/", "x/a/b", true }, { "/a/", "x/a/b", false },
	{ "a/b", "a/b", true }, { "a/b", "x/a/b", false }, { "a/b", "a/b/c", true }, { "a/b/", "a/b", false }, { "a/b/", "a/b/c", true },
	{ "# a", "# a", false }, { "\\#a", "#a", true }, { "!a", "a", false }, { "a\n!a", "a", false }, { "!a\na", "a", true }, { "*\n!a", "a", false }, { "*\n!a", "b", true },
	{ "a\n!a/b", "a/b", true }, { "\\!a", "!a", true }, { "a \t\r", "a", true }, { "a\r\nb\r\n", "b", true }, { " \n\n\t\nb", "b", true }, { "/", "a", false }, { "!", "a", false },
	{ "*.c", "a.c", true }, { "*.c", "x/a.c", true }, { "*.c", "a.cc", false }, { "*.c", ".c", true }, { "a*c", "abc", true }, { "a*c", "ac", true }, { "a*c", "ab", false }, { "x/*.c", "x/a.c", true },
	{ "x/*.c", "x/y/a.c", false }, { "*", "a/b", true }, { "x/*", "x/y/z", true }, { "a*b*c", "a1b2c", true }, { "a*b*c", "a1c2b", false },
	{ "?", "a", true }, { "?", "ab", false }, { "a?c", "abc", true }, { "a?c", "a/c", false }, { "a?", "a", false },
	{ "[ab]", "a", true }, { "[ab]", "c", false }, { "[a-c]", "b", true }, { "[a-c]", "d", false }, { "[!a]", "b", true }, { "[!a]", "a", false }, { "[^a]", "b", true }, { "[]a]", "]", true },
	{ "[a-]", "-", true }, { "[a", "[a", true }, { "[\\]]", "]", true }, { "x[/]y", "x/y", false }, { "[a-c]x[0-9]", "bx7", true }, { "[a-c]x[0-9]", "bxx", false }, { "[!a-c]", "d", true }, { "[]-a]", "`", true },
	{ "**/a", "a", true }, { "**/a", "x/y/a", true }, { "**/a", "ba", false }, { "x/**", "x/y/z", true }, { "x/**", "x", false }, { "x/**/z", "x/z", true }, { "x/**/z", "x/y/w/z", true }, { "x/**/z", "xz", false },
	{ "x**z", "x/y/z", false }, { "x/**z", "x/y/z", true }, { "\\a", "a", true }, { "a\\", "a\\", true }, { "a\\*", "a*", true }, { "a\\*", "ab", false },
};
/* clang-format on */

static void paths_are_ignored(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		struct ignore_rules r = { 0 };
		ignore_add(&r, "", rows[i].patterns, strlen(rows[i].patterns), a);
		if (ignore_matches(&r, rows[i].path) != rows[i].ignored)
			fail_msg("%s: %s", rows[i].patterns, rows[i].path);
		assert_int_equal(ignore_matches(&r, rows[i].path), rows[i].ignored); /* the same again */
	}
}

/* Patterns of a folder are for paths below it; those of an inner folder decide. */
static void folders_have_patterns(void **state)
{
	/* clang-format off */
	static const struct { const char *path; bool ignored; } cases[] = {
		{ "a", true }, { "x/a", true }, { "x/b", true }, { "b", false }, { "xb", false }, { "x/y/a", false }, { "x/y/b", true }, { "x/c", true }, { "x/y/c", false }, { "c", false },
		{ "x/y/d/e", true }, { "x/d/e", false },
	};
	/* clang-format on */
	struct ignore_rules r = { 0 };

	(void)state;
	ignore_add(&r, "", "a", 1, a);
	ignore_add(&r, "x/", "b\n/c", 4, a);
	ignore_add(&r, "x/y/", "!a\nd/", 5, a);
	for (size_t round = 0; round < 2; round++)
		for (size_t i = 0; i < LEN(cases); i++)
			if (ignore_matches(&r, cases[i].path) != cases[i].ignored)
				fail_msg("%s", cases[i].path);
}

static void attributes_are_set_and_unset(void **state)
{
	static const char text[] =
	    "*.c gen\n*.h -gen\n*.d gen=true other\n*.e gen=false\n*.f !gen\n*.g generated\n*.i x gen\n# *.j gen\n*.k\tgen\n*.l gen -gen\nsub/* gen\n*.m ge\n";
	/* clang-format off */
	static const struct { const char *path; bool set; } cases[] = {
		{ "a.c", true }, { "a.h", false }, { "a.d", true }, { "a.e", false }, { "a.f", false }, { "a.g", false }, { "a.i", true }, { "a.j", false }, { "a.k", true }, { "a.l", false },
		{ "sub/x", true }, { "sub/x.h", true }, { "a.m", false },
	};
	/* clang-format on */
	struct ignore_rules r = { 0 };

	(void)state;
	ignore_add_attr(&r, "gen", "", text, sizeof text - 1, a);
	for (size_t i = 0; i < LEN(cases); i++)
		if (ignore_matches(&r, cases[i].path) != cases[i].set)
			fail_msg("%s", cases[i].path);
}

/* 4,000 patterns count; a pattern that takes more than 20,000 steps matches nothing. */
static void patterns_have_limits(void **state)
{
	struct ignore_rules r = { 0 };
	struct buf b = { 0 };
	char path[64];

	(void)state;
	for (int i = 0; i < 4001; i++)
		buf_printf(&b, "n%d\n", i);
	ignore_add(&r, "", b.p, b.n, a);
	assert_int_equal(r.n, 4000);
	assert_true(ignore_matches(&r, "n3999"));
	assert_false(ignore_matches(&r, "n4000"));
	r = (struct ignore_rules){ 0 };
	ignore_add(&r, "", "*a*a*a*a*a*a*a*a*a*b", 20, a);
	memset(path, 'a', sizeof path);
	path[sizeof path - 1] = 0;
	assert_false(ignore_matches(&r, path));
	assert_in_range(r.steps, 20000, 21000);
	strcpy(path, "aaaaaaaaab");
	assert_true(ignore_matches(&r, path));
	assert_false(r.spent);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_ignored),
		cmocka_unit_test(folders_have_patterns),
		cmocka_unit_test(attributes_are_set_and_unset),
		cmocka_unit_test(patterns_have_limits),
	};

	a = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	return rc;
}
