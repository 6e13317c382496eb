/* Which paths a gateway's regular expression stands for, and what its replacement makes of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/gateways/regex_template.h"

static struct arena *a;

/* TEXT [GROUP=VALUE...] [tail TAIL], one for each alternative, separated by ` | `; a group that has a name shows that. */
static const char *reads(const char *regex)
{
	struct regex_template v[MAX_PATH_REWRITES];
	size_t n = regex_template_read(regex, v, MAX_PATH_REWRITES, a);
	struct buf b = { 0 };

	for (size_t i = 0; i < n; i++) {
		buf_printf(&b, "%s%s", i ? " | " : "", v[i].text);
		for (size_t k = 1; k < PATTERN_GROUPS; k++)
			if (v[i].name[k])
				buf_printf(&b, " %s=%s", v[i].name[k], v[i].group[k]);
			else if (v[i].group[k])
				buf_printf(&b, " %zu=%s", k, v[i].group[k]);
		if (v[i].tail)
			buf_printf(&b, " tail %s", v[i].tail);
	}
	const char *s = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

/* clang-format off */
static const struct { const char *regex, *reads; } expression_cases[] = {
	{ "^/api/users$", "/api/users" },
	{ "/api/", "/api/{*} tail {*}" },
	{ "", "{*} tail {*}" },
	/* wildcards */
	{ "/a/[^/]+$", "/a/{1}" },
	{ "/a/[^/]+", "/a/{1}/{*} tail /{*}" },
	{ "/a/[^/]+/b/\\d+$", "/a/{1}/b/{2}" },
	{ "/a/\\w{2,4}/x$", "/a/{1}/x" },
	{ "/a/[0-9a-f]{8}/x$", "/a/{1}/x" },
	{ "/a/[a-z/]+$", "/a/{*}" },
	{ "/a/.*", "/a/{*}" },
	{ "/a/.*/b$", "/a/{1}/b" },
	{ "/a/.?$", "/a/{1}" },
	{ "/a/\\S+?$", "/a/{1}" },
	{ "/a/.*+$", "/a/{*}" },
	{ "/a/[^/]$", "/a/{1}" },
	/* literal text */
	{ "/a.b$", "/a.b" },
	{ "/a\\.b$", "/a.b" },
	{ "/a/?$", "/a" },
	{ "/a/?", "/a{*} tail {*}" },
	{ "/as?/b$", "/as/b" },
	{ "/ab*$", "" },
	{ "/ab{2}$", "" },
	/* groups */
	{ "^/a/(.*)$", "/a/{*} 1={*}" },
	{ "^/a/(\\d+)/([^/]+)/c$", "/a/{1}/{2}/c 1={1} 2={2}" },
	{ "^/a/(?<id>\\d+)/(?P<rest>.*)", "/a/{1}/{*} id={1} rest={*}" },
	{ "^/a(/.*)?$", "/a/{*} 1=/{*}" },
	{ "^/a(?:/b)/(c)$", "/a/b/c 1=c" },
	{ "^/((a)/b)$", "/a/b 1=a/b 2=a" },
	{ "^/(a){1,2}$", "/a 1=a" },
	{ "^/(1)(2)(3)(4)(5)(6)(7)(8)(9)(x)$", "/123456789x 1=1 2=2 3=3 4=4 5=5 6=6 7=7 8=8 9=9" },
	/* alternatives */
	{ "^/(a|b)/c$", "/a/c 1=a | /b/c 1=b" },
	{ "^/(a|b)/(c|d)$", "/a/c 1=a 2=c | /a/d 1=a 2=d | /b/c 1=b 2=c | /b/d 1=b 2=d" },
	{ "^/(x(a|b))$", "/xa 1=xa 2=a | /xb 1=xb 2=b" },
	{ "^/(a|b|)c$", "/ac 1=a | /bc 1=b | /c 1=" },
	{ "^/a(/|$)", "/a/{*} 1=/ tail {*}" },
	{ "^/(a\\|b|c)$", "/a|b 1=a|b | /c 1=c" },
	{ "^/(?:a|b)c$", "" },
	{ "/a$|/b$", "" },
	/* what cannot be understood */
	{ "/(?!a)b", "" },
	{ "/(a", "" },
	{ "/a)", "" },
	{ "/[a", "" },
	{ "/(?<a", "" },
	{ "/a\\", "" },
	{ "/a\\bc", "" },
};
/* clang-format on */

static void expressions(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(expression_cases); i++) {
		const char *got = reads(expression_cases[i].regex);
		if (strcmp(got, expression_cases[i].reads))
			print_message("%s\n", expression_cases[i].regex);
		assert_string_equal(got, expression_cases[i].reads);
	}
}

static void long_expressions_are_not_read(void **state)
{
	char regex[402];

	(void)state;
	memset(regex, 'a', sizeof regex);
	regex[399] = '\0';
	assert_int_equal(strlen(reads(regex)), 399 + strlen("{*} tail {*}"));
	regex[399] = 'a';
	regex[400] = '\0';
	assert_string_equal(reads(regex), "");
}

static void replacements(void **state)
{
	/* clang-format off */
	static const struct { const char *regex, *with, *gives; } cases[] = {
		{ "^/a/(.*)$", "/b/$1", "/b/{*}" },
		{ "^/a/(.*)$", "/b/\\1", "/b/{*}" },
		{ "^/a/(.*)$", "/b/${1}c", "/b/{*}c" },
		{ "^/a/(.*)$", "/b/\\$1", "/b/{*}" },
		{ "^/a/(.*)$", "/b/$2", "/b/" },
		{ "^/a/(\\d+)/(?<rest>.*)$", "/${rest}/$1x", "/{*}/{1}x" },
		{ "^/a/(?<rest>.*)$", "/$rest", "/{*}" },
		{ "^/a/(?<rest>.*)$", "/${res}$0", "//a/{*}" },
		{ "^/a", "$0/\\d", "/a/\\d" },
		{ "^/a(b)", "$1$1", "bb" },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct regex_template v[MAX_PATH_REWRITES];
		assert_int_equal(regex_template_read(cases[i].regex, v, MAX_PATH_REWRITES, a), 1);
		assert_string_equal(regex_template_expand(&v[0], cases[i].with, a), cases[i].gives);
	}
	assert_string_equal(regex_template_plain("/a/{1}/{12}/{*}/{b}", a), "/a/{}/{}/{*}/{b}");
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions),
		cmocka_unit_test(long_expressions_are_not_read),
		cmocka_unit_test(replacements),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
