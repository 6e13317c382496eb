/* Handlers that PHP, Rails and frameworks that route by files name in strings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/paths/route_syntax.h"

typedef const char *reader(const char *, const char *, struct arena *);

struct row {
	const char *text, *action, *handler; /* handler NULL: none */
};

static void check(reader *read, const struct row *v, size_t n)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < n; i++) {
		const char *got = read(v[i].text, v[i].action, a);
		if (!got || !v[i].handler ? got != v[i].handler : strcmp(got, v[i].handler) != 0)
			fail_msg("%s is %s, not %s", v[i].text, got, v[i].handler);
	}
	arena_free(a);
}

static void methods_of_php(void **state)
{
	static const struct row v[] = {
		{ "[UserController::class, 'show']", NULL, "UserController.show" },
		{ "[\\App\\UserController::class, 'show']", NULL, "UserController.show" },
		{ "'UserController@show'", NULL, "UserController.show" },
		{ "'App\\Http\\User_1@show2'", NULL, "User_1.show2" },
		{ "User::class . ':show'", NULL, "User.show" },
		{ "User::class", "index", "User.index" },
		{ "User::class", NULL, "User.__invoke" },
		{ "User::class", "", "User.__invoke" },
		{ "'UserController'", "show", "UserController.show" },
		{ "'UserController:list'", "show", "UserController.list" },
		{ "'UserController'", NULL, NULL },
		{ "'UserControllers'", "show", NULL },
		{ "'UserController#show'", "x", NULL },
		{ "'@show'", NULL, NULL },
		{ "'User@'", NULL, NULL },
		{ "::class", NULL, NULL },
		{ "'show'", "index", NULL },
		{ "", NULL, NULL },
	};

	(void)state;
	check(class_handler, v, LEN(v));
}

static void methods_of_rails(void **state)
{
	static const struct row v[] = {
		{ "\"users#show\"", "", "UsersController.show" },
		{ "'admin/users#show'", "", "UsersController.show" },
		{ "\"user_accounts#show\"", "index", "UserAccountsController.show" },
		{ ":users", "index", "UsersController.index" },
		{ "'users'", "index", "UsersController.index" },
		{ "'users'", "", NULL },
		{ "a/b/users_", "x", "UsersController.x" },
	};

	(void)state;
	check(rails_handler, v, LEN(v));
}

static void functions_of_files(void **state)
{
	static const struct row v[] = {
		{ "\"./users/one.tsx\"", "loader", "./users/one.loader" },
		{ "'a.ts'", "f", "a.f" },
		{ "`a.jsx`", "f", "a.f" },
		{ "\"a.js\"", "f", "a.f" },
		{ "\"a.mjs\"", "f", "a.f" },
		{ "\"a.mdx\"", "f", "a.f" },
		{ "\"a.css\"", "f", NULL },
		{ "\".ts\"", "f", NULL },
		{ "a.ts", "f", NULL },
		{ "\"a.ts\"", "", NULL },
		{ "\"\"", "f", NULL },
		{ "\"ats\"", "f", NULL },
	};

	(void)state;
	check(file_handler, v, LEN(v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(methods_of_php),
		cmocka_unit_test(methods_of_rails),
		cmocka_unit_test(functions_of_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
