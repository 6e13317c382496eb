/* Questions that are routes, and how well routes fit them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/text/route_question.h"

static enum route_fit fit(struct arena *a, const char *question, const char *route)
{
	struct route_path asked, path;
	const char *method;

	if (!route_question_parse(question, &method, &asked, a))
		return ROUTE_UNLIKE;
	route_path_read(route, &path, a);
	return route_path_fit(&asked, &path);
}

static void test_parse(void **state)
{
	static const struct {
		const char *text, *method;
		bool route;
	} rows[] = {
		{ "/users", NULL, true },
		{ "GET /users", "GET", true },
		{ "get  /users/:id ", "GET", true },
		{ "`PATCH /users`", "PATCH", true },
		{ "'/users/'", NULL, true },
		{ "/users?page=1", NULL, true },
		{ "users", NULL, false },
		{ "GET users", "GET", false },
		{ "/users handler", NULL, false },
		{ "GET", "GET", false },
		{ "/", NULL, false },
		{ "/:id", NULL, false },
		{ "/1/2", NULL, false },
		{ "GETS /users", NULL, false },
		{ "", NULL, false },
	};
	struct arena *a = arena_new();
	struct route_path path;
	const char *method;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool got = route_question_parse(rows[i].text, &method, &path, a);
		if (got != rows[i].route)
			fail_msg("%s", rows[i].text);
		if (rows[i].method)
			assert_string_equal(method, rows[i].method);
		else
			assert_null(method);
	}
	arena_free(a);
}

static void test_fit(void **state)
{
	static const struct {
		const char *question, *route;
		enum route_fit fit;
	} rows[] = {
		{ "/users", "/users", ROUTE_WHOLE },
		{ "/Users/", "/users", ROUTE_WHOLE },
		{ "/users/:id", "/users/{}", ROUTE_WHOLE },
		{ "/users/<int:id>", "/users/{}", ROUTE_WHOLE },
		{ "/users/$id", "/users/{}", ROUTE_WHOLE },
		{ "/users/*", "/users/{}", ROUTE_WHOLE },
		{ "/users/[id]", "/users/{}", ROUTE_WHOLE },
		{ "/users/42", "/users/{}", ROUTE_VALUE },
		{ "/files/a/b", "/files/{*}", ROUTE_VALUE },
		{ "/files", "/files/{*}", ROUTE_WHOLE },
		{ "/users", "/api/v1/users", ROUTE_WITHIN },
		{ "/v1/users/:id", "/api/v1/users/{}", ROUTE_WITHIN },
		{ "/api/v1/users", "/users", ROUTE_END },
		{ "/api/v1/users/:id", "/users/{}", ROUTE_END },
		{ "/users", "/orders", ROUTE_UNLIKE },
		{ "/users/:id", "/users/me", ROUTE_UNLIKE },
		{ "/users/42", "/api/users/{}", ROUTE_UNLIKE },
		{ "/api/42", "/{}", ROUTE_UNLIKE },
		{ "/users", "/users/{}", ROUTE_UNLIKE },
		{ "/users", "/{}", ROUTE_UNLIKE },
		{ "/users", "/", ROUTE_UNLIKE },
		{ "/users", "/{*}", ROUTE_UNLIKE },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (fit(a, rows[i].question, rows[i].route) != rows[i].fit)
			fail_msg("%s, %s: %d", rows[i].question, rows[i].route,
			    (int)fit(a, rows[i].question, rows[i].route));
	arena_free(a);
}

static void test_bounds(void **state)
{
	char text[2 * ROUTE_SEGMENTS * 2 + 1];
	struct arena *a = arena_new();
	struct route_path path;
	const char *method;

	(void)state;
	for (size_t i = 0; i + 1 < sizeof text; i++)
		text[i] = i % 2 ? 'a' : '/';
	text[sizeof text - 1] = 0;
	assert_true(route_question_parse(text, &method, &path, a));
	assert_int_equal(path.n, ROUTE_SEGMENTS);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_fit),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
