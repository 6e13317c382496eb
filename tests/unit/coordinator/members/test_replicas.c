/* Several shards of one repository: which is asked, when another one is, and what a reader sees when they hold different things. */
#include "tests/federation.h"

#include "coordinator/members/load_balancing.h"

static struct fake_shard twin = { .id = 12, .uri = "h.example/shop/svc0", .name = "shop/svc0", .generation = 1 };

/* ---- numbers ---- */

static void the_cheaper_one(void **state)
{
	struct latency_history past = { 0 };
	struct latency quick = { 0 }, slow = { 0 };

	(void)state;
	for (int i = 0; i < 100; i++)
		latency_history_add(&past, RPC_search, i < 95 ? 1000 : 50000);
	assert_in_range(latency_history_percentile(&past, RPC_search, 50), 1000, 1500);
	assert_in_range(latency_history_percentile(&past, RPC_search, 95), 1000, 1500);
	assert_in_range(latency_history_percentile(&past, RPC_search, 96), 50000, 75000);
	assert_int_equal(latency_history_percentile(&past, RPC_impact, 95), 0);	/* nothing is known of it */
	latency_note(&quick, &past, RPC_search, 1000, 0);
	latency_note(&slow, &past, RPC_search, 20000, 0);
	assert_true(latency_cost(&quick, 0) < latency_cost(&slow, 0));
	quick.in_flight = 100;
	assert_true(latency_cost(&quick, 0) > latency_cost(&slow, 0));
	quick.in_flight = 0;
	latency_note(&slow, &past, RPC_search, 1000, 1000000);		/* falls slowly, */
	assert_true(latency_cost(&slow, 1000000) > 5 * latency_cost(&quick, 1000000));
	assert_true(latency_cost(&slow, 100000000) < 2);		/* but falls */
	/* what takes long anyway is not slow */
	for (int i = 0; i < 100; i++)
		latency_history_add(&past, RPC_impact, 500000);
	latency_note(&quick, &past, RPC_impact, 500000, 1000000);
	assert_true(latency_cost(&quick, 1000000) < 2);
}

static void one_in_twenty(void **state)
{
	struct hedges h = { 0 };
	int sent = 0;

	(void)state;
	hedges_init(&h);
	while (hedges_take(&h))
		sent++;
	assert_int_equal(sent, HEDGE_BURST);
	for (int i = 0; i < 1000; i++) {
		hedges_refill(&h);
		sent += hedges_take(&h);
	}
	assert_int_equal(sent, HEDGE_BURST + 50);
	assert_int_equal(h.denied, 1 + 950);
}

/* ---- two shards ---- */

static void join_twin(void)
{
	static const char *can[] = { "file_map" };
	struct err e = { 0 };
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = twin.uri, .name = twin.name, .replica = "twin",
		.status = "ready", .generation = 1, .features = { can, 1 } };

	twin.features = h.features;
	twin.url = arena_printf(a, "ipc://%s/twin", dir);
	h.endpoint = twin.url;
	pthread_mutex_init(&twin.lock, NULL);
	twin.server = wire_listen(twin.url, &(struct wire_trust){ 0 }, 16, on_request, &twin, &e);
	assert_non_null(twin.server);
	announce_successfully(&h);
}

static const char *search(const char *more)
{
	return ask("query", arena_printf(a, "{\"repo\":\"svc0\",\"query\":\"users\",\"limit\":7%s}", more));
}

/* What an older program does not have it is not asked for; when there is no other one, that is said. */
static void who_is_too_old_is_not_asked(void **state)
{
	static const char asked[] = "{\"repo_uri\":\"h.example/shop/svc0\",\"path\":\"a.c\"}";
	int first = request_count(&fakes[0]);
	const char *s = ask("file_map", asked);

	(void)state;
	assert_string_equal(error_code(s), "SCHEMA_MISMATCH");
	assert_contains(s, "the shard of shop/svc0 is of an older version of atoll, which has no `file_map`");
	assert_contains(s, "Upgrade atoll on its host");
	join_twin();
	for (int i = 0; i < 2000 && strcmp(error_code(ask("file_map", asked)), "NOT_FOUND"); i++)
		clock_sleep(5);
	for (int i = 0; i < 20; i++)
		assert_string_equal(error_code(ask("file_map", asked)), "NOT_FOUND");	/* as fakes answer it */
	assert_int_equal(request_count(&fakes[0]), first);
}

/* Ask until both have been asked. */
static void both_are_asked(void **state)
{
	int first = request_count(&fakes[0]), second;

	(void)state;
	second = request_count(&twin);
	for (int i = 0; i < 2000 && (request_count(&fakes[0]) == first || request_count(&twin) == second); i++) {
		assert_string_equal(error_code(search("")), "none");
		clock_sleep(5);
	}
	assert_true(request_count(&fakes[0]) > first);
	assert_true(request_count(&twin) > second);
}

static void another_one_is_asked_at_once(void **state)
{
	(void)state;
	static const enum mode failures[] = { FAILS, NO_INDEX_YET };
	for (size_t k = 0; k < LEN(failures); k++) {
		int asked = request_count(&fakes[0]);
		for (int i = 0; i < 3000 && request_count(&fakes[0]) < asked + 3; i++) {
			set_mode(&fakes[0], failures[k]);
			assert_string_equal(error_code(search("")), "none");
			set_mode(&fakes[0], ANSWERS);
			clock_sleep(20);
		}
		assert_true(request_count(&fakes[0]) >= asked + 3);	/* it was, in vain, and not for long */
	}
	set_mode(&fakes[0], FAILS);
	set_mode(&twin, FAILS);
	assert_string_equal(error_code(search("")), "DB_ERROR");	/* what the last one says */
	set_mode(&fakes[0], ANSWERS);
	set_mode(&twin, ANSWERS);
}

/* Who stalls is found out by few questions, and these are answered all the same. */
static void a_second_one_when_the_first_is_slow(void **state)
{
	uint64_t sent = co->hedges.sent, won = co->hedges.won, asked = co->hedges.asked;
	int stopped = cancels(&fakes[0]), good = 0;

	(void)state;
	set_mode(&fakes[0], NO_INDEX_ANSWERS);
	co->o.search_deadline_ms = 20000;		/* the other one is waited for as long as a busy machine may take */
	int k = 0;
	for (; k < 400 && (co->hedges.won == won || k < 100); k++) {
		clock_sleep(k < 100 ? 0 : 20);		/* it has failed before, and is given a rest */
		const char *c = error_code(search(""));
		good += !strcmp(c, "none");
		if (strcmp(c, "none"))
			print_message("question %d: %s\n", k, c);
	}
	for (int i = 0; i < 3000 && cancels(&fakes[0]) == stopped; i++)
		clock_sleep(10);
	int told = cancels(&fakes[0]) - stopped;
	co->o.search_deadline_ms = SEARCH_MS;
	set_mode(&fakes[0], ANSWERS);
	assert_in_range(good, k - 3, k);	/* a pause of a slow machine looks like a slow twin: fewer than take it out */
	assert_true(co->hedges.won > won);
	assert_true(co->hedges.sent - sent <= HEDGE_BURST + (co->hedges.asked - asked) / HEDGE_COST);
	assert_true(told > 0);		/* nobody works for nobody */
}

static int hung(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->nhung;
	pthread_mutex_unlock(&f->lock);
	return n;
}

static void wait_hung(int wanted)
{
	for (int i = 0; i < 3000 && hung(&fakes[0]) + hung(&twin) < wanted; i++)
		clock_sleep(10);
	assert_int_equal(hung(&fakes[0]) + hung(&twin), wanted);
}

/* Neither of two answers: the second one is asked when there is a token for it, and not before. */
static void no_second_one_without_a_token(void **state)
{
	struct pending_call w;

	(void)state;
	co->o.search_deadline_ms = 60000;
	set_mode(&fakes[0], NO_INDEX_ANSWERS);
	set_mode(&twin, NO_INDEX_ANSWERS);
	atomic_store(&co->hedges.tokens, 0);
	uint64_t sent = co->hedges.sent, denied = co->hedges.denied;
	ask_begin(&w, &caller_local, "query", "{\"repo\":\"svc0\",\"query\":\"users\"}");
	wait_hung(1);
	for (int i = 0; i < 3000 && co->hedges.denied < denied + 2; i++)
		clock_sleep(10);
	assert_true(co->hedges.denied >= denied + 2);	/* it has wanted to, and later again */
	assert_int_equal(hung(&fakes[0]) + hung(&twin), 1);
	assert_int_equal(co->hedges.sent, sent);
	atomic_store(&co->hedges.tokens, HEDGE_COST);
	wait_hung(2);
	assert_int_equal(co->hedges.sent, sent + 1);
	set_mode(&fakes[0], ANSWERS);
	set_mode(&twin, ANSWERS);
	ask_end(&w);
	co->o.search_deadline_ms = SEARCH_MS;
	hedges_init(&co->hedges);
}

static bool serves(const char *generation)
{
	return !strcmp(get(get(search(""), "freshness"), "generation"), generation);
}

static void wait_serves(const char *generation)
{
	for (int i = 0; i < 3000 && !serves(generation); i++)
		clock_sleep(20);
	assert_true(serves(generation));
}

/* The list goes on in the index that it began in, while others read the newer one; and not at all when nobody has it any more. */
static void pages_stay_in_their_index(void **state)
{
	const char *cursor, *s;

	(void)state;
	set_index(&twin, 1, 5, NULL);
	set_index(&fakes[0], 7, 0, NULL);
	wait_serves("7");
	cursor = get(search(""), "next_cursor");
	set_index(&fakes[0], 7, 4, NULL);
	set_index(&twin, 2, 0, NULL);
	wait_serves("2");
	for (int i = 0; i < 20; i++) {
		assert_true(serves("2"));		/* never backwards: the older index is asked for by the cursor only */
		s = search(arena_printf(a, ",\"cursor\":%s", cursor));
		assert_string_equal(error_code(s), "none");
		assert_string_equal(get(get(s, "freshness"), "generation"), "7");
		assert_non_null(json_item(get(s, "results"), 6, a));
	}
	hedges_init(&co->hedges);
	set_mode(&fakes[0], SLOW_SEARCH);		/* the other one, which has another index, would be quicker */
	for (int i = 0; i < HEDGE_BURST; i++)
		assert_string_equal(error_code(search(arena_printf(a, ",\"cursor\":%s", cursor))), "none");
	set_mode(&fakes[0], ANSWERS);
	set_index(&fakes[0], 8, 4, NULL);
	s = search(arena_printf(a, ",\"cursor\":%s", cursor));
	assert_string_equal(error_code(s), "INVALID_INPUT");
	assert_contains(s, "cursor expired, repeat the query");
	/* their own numbers do not matter when they hold the same */
	set_index(&twin, 8, 0, NULL);
	set_index(&fakes[0], 8, 0, NULL);
	wait_serves("8");
	cursor = get(search(""), "next_cursor");
	set_mode(&fakes[0], FAILS);
	assert_string_equal(error_code(search(arena_printf(a, ",\"cursor\":%s", cursor))), "none");
	set_mode(&fakes[0], ANSWERS);
}

/* A group's answer: statistics, hits and texts of a member are of one index, whichever shard has it. */
static void one_index_in_one_answer(void **state)
{
	(void)state;
	set_index(&fakes[0], 20, 0, NULL);
	set_index(&twin, 21, 0, NULL);
	for (int i = 0; i < 40; i++) {
		const char *s = ask("group_query", arena_printf(a, "{\"group\":\"all\",\"query\":\"users %d\"}", i));
		assert_string_equal(get(s, "complete"), "true");
		assert_true(searched_documents(&fakes[1]) == 400 + 2000 || searched_documents(&fakes[1]) == 400 + 2100);
	}
	/* contracts are read page by page, of one index; which of two that hold the same does not matter */
	set_index(&twin, 20, 0, NULL);
	wait_serves("20");
	assert_string_equal(get(ask("group_sync", "{\"group\":\"all\"}"), "complete"), "true");
	for (int i = 0; i < 5; i++) {
		int calls = contract_calls(&fakes[0]) + contract_calls(&twin);
		assert_string_equal(get(ask("group_sync", "{\"group\":\"all\"}"), "complete"), "true");
		assert_int_equal(contract_calls(&fakes[0]) + contract_calls(&twin), calls);
	}
}

/* Nothing here waits for a deadline: on a busy machine none ends what is meant to be answered. */
static int open_all(void **state)
{
	int rc = federation_open(state);

	if (!rc)
		co->o.search_deadline_ms = co->o.contracts_deadline_ms = 20000;
	return rc;
}

static int close_all(void **state)
{
	set_mode(&twin, ANSWERS);
	int rc = federation_close(state);
	wire_server_free(twin.server);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cheaper_one),
		cmocka_unit_test(one_in_twenty),
		cmocka_unit_test(who_is_too_old_is_not_asked),
		cmocka_unit_test(both_are_asked),
		cmocka_unit_test(another_one_is_asked_at_once),
		cmocka_unit_test(a_second_one_when_the_first_is_slow),
		cmocka_unit_test(no_second_one_without_a_token),
		cmocka_unit_test(pages_stay_in_their_index),
		cmocka_unit_test(one_index_in_one_answer),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
