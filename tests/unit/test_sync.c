/* Contracts and links of a group: built once, kept, brought up to date. */
#include "tests/federation.h"

static void contracts_are_built_once(void **state)
{
	(void)state;
	const char *s = ask("group_contracts", "{\"group\":\"all\"}");
	holds(s, "\"totals\":{\"contracts\":4,\"unresolved\":1,\"producers_without_consumers\":1}");
	holds(s, "\"complete\":true");
	int calls = contract_calls(&fakes[0]);
	assert_int_equal(calls, 2);	/* two pages */
	const char *t = ask("group_sync", "{\"group\":\"all\"}");
	assert_string_equal(get(t, "changed"), "false");
	assert_string_equal(get(t, "contracts_written"), "6");
	assert_int_equal(contract_calls(&fakes[0]), calls);
	assert_string_equal(get(ask("group_contracts", "{\"group\":\"all\"}"), "contracts"), get(s, "contracts"));
	s = ask("group_cross_repo_links", "{\"group\":\"all\",\"relation\":\"consumes_route\"}");
	assert_string_equal(get(s, "total"), "4");
	holds(s, "\"source_repo_uri\":\"h.example/shop/svc0\",\"source_doc_path\":\"b.c\"");
}

static void the_three_lists_are_one_stream(void **state)
{
	const char *cursor = NULL;
	size_t rows = 0, pages = 0;

	(void)state;
	do {
		const char *s = ask("group_contracts", arena_printf(a, "{\"group\":\"all\",\"limit\":4%s%s}",
		    cursor ? ",\"cursor\":" : "", cursor ? cursor : ""));
		for (size_t i = 0; json_item(get(s, "contracts"), i, a); i++)
			rows++;
		for (size_t i = 0; json_item(get(s, "unresolved"), i, a); i++)
			rows++;
		for (size_t i = 0; json_item(get(s, "producers_without_consumers"), i, a); i++)
			rows++;
		cursor = get(s, "next_cursor");
		pages++;
	} while (*cursor && pages < 9);
	assert_int_equal(rows, 6);
	assert_int_equal(pages, 2);
	const char *s = ask("group_contracts", "{\"group\":\"all\",\"repo_uri\":\"h.example/shop/svc4\"}");
	holds(s, "\"totals\":{\"contracts\":1,\"unresolved\":1,\"producers_without_consumers\":0}");
	assert_string_equal(code(ask("group_contracts", "{\"group\":\"all\",\"kinds\":[\"soap\"]}")), "INVALID_INPUT");
}

static void a_new_index_brings_new_contracts(void **state)
{
	(void)state;
	set_index(&fakes[4], 9, 0, "/new");
	/* what an earlier test left behind in another member may be known for one more probe */
	static const char stale[] = "\"stale\":[{\"repo_uri\":\"h.example/shop/svc4\"";
	const char *s = ask("group_contracts", "{\"group\":\"all\"}");
	for (int i = 0; i < 100 && !strstr(s, stale); i++) {
		clock_sleep(50);
		s = ask("group_contracts", "{\"group\":\"all\"}");
	}
	holds(s, stale);
	holds(s, "\"complete\":false");
	int others = contract_calls(&fakes[0]);
	s = ask("group_sync", "{\"group\":\"all\"}");
	assert_string_equal(get(s, "changed"), "true");
	assert_int_equal(contract_calls(&fakes[0]), others);
	holds(ask("group_contracts", "{\"group\":\"all\"}"), "\"path\":\"/new\"");
}

static void unreachable_members_keep_their_facts(void **state)
{
	(void)state;
	set_mode(&fakes[2], HANGS);
	wait_health("h.example/shop/svc2", "down");
	const char *s = ask("group_sync", "{\"group\":\"all\"}");
	holds(s, "\"failed\":[{\"repo_uri\":\"h.example/shop/svc2\"");
	assert_string_equal(get(s, "changed"), "false");
	s = ask("group_contracts", "{\"group\":\"all\"}");
	holds(s, "\"path\":\"/m2\"");
	holds(s, "its last good facts are shown");
	assert_string_equal(get(s, "complete"), "false");
	set_mode(&fakes[2], ANSWERS);
	wait_health("h.example/shop/svc2", "healthy");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contracts_are_built_once),
		cmocka_unit_test(the_three_lists_are_one_stream),
		cmocka_unit_test(a_new_index_brings_new_contracts),
		cmocka_unit_test(unreachable_members_keep_their_facts),
	};

	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
