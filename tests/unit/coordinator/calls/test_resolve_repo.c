/* Which repository a call is about, and who may see it. */
#include "tests/federation.h"

static void neither_is_ambiguous(void **state)
{
	(void)state;
	const char *s = ask("query", "{\"query\":\"x\"}"), *e = get(s, "error");
	assert_string_equal(error_code(s), "AMBIGUOUS_REPO");
	assert_string_equal(get(e, "error_code"), "\"AMBIGUOUS_REPO\"");
	assert_string_equal(get(e, "jsonrpc_code"), "-32602");
	assert_string_equal(get(e, "total_matches"), "12");
	assert_string_equal(get(e, "hint"), "\"Retry with repo_uri=<one of above>\"");
	const char *choices = get(e, "choices");
	assert_non_null(json_item(choices, 9, a));
	assert_null(json_item(choices, 10, a));
	assert_contains(choices, "\"default_branch\":\"main\"");
	assert_contains(choices, "\"group\":\"all\"");
	assert_contains(choices, "\"group\":null");
	for (size_t i = 0; i < 10; i++) {
		const char *uri = get(json_item(choices, i, a), "repo_uri");
		assert_string_equal(error_code(ask("query", arena_printf(a, "{\"query\":\"x\",\"repo_uri\":%s}", uri))), "none");
	}
}

static void forms_of_a_handle(void **state)
{
	static const char *const same[] = {
		"{\"query\":\"x\",\"repo_uri\":\"h.example/shop/svc3\"}",
		"{\"query\":\"x\",\"repo_uri\":\"https://user:secret@H.example/shop/svc3.git/\"}",
		"{\"query\":\"x\",\"repo_uri\":\"git@h.example:shop/svc3.git\"}",
		"{\"query\":\"x\",\"repo_uri\":\"h.example/SHOP/svc3\"}",
		"{\"query\":\"x\",\"repo\":\"shop/svc3\"}",
		"{\"query\":\"x\",\"repo\":\"svc3\"}",
		"{\"query\":\"x\",\"repo\":\"SVC3\"}",
		"{\"query\":\"x\",\"repo\":\"nonsense\",\"repo_uri\":\"h.example/shop/svc3\"}",
	};

	(void)state;
	for (size_t i = 0; i < LEN(same); i++)
		assert_contains(ask("query", same[i]), "\"freshness\":{\"repo_uri\":\"h.example/shop/svc3\"");
}

static void an_end_that_fits_two(void **state)
{
	(void)state;
	const char *s = ask("query", "{\"query\":\"x\",\"repo\":\"svc1\"}"), *e = get(s, "error");
	assert_string_equal(error_code(s), "AMBIGUOUS_REPO");
	assert_string_equal(get(e, "total_matches"), "2");
	assert_null(json_item(get(e, "choices"), 2, a));
}

static void unknown_ones_have_neighbours(void **state)
{
	(void)state;
	const char *s = ask("query", "{\"query\":\"x\",\"repo\":\"shop/svc33\"}");
	assert_string_equal(error_code(s), "NOT_FOUND");
	assert_contains(s, "`shop/svc3`");
	s = ask("query", "{\"query\":\"x\",\"repo_uri\":\"https://me:secret@h.example/shop/nope\"}");
	assert_string_equal(error_code(s), "NOT_FOUND");
	assert_null(strstr(s, "secret"));
	s = ask("group_query", "{\"query\":\"x\",\"group\":\"al\"}");
	assert_string_equal(error_code(s), "NOT_FOUND");
	assert_contains(s, "`all`");
}

static void scopes(void **state)
{
	(void)state;
	assert_string_equal(error_code(ask("search_code", "{\"query\":\"x\",\"scope\":{\"type\":\"all\"}}")), "FORBIDDEN");
	assert_string_equal(error_code(ask("search_code", "{\"query\":\"x\",\"scope\":{\"type\":\"repos\",\"repos\":[]}}")),
	    "INVALID_INPUT");
	const char *s = ask("search_code", "{\"query\":\"x\",\"scope\":{\"type\":\"repos\",\"repos\":[\"svc2\",\"zzz\"]}}");
	assert_string_equal(error_code(s), "NOT_FOUND");
	assert_contains(s, "zzz");
	s = ask("search_code", "{\"query\":\"x\",\"repo\":\"zzz\",\"scope\":{\"type\":\"repo\",\"repo\":\"svc2\"}}");
	assert_string_equal(error_code(s), "none");
	assert_contains(s, "\"scope\":{\"type\":\"repo\",\"repos\":[\"svc2\"]}");
	s = ask("search_code", "{\"query\":\"x\",\"topK\":3,\"scope\":{\"type\":\"repos\",\"repos\":[\"svc2\",\"svc3\",\"svc2\"]}}");
	assert_contains(s, "\"repos\":[\"svc2\",\"svc3\"]");
	assert_contains(s, "\"score\":1,");
	assert_contains(s, "text of b3-0");
	assert_string_equal(error_code(ask("search_code", "{\"query\":\"x\",\"repo\":\"svc2\",\"vector\":[1]}")), "INVALID_INPUT");
	assert_string_equal(error_code(ask("search_code", "{\"query\":\" \",\"repo\":\"svc2\"}")), "INVALID_INPUT");
}

static void hidden_repositories_influence_nothing(void **state)
{
	static const char *const two[] = { "h.example/shop/svc0", "h.example/shop/svc1" };
	const struct caller c = { .name = "guest", .repo_uris = two, .n = 2 }, nobody = { .name = "nobody" };

	(void)state;
	assert_string_equal(get(ask_as(&c, "list_repos", NULL), "total"), "2");
	const char *s = ask_as(&c, "query", "{\"query\":\"x\"}");
	assert_string_equal(get(get(s, "error"), "total_matches"), "2");
	assert_contains(ask_as(&c, "query", "{\"query\":\"x\",\"repo\":\"svc1\"}"), "\"repo_uri\":\"h.example/shop/svc1\"");
	s = ask_as(&c, "query", "{\"query\":\"x\",\"repo\":\"svc2\"}");
	assert_string_equal(error_code(s), "NOT_FOUND");
	assert_null(strstr(s, "shop/svc2"));
	s = ask_as(&c, "group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	assert_contains(s, "\"members\":2,\"answered\":2");
	assert_null(strstr(s, "svc4"));
	assert_null(strstr(ask_as(&c, "group_list", NULL), "svc2"));
	assert_null(strstr(ask_as(&c, "group_contracts", "{\"group\":\"all\"}"), "svc2"));
	assert_null(strstr(ask_as(&c, "group_cross_repo_links", "{\"group\":\"all\"}"), "svc2"));
	assert_null(strstr(ask_as(&c, "group_status", "{\"group\":\"all\"}"), "svc2"));
	assert_string_equal(get(ask_as(&nobody, "group_list", NULL), "groups"), "[]");
	s = ask_as(&nobody, "group_query", "{\"group\":\"al\",\"query\":\"users\"}");
	assert_string_equal(error_code(s), "NOT_FOUND");
	assert_null(strstr(s, "`all`"));
	assert_string_equal(error_code(ask_as(&nobody, "query", "{\"query\":\"x\"}")), "NO_INDEX");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neither_is_ambiguous),
		cmocka_unit_test(forms_of_a_handle),
		cmocka_unit_test(an_end_that_fits_two),
		cmocka_unit_test(unknown_ones_have_neighbours),
		cmocka_unit_test(scopes),
		cmocka_unit_test(hidden_repositories_influence_nothing),
	};

	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
