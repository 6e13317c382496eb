/* Path rewrites of gateways that are written in code, each call by itself, and templates with names of parameters. */
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
#include "shard/contracts/gateways/path_rewrite_code.h"

static struct arena *a;

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static const char *said(const struct path_rewrites *f)
{
	const char *out = "";

	for (size_t i = 0; i < f->n; i++) {
		const char *to = path_rewrite_target(&f->v[i], a);
		out = arena_printf(
		    a, "%s%s%s%s%s", out, i ? " " : "", f->v[i].path, to ? ">" : "", to ? to : "");
	}
	return out;
}

/* What this code makes of /api/v1 and everything below. */
static void becomes(const char *code, const char *want)
{
	struct path_rewrites f = { 0 };

	assert_true(path_rewrite_add(&f, PATH_REWRITE_SEGMENT_PREFIX, "/api/v1", a));
	path_rewrite_from_code(&f, code, a);
	assert_string_equal(said(&f), want);
}

#define SAME "/api/v1/{*}"

static void calls_of_spring(void **state)
{
	(void)state;
	becomes("f -> f.stripPrefix(1)", SAME ">/v1/{*}");
	becomes("f -> f.stripPrefix(2)", SAME ">/{*}");
	becomes("f -> f.stripPrefix(12)", SAME ">/{*}");
	becomes("f -> f.stripPrefix(n)", SAME ">/v1/{*}");
	becomes("f -> f.prefixPath(\"/x\")", SAME ">/x/api/v1/{*}");
	becomes("f -> f.prefixPath(x)", SAME);
	becomes("f -> f.setPath(\"/x\")", SAME ">/x");
	becomes("f -> f.setPath(\"/x/{id}\")", SAME);
	becomes("f -> f.rewritePath(\"/api/(?<rest>.*)\", \"/${rest}\")", SAME ">/v1/{*}");
	becomes("f -> f.stripPrefix(1).prefixPath(\"/x\")", SAME ">/x/v1/{*}");
}

static void calls_of_javascript(void **state)
{
	(void)state;
	becomes("path => path.replace(/^\\/api/, '')", SAME ">/v1/{*}");
	becomes("path => path.replace(/^\\/api/gi , '/x')", SAME ">/x/v1/{*}");
	becomes("path => path.replace('/api', `/y`)", SAME ">/y/v1/{*}");
	becomes("path => path.replace(/^\\/other/, '')", SAME);
	becomes("path => path.replace(from, '')", SAME);
	becomes("path => path.replace('/api' + x, '')", SAME);
	becomes("path => path.replace('/api', to)", SAME);
	becomes("path => path.replace('/api'", SAME);
	becomes("", SAME);
}

static void objects(void **state)
{
	(void)state;
	becomes("{ '^/api': '' }", SAME ">/v1/{*}");
	becomes("{'^/api':'/x','^/x/v1':'/y'}", SAME ">/y/{*}");
	becomes("{ \"^/api\" : \"/x\" , }", SAME ">/x/v1/{*}");
	becomes("{ }", SAME);
	becomes("{", SAME);
	becomes("{ a: '' }", SAME);
	becomes("x = { '^/api': '' }", SAME);
}

static void calls_of_dotnet(void **state)
{
	(void)state;
	becomes("{ { \"PathRemovePrefix\", \"/api\" } }", SAME ">/v1/{*}");
	becomes("t.WithTransformPathRemovePrefix(prefix: \"/api\")", SAME ">/v1/{*}");
	becomes("t[\"PathPrefix\"] = \"/x\";", SAME ">/x/api/v1/{*}");
	becomes("t[\"PathSet\"] = \"/x\";", SAME ">/x");
	becomes("t[\"PathSet\"] = \"/x/{id}\";", SAME);
	becomes("t[\"PathPrefix\"] = x; y = \"/z\"", SAME);
}

static void literals(void **state)
{
	(void)state;
	becomes("f.setPath( \t\n\"/a\\\"b\")", SAME ">/a\"b");
	becomes("f.setPath(\"/a\\\\b\")", SAME ">/a\\b");
	becomes("f.setPath(\"/a\\.b\")", SAME ">/a\\.b");
	becomes("f.setPath('/a", SAME ">/a");
}

static void named(const char *from, const char *to, const char *want)
{
	struct path_rewrites f = { 0 };

	assert_true(path_rewrite_add_named(&f, from, to, a));
	assert_string_equal(said(&f), want);
}

static void names_of_parameters(void **state)
{
	(void)state;
	named("/api/:id/:rest*", "/x/:rest*/:id", "/api/{}/{*}>/x/{*}/{1}");
	named("/api/{id}/{**rest}", "/{rest}", "/api/{}/{*}>/{*}");
	named("/api/{everything}", "/v1/{everything}", "/api/{*}>/v1/{*}");
	named("/api/{url}", "/v1/{url}", "/api/{*}>/v1/{*}");
	named("/api/:a/:b_2", "/:b_2/:a", "/api/{}/{}>/{2}/{1}");
	named("/api/:a(\\d+)/b", "/:a", "/api/{}/b>/{1}");
	named("/api/:rest+", "/:rest+", "/api/{*}>/{*}");
	named("/api/:a", "/:other", "/api/{}>/{}");
	named("/api/:a", "/api/:a", "/api/{}");
	named("api", "x", "/api>/x");
	named("/a:1/{b", "/c", "/a:1/{b>/c");
	named("/:a/:rest*/:b", "/:b", "/{}/{*}/{}>/{2}");
}

static void how_many_there_may_be(void **state)
{
	struct path_rewrites f = { 0 };

	(void)state;
	for (int i = 0; i < MAX_PATH_REWRITES; i++)
		assert_true(path_rewrite_add_named(&f, "/a", "/b", a));
	assert_false(path_rewrite_add_named(&f, "/a", "/b", a));
	assert_int_equal(f.n, MAX_PATH_REWRITES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(calls_of_spring, begin, end),
		cmocka_unit_test_setup_teardown(calls_of_javascript, begin, end),
		cmocka_unit_test_setup_teardown(objects, begin, end),
		cmocka_unit_test_setup_teardown(calls_of_dotnet, begin, end),
		cmocka_unit_test_setup_teardown(literals, begin, end),
		cmocka_unit_test_setup_teardown(names_of_parameters, begin, end),
		cmocka_unit_test_setup_teardown(how_many_there_may_be, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
