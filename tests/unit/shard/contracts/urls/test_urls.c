#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/contracts/paths/url_path.h"
#include "shard/facts/facts.h"
#include "shard/parse/parser.h"
#include "tests/cpu_time.h"

static void test_routes(void **state)
{
	static const char *const table[][2] = {
		{ "", "/" }, { "/", "/" }, { "//a//b/", "/a/b" }, { "users", "/users" }, { "/users/:id", "/users/{}" },
		{ "/users/:id(\\d+)?", "/users/{}" }, { "/users/{id}", "/users/{}" }, { "/users/{id:[0-9/]+}/x", "/users/{}/x" },
		{ "/users/<int:id>/", "/users/{}" }, { "/files/<path:rest>", "/files/{*}" }, { "/files/*", "/files/{*}" },
		{ "/files/**", "/files/{*}" }, { "/files/{*rest}", "/files/{*}" }, { "/files/{rest...}", "/files/{*}" },
		{ "/files/{p:path}", "/files/{*}" }, { "/a/*/b", "/a/{}/b" },
		{ "/a/{$}", "/a" }, { "/v:version/x", "/v{}/x" }, { "/report-{id}.pdf", "/report-{}.pdf" },
		{ "*", "/{*}" }, { "/a/:b-:c", "/a/{}-{}" }, { "/x{", "/x{" }, { "/{a/{b", "/{a/{b" },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(table); i++)
		assert_string_equal(url_path(table[i][0], true, a), table[i][1]);
	arena_free(a);
}

static void test_urls(void **state)
{
	static const struct { const char *text, *host, *path; } table[] = {
		{ "http://users:8080/users/{}", "users:8080", "/users/{}" }, { "/users/1?a=b#c", NULL, "/users/1" },
		{ "users/1/", NULL, "/users/1" }, { "{}/users/{}", "{}", "/users/{}" }, { "{}users", "{}", "/users" },
		{ "{}", NULL, "{}" }, { "{}/{}", NULL, "{}" }, { "/{}", NULL, "{}" }, { "", NULL, "{}" },
		{ "http://users", "users", "/" }, { "http://users/", "users", "/" }, { "https://{}/x", "{}", "/x" },
		{ "http://users/{}", "users", "/{}" }, { "http://users{}", "users", "{}" }, { "{}/", "{}", "/" },
		{ "http://carts{}/carts", "carts{}", "/carts" }, { "//cdn/x", "cdn", "/x" }, { "http://{host}:{port}/x", "{}:{}", "/x" },
		{ "{}:8080/x", "{}:8080", "/x" }, { "{}:{}/x", "{}:{}", "/x" }, { "{}:{}", NULL, "{}" },
		{ "/a:b/c", NULL, "/a:b/c" }, { "/users/{id}/x", NULL, "/users/{}/x" }, { "http://u?x=/y", "u", "/" },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(table); i++) {
		const char *host, *path;
		bool known = url_split(table[i].text, a, &host, &path);
		assert_int_equal(known, strcmp(table[i].path, "{}") != 0);
		assert_string_equal(path, table[i].path);
		assert_string_equal(host ? host : "-", table[i].host ? table[i].host : "-");
	}
	arena_free(a);
}

/* Names that refer to each other twice a step, and to themselves, end. */
static void test_names_without_end(void **state)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct parser *p = parser_new(&e);
	struct buf b = { 0 };
	struct facts f = { 0 };
	int64_t t0 = cpu_ms();

	(void)state;
	assert_non_null(p);
	for (int i = 0; i < 40; i++)
		buf_printf(&b, "const a%d = a%d + a%d;\n", i, i + 1, i + 1);
	buf_str(&b, "const a40 = '';\nconst self = self + other;\nconst other = self;\nfetch(a0);\nfetch('/x/' + self);\n");
	parse(p, lang_detect("a.js", b.p, b.n), b.p, b.n, 0, a, &f);
	assert_int_equal(f.contracts.n, 2);
	assert_string_equal(f.contracts.v[0].path, "{}");
	assert_true(!strncmp(f.contracts.v[1].path, "/x/", 3));
	assert_true(cpu_ms() - t0 < 5000);
	buf_free(&b);
	parser_free(p);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_routes),
		cmocka_unit_test(test_urls),
		cmocka_unit_test(test_names_without_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
