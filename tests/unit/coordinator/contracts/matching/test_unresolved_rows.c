/* A call without a link says what is missing. */
#include "tests/contract_rows.h"

/* The sentence of the only unresolved call. */
static const char *missing(const struct match_member *m, size_t n)
{
	struct match_result o;

	match(m, n, a, &o);
	assert_int_equal(o.unresolved.n, 1);
	const char *s = arena_printf(a, "%s: %s", o.unresolved.v[0].reason, o.unresolved.v[0].missing);
	match_result_free(&o);
	return s;
}

#define LACKS(want, ...)                                                                           \
	do {                                                                                           \
		struct match_member m_[] = { __VA_ARGS__ };                                                \
		assert_string_equal(missing(m_, LEN(m_)), want);                                           \
	} while (0)

#define OF(owner, name, ...)                                                                       \
	member("h/" owner "/" name, owner "/" name, (struct fact[]){ { 0 }, __VA_ARGS__ } + 1,         \
	    LEN(((struct fact[]){ { 0 }, __VA_ARGS__ })) - 1)

static struct fact computed(const char *why, const char *gap)
{
	struct fact f = CALL("GET", "{}", NULL);

	f.reason = "dynamic";
	f.why = why;
	f.gap = gap;
	f.gap_line = 7;
	return f;
}

static void values_and_hosts(void **state)
{
	(void)state;
	LACKS("dynamic: the value of `path` at src/a.c:7 is not known", MEMBER("web", computed("argument", "path")));
	LACKS("dynamic: a part of its URL is known only when it runs", MEMBER("web", computed(NULL, NULL)));
	LACKS("external: its host api.example.com is no member's", MEMBER("web", CALL("GET", "/x", "api.example.com")));
	LACKS("no-producer: no repository of the group is known by the name billing", MEMBER("web", CALL("GET", "/x/y", "billing")));
	LACKS("no-producer: shop/users is named by its host, but serves nothing that fits",
	    MEMBER("users", ROUTE("GET", "/users")), MEMBER("web", CALL("GET", "/x/y", "users:8080")));
}

static struct fact hinted(void)
{
	struct fact f = CALL("GET", "/x/y", NULL);

	f.raw = "process.env.USERS_URL + '/x/y'";
	return f;
}

static void servers(void **state)
{
	(void)state;
	LACKS("no-producer: shop/users is named by its address, but serves nothing that fits",
	    MEMBER("users", ROUTE("GET", "/users")), MEMBER("web", hinted()));
	LACKS("no-producer: the gateway passes it on to where nothing serves it", MEMBER("gate", FORWARD("/api/{*}", "users", "/{1}")),
	    MEMBER("users", ROUTE("GET", "/users")), MEMBER("web", CALL("GET", "/api/x/y", "gate")));
	LACKS("no-producer: nothing in the group serves such a path", MEMBER("users", ROUTE("GET", "/users")), MEMBER("web", CALL("GET", "/x/y", NULL)));
	LACKS("no-producer: others serve such a path, but no name, gateway or other request speaks for one of them; `links` in atoll.yaml declares it",
	    OF("aaaa", "shop", ROUTE("POST", "/login")), OF("bbbb", "web", CALL("POST", "/login", NULL)));
	LACKS("no-producer: nothing in the group that may be meant has this name", MEMBER("web", fact("consumes", "grpc", "RPC", "shop.Orders/Get", NULL)));
}

static void several_that_fit(void **state)
{
	(void)state;
	LACKS("ambiguous: nothing tells which of 3 repositories is meant", MEMBER("one", ROUTE("GET", "/orders/{}/lines")),
	    MEMBER("two", ROUTE("GET", "/orders/{}/lines")), MEMBER("three", ROUTE("GET", "/orders/{}/lines")),
	    MEMBER("web", CALL("GET", "/orders/{}/lines", NULL)));
	struct fact suffix = ROUTE("GET", "/a/b/c/orders");
	suffix.partial = true;
	LACKS("no-producer: shop/one serves it, but too little speaks for it (0.22 of 0.50)", MEMBER("one", suffix),
	    MEMBER("web", CALL("ANY", "{}/orders", NULL)));
}

static void what_people_declare(void **state)
{
	struct fact not = fact("denies", "http", "GET", "/x/y", "users");

	(void)state;
	not.framework = not.file = "atoll.yaml";
	assert_non_null(strstr(missing((struct match_member[]){ MEMBER("users", ROUTE("GET", "/x/y")), MEMBER("web", CALL("GET", "/x/y", "users"), not) }, 2), "atoll.yaml:"));
}

static int start(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int stop(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_and_hosts),
		cmocka_unit_test(servers),
		cmocka_unit_test(several_that_fit),
		cmocka_unit_test(what_people_declare),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
