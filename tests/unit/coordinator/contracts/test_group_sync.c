/* Contracts and links of a group: built once, kept, brought up to date. */
#include "coordinator/contracts/contract_tables.h"
#include "tests/federation.h"

static void contracts_are_built_once(void **state)
{
	(void)state;
	const char *s = ask("group_contracts", "{\"group\":\"all\"}");
	assert_contains(s, "\"totals\":{\"contracts\":4,\"unresolved\":1,\"producers_without_consumers\":1}");
	assert_contains(s, "\"complete\":true");
	int calls = contract_calls(&fakes[0]);
	assert_int_equal(calls, 2);	/* two pages */
	const char *t = ask("group_sync", "{\"group\":\"all\"}");
	assert_string_equal(get(t, "changed"), "false");
	assert_string_equal(get(t, "contracts_written"), "6");
	assert_int_equal(contract_calls(&fakes[0]), calls);
	assert_string_equal(get(ask("group_contracts", "{\"group\":\"all\"}"), "contracts"), get(s, "contracts"));
	s = ask("group_cross_repo_links", "{\"group\":\"all\",\"relation\":\"consumes_route\"}");
	assert_string_equal(get(s, "total"), "4");
	assert_contains(s, "\"source_repo_uri\":\"h.example/shop/svc0\",\"source_doc_path\":\"b.c\"");
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
	assert_contains(s, "\"totals\":{\"contracts\":1,\"unresolved\":1,\"producers_without_consumers\":0}");
	assert_string_equal(error_code(ask("group_contracts", "{\"group\":\"all\",\"kinds\":[\"soap\"]}")), "INVALID_INPUT");
}

/* Numbers that are kept beside the rows are those that counting the rows gives, which a path makes it do. */
static void the_numbers_are_those_of_the_rows(void **state)
{
	static const char *const filters[] = { "", ",\"repo_uri\":\"h.example/shop/svc4\"", ",\"kinds\":[\"http\"]",
		",\"kinds\":[\"topic\"]", ",\"repo_uri\":\"h.example/shop/svc1\",\"kinds\":[\"http\",\"grpc\"]" };
	static const char *const lists[] = { "totals", "pairs", "reasons" };

	(void)state;
	for (size_t i = 0; i < LEN(filters); i++) {
		const char *kept = arena_str(a, ask("group_contracts", arena_printf(a, "{\"group\":\"all\"%s}", filters[i])));
		const char *counted = ask("group_contracts", arena_printf(a, "{\"group\":\"all\",\"path\":\"/\"%s}", filters[i]));
		for (size_t k = 0; k < LEN(lists); k++)
			assert_string_equal(get(kept, lists[k]), get(counted, lists[k]));
	}
	assert_string_not_equal(get(ask("group_contracts", "{\"group\":\"all\"}"), "pairs"), "");
}

static void a_new_index_brings_new_contracts(void **state)
{
	(void)state;
	set_index(&fakes[4], 9, 0, "/new");
	/* what an earlier test left behind in another member may be known for one more probe */
	static const char stale[] = "\"stale\":[{\"repo_uri\":\"h.example/shop/svc4\"";
	const char *s = ask("group_contracts", "{\"group\":\"all\"}");
	for (int i = 0; i < 3000 && !strstr(s, stale); i++) {
		clock_sleep(50);
		s = ask("group_contracts", "{\"group\":\"all\"}");
	}
	assert_contains(s, stale);
	assert_contains(s, "\"complete\":false");
	int others = contract_calls(&fakes[0]);
	s = ask("group_sync", "{\"group\":\"all\"}");
	assert_string_equal(get(s, "changed"), "true");
	assert_int_equal(contract_calls(&fakes[0]), others);
	assert_contains(ask("group_contracts", "{\"group\":\"all\"}"), "\"path\":\"/new\"");
}

static void unreachable_members_keep_their_facts(void **state)
{
	(void)state;
	set_mode(&fakes[2], HANGS);
	wait_health("h.example/shop/svc2", "down");
	const char *s = ask("group_sync", "{\"group\":\"all\"}");
	assert_contains(s, "\"failed\":[{\"repo_uri\":\"h.example/shop/svc2\"");
	assert_string_equal(get(s, "changed"), "false");
	s = ask("group_contracts", "{\"group\":\"all\"}");
	assert_contains(s, "\"path\":\"/m2\"");
	assert_contains(s, "its last good facts are shown");
	assert_string_equal(get(s, "complete"), "false");
	set_mode(&fakes[2], ANSWERS);
	wait_health("h.example/shop/svc2", "healthy");
}

/* Whatever is wrong with one: it is named, its last good facts stay, and what is new of the others is there. */
static void one_that_fails_costs_the_others_nothing(void **state)
{
	static const struct { enum mode mode; const char *code; } cases[] = {
		{ NO_INDEX_ANSWERS, "UNAVAILABLE" }, { FAILS, "DB_ERROR" }, { NO_INDEX_YET, "NO_INDEX" }, { NO_CONTRACTS, "NOT_FOUND" }, { TRUNCATES, "DB_ERROR" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		ask("group_sync", "{\"group\":\"all\"}");
		set_index(&fakes[1], 100 + i, 0, NULL);
		set_index(&fakes[3], 100 + i, 0, arena_printf(a, "/new-%zu", i));
		set_mode(&fakes[1], cases[i].mode);
		co->o.contracts_deadline_ms = cases[i].mode == NO_INDEX_ANSWERS ? SHORT_DEADLINE_MS : SEARCH_MS;
		const char *s = ask("group_sync", "{\"group\":\"all\"}");
		co->o.contracts_deadline_ms = SEARCH_MS;
		assert_contains(s, arena_printf(a, "\"failed\":[{\"repo_uri\":\"h.example/shop/svc1\",\"code\":\"%s\"", cases[i].code));
		assert_string_equal(get(s, "complete"), "false");
		s = ask("group_contracts", "{\"group\":\"all\"}");
		assert_contains(s, arena_printf(a, "\"path\":\"/new-%zu\"", i));
		assert_contains(s, "\"path\":\"/m1\"");
		if (cases[i].mode != NO_INDEX_YET)	/* of that nothing new is known */
			assert_contains(ask("group_status", "{\"group\":\"all\"}"), "\"contracts_current\":false");
		set_mode(&fakes[1], ANSWERS);
	}
	wait_health("h.example/shop/svc1", "healthy");
	ask("group_sync", "{\"group\":\"all\"}");
	assert_contains(ask("group_status", "{\"group\":\"all\"}"), "\"contracts_current\":true");
}

/* Four at once: they run one after the other, and each asks only for what is new. */
static void several_at_once(void **state)
{
	struct pending_call w[4];
	int before = contract_calls(&fakes[3]);

	(void)state;
	set_index(&fakes[3], 20, 0, "/twice");
	for (size_t i = 0; i < LEN(w); i++) {
		w[i] = (struct pending_call){ PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };
		call_start(co, tool_get("group_sync"), &caller_local, "{\"group\":\"all\"}", 
		    &(struct call_client){ .done = on_done, .ctx = &w[i], .key = &w[i] });
	}
	for (size_t i = 0; i < LEN(w); i++) {
		pthread_mutex_lock(&w[i].lock);
		while (!w[i].c)
			pthread_cond_wait(&w[i].cond, &w[i].lock);
		pthread_mutex_unlock(&w[i].lock);
		assert_int_equal(w[i].c->e.code, 0);
		call_free(w[i].c);
	}
	assert_int_equal(contract_calls(&fakes[3]) - before, 3);	/* pages */
	assert_string_equal(get(ask("group_sync", "{\"group\":\"all\"}"), "changed"), "false");
	assert_contains(ask("group_contracts", "{\"group\":\"all\"}"), "\"path\":\"/twice\"");
}

static const char *wait_for_route(const char *route)
{
	const char *s = "";

	for (int i = 0; i < 3000 && !strstr(s, route); i++) {
		clock_sleep(25);
		s = ask("group_contracts", "{\"group\":\"all\"}");
	}
	return s;
}

/* The tables as an older program left them: its rules linked the call that nobody serves, and no other. */
static void leave_old_tables(void)
{
	const struct table_filter of_unresolved = { .list = "unresolved" };
	struct end producer = { .repo_uri = "h.example/shop/svc1",
		.file = "a.c",
		.line = 1,
		.method = "GET",
		.path = "/{}",
		.framework = "fake" };
	struct table_page p;
	struct unresolved u;
	struct err e = { 0 };
	struct buf b = { 0 };
	struct tables_change change;

	assert_int_equal(tables_page(co->registry, "all", &of_unresolved, &p, a, &e), 0);
	assert_int_equal(p.rows.n, 1);
	assert_int_equal(
	    codec_get(&rec_unresolved, &u, p.rows.v[0].row.p, p.rows.v[0].row.n, a, &e), 0);
	const struct contract old = { .kind = "http",
		.method = "GET",
		.path = "/{}",
		.producer = &producer,
		.consumer = u.consumer,
		.cross_repo = true,
		.confidence = 0.75 };
	codec_put(&rec_contract, &old, &b);
	struct table_row row = { .list = "contract",
		.what = "http",
		.producer = &producer,
		.consumer = u.consumer,
		.confidence = 0.9,
		.row = { b.p, b.n } };
	const struct table_rows contracts = { &row, 1, 1 }, links = { 0 };
	const struct tables_origin origin = { 0 };
	assert_int_equal(
	    tables_put(co->registry, "all", &contracts, &links, NULL, 0, &origin, "2026", &change, &e),
	    0);
	buf_free(&b);
}

/* What the new rules do not make is listed once, with what it was and what it lacks. */
static void links_that_leave_are_listed_once(void **state)
{
	(void)state;
	assert_contains(ask("group_status", "{\"group\":\"all\"}"), "\"contracts_current\":true");
	leave_old_tables();
	assert_contains(ask("group_status", "{\"group\":\"all\"}"), "\"contracts_current\":false");
	const char *s = ask("group_sync", "{\"group\":\"all\"}");
	assert_string_equal(get(s, "departed_total"), "1");
	const char *d = get(s, "departed");
	assert_contains(d, "\"consumer\":{\"repo_uri\":\"h.example/shop/svc4\"");
	assert_contains(d, "\"producer\":{\"repo_uri\":\"h.example/shop/svc1\"");
	assert_contains(d,
	    "\"was\":0.75,\"reason\":\"no-producer\",\"missing\":\"nothing in the group serves");
	s = ask("group_sync", "{\"group\":\"all\"}");
	assert_string_equal(get(s, "departed_total"), "");
	assert_string_equal(get(s, "departed"), "");
	assert_contains(ask("group_status", "{\"group\":\"all\"}"), "\"contracts_current\":true");
}

static void a_new_index_is_synced_by_itself(void **state)
{
	(void)state;
	coordinator_close(co);
	sync_delay_ms = 100;
	open_coordinator();
	for (int i = 0; i < SHARDS; i++)
		wait_health(fakes[i].uri, "healthy");
	set_index(&fakes[4], 30, 0, "/by-itself");
	assert_contains(wait_for_route("/by-itself"), "\"path\":\"/by-itself\"");
	const char *s = ask("group_sync", "{\"group\":\"all\"}");
	assert_string_equal(get(s, "changed"), "false");
	ask("group_remove", "{\"group\":\"all\",\"repos\":[\"svc4\"]}");
	assert_null(strstr(ask("group_contracts", "{\"group\":\"all\"}"), "/by-itself"));
	ask("group_add", "{\"group\":\"all\",\"repos\":[\"svc4\"]}");
	assert_contains(wait_for_route("/by-itself"), "\"path\":\"/by-itself\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contracts_are_built_once),
		cmocka_unit_test(the_three_lists_are_one_stream),
		cmocka_unit_test(the_numbers_are_those_of_the_rows),
		cmocka_unit_test(a_new_index_brings_new_contracts),
		cmocka_unit_test(unreachable_members_keep_their_facts),
		cmocka_unit_test(one_that_fails_costs_the_others_nothing),
		cmocka_unit_test(several_at_once),
		cmocka_unit_test(links_that_leave_are_listed_once),
		cmocka_unit_test(a_new_index_is_synced_by_itself),
	};

	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
