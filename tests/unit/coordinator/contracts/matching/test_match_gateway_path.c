/* What a gateway makes of a path: templates with holes and a rest, and what they become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "coordinator/contracts/matching/match_gateway.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

static const struct {
	const char *template, *to, *path, *becomes; /* NULL: it does not fit */
} cases[] = {
	{ "/a", NULL, "/a", "/a" },
	{ "/a", NULL, "/a/", "/a/" },
	{ "/a", NULL, "/ab", NULL },
	{ "/a", NULL, "/a/b", NULL },
	{ "/ab", NULL, "/a", NULL },
	{ "/A/b", NULL, "/a/B", "/a/B" },
	{ "/a", NULL, "/a{}", "/a{}" }, /* perhaps a query */
	{ "/a", NULL, "/a/{}", NULL },
	{ "/a", "/x", "/a?q=1", "/x" },
	{ "/a", NULL, "/a#f", "/a" },
	{ "/a/{}", NULL, "/a/b", "/a/b" },
	{ "/a/{}", NULL, "/a/", NULL },
	{ "/a/{}", NULL, "/a", NULL },
	{ "/a/{}", NULL, "/a/b/c", NULL },
	{ "/a/{}", NULL, "/a/{}", "/a/{}" },
	{ "/a/{}/c", "/{1}", "/a/b/c", "/b" },
	{ "/a/{}/c", "/{1}", "/a//c", NULL },
	{ "/a/{}/{}", "/{2}/{1}", "/a/b/c", "/c/b" },
	{ "/a/{}.json", "/{1}", "/a/b.json", "/b" },
	{ "/a/{}.json", "/{1}", "/a/.json", NULL },
	{ "/a/{}.json", "/{1}", "/a/b.xml", NULL },
	{ "/a/{}-{}", "/{2}/{1}", "/a/b-c", "/c/b" },
	{ "/a/{*}", "/x/{*}", "/a/b/c", "/x/b/c" },
	{ "/a/{*}", "/x/{*}", "/a/", "/x/" },
	{ "/a/{*}", "/x/{*}", "/a", "/x/" },
	{ "/a/{*}", "/x/{*}", "/ab", NULL },
	{ "/{*}", "/x/{*}", "/a/b", "/x/a/b" },
	{ "/{}/{*}", "/{*}/of/{1}", "/a/b/c", "/b/c/of/a" },
	{ "/a/{}", "/{1}/{2}", "/a/b", "/b/{}" },
	{ "/a/{*}", "/{1}", "/a/b", "/{}" },
};

static void paths(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *got = gateway_rewrite_path(cases[i].template, cases[i].to, cases[i].path, a);
		const char *want = cases[i].becomes;
		if (got && want && !strcmp(got, want))
			continue;
		if (got || want)
			print_error("%zu: %s %s %s: %s\n", i, cases[i].template,
			    cases[i].to ? cases[i].to : "-", cases[i].path, got ? got : "-");
		assert_true(!got && !want);
	}
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
