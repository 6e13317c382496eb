/* One question to many members: one list, its pages, and members that fail, hang or are late. */
#include "coordinator/calls/admission_control.h"
#include "coordinator/members/members_internal.h"
#include "proto/base/map.h"
#include "tests/federation.h"

static void min_score_drops_what_is_below(void **state)
{
	(void)state;
	const char *s = ask("search_code", "{\"query\":\"x\",\"repo\":\"svc0\",\"topK\":100,\"minScore\":0.9}");
	const char *r = get(s, "results");
	assert_non_null(json_item(r, 5, a));
	assert_null(json_item(r, 12, a));
}

static void quoted_text_that_was_not_read_everywhere(void **state)
{
	static const char *const questions[][2] = {
		{ "query", "{\"repo\":\"svc0\",\"query\":\"\\\"load users\\\"\"}" },
		{ "search_code", "{\"repo\":\"svc0\",\"query\":\"\\\"load users\\\"\"}" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(questions); i++) {
		fakes[0].unchecked = 7;
		const char *s = ask(questions[i][0], questions[i][1]);
		assert_string_equal(get(s, "complete"), "false");
		assert_contains(get(get(s, "coverage"), "notes"), "PHRASE_LIMIT");
		fakes[0].unchecked = 0;
		assert_string_equal(get(ask(questions[i][0], questions[i][1]), "complete"), "true");
	}
}

static void files(void **state)
{
	(void)state;
	assert_string_equal(error_code(ask("open_file", "{\"path\":\"a.c\"}")), "INVALID_INPUT");
	assert_string_equal(error_code(ask("open_file", "{\"repo\":\"svc2\",\"path\":\"/etc/passwd\"}")), "INVALID_INPUT");
	assert_string_equal(error_code(ask("open_file", "{\"repo\":\"svc2\",\"path\":\"a/../../b\"}")), "INVALID_INPUT");
	const char *s = ask("open_file", "{\"repo\":\"svc2\",\"path\":\"lib/f3.c\"}");
	assert_string_equal(error_code(s), "NOT_FOUND");
	assert_contains(s, "src/f3.c");
}

static void one_list_over_all(void **state)
{
	(void)state;
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\",\"limit\":4}");
	assert_contains(s, "\"members\":5,\"answered\":5");
	assert_string_equal(get(s, "complete"), "true");
	const char *first = json_item(get(s, "results"), 0, a);
	assert_contains(first, "\"rank\":1,\"repo_uri\":\"h.example/shop/svc4\"");
	assert_contains(first, "text of b4-");
	assert_contains(first, "\"sources\":[\"lexical\"");
}

static void pages_have_no_seams(void **state)
{
	const char *cursor = NULL, *last = "";
	size_t seen = 0;

	(void)state;
	for (int page = 0; page < 100; page++) {
		const char *s = ask("group_query", arena_printf(a, "{\"group\":\"all\",\"query\":\"users\",\"limit\":7%s%s}",
		    cursor ? ",\"cursor\":" : "", cursor ? cursor : ""));
		const char *item;
		assert_string_equal(error_code(s), "none");
		for (size_t i = 0; (item = json_item(get(s, "results"), i, a)); i++) {
			assert_string_equal(get(item, "rank"), arena_printf(a, "%zu", ++seen));
			assert_string_not_equal(item, last);
			last = item;
		}
		cursor = get(s, "next_cursor");
		if (!*cursor) {
			assert_string_equal(get(s, "total"), arena_printf(a, "%zu", seen));
			break;
		}
	}
	assert_true(seen >= 100);	/* as deep as a list goes */
}

static void a_cursor_of_another_list(void **state)
{
	(void)state;
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\",\"limit\":7}");
	const char *cursor = get(s, "next_cursor");
	s = ask("group_query", arena_printf(a, "{\"group\":\"all\",\"query\":\"other\",\"limit\":7,\"cursor\":%s}", cursor));
	assert_string_equal(error_code(s), "INVALID_INPUT");
	assert_contains(s, "cursor expired, repeat the query");
	set_index(&fakes[2], 2, 0, NULL);
	s = ask("group_query", arena_printf(a, "{\"group\":\"all\",\"query\":\"users\",\"limit\":7,\"cursor\":%s}", cursor));
	assert_contains(s, "cursor expired");
	set_index(&fakes[2], 1, 0, NULL);
	s = ask("list_repos", "{\"cursor\":\"garbage\"}");
	assert_contains(s, "cursor expired");
}

/* The order rests on the statistics: when those of a member come late, pages do not go on. */
static void a_cursor_of_other_statistics(void **state)
{
	const char *q = "{\"group\":\"all\",\"query\":\"unheard of\",\"limit\":7%s%s}", *s;
	int64_t end = clock_ms() + 20000;

	(void)state;
	set_index(&fakes[3], 5, 0, NULL);	/* its old ones are void */
	set_mode(&fakes[3], NO_STATS);
	const char *cursor = get(ask("group_query", arena_printf(a, q, "", "")), "next_cursor");
	assert_true(*cursor == '"');
	set_mode(&fakes[3], ANSWERS);
	do
		s = ask("group_query", arena_printf(a, q, ",\"cursor\":", cursor));
	while (strcmp(error_code(s), "INVALID_INPUT") != 0 && clock_ms() < end);
	assert_contains(s, "cursor expired, repeat the query");
	set_index(&fakes[3], 1, 0, NULL);
}

/* Who did not say whether it has a word is asked for it, though nobody else has it: an answer would lack it and be called complete. */
static void a_word_that_perhaps_only_the_late_has(void **state)
{
	(void)state;
	set_index(&fakes[3], 6, 0, NULL);
	set_mode(&fakes[3], NO_STATS);
	ask("group_query", "{\"group\":\"all\",\"query\":\"nobodyelse\",\"mode\":\"lexical\"}");
	assert_true(searched_terms(&fakes[3]) > 0);
	set_mode(&fakes[3], ANSWERS);
	set_index(&fakes[3], 1, 0, NULL);
}

static void a_hit_of_a_repository_that_has_gone(void **state)
{
	(void)state;
	wait_health("h.example/shop/svc10", "healthy");		/* on a busy machine it may be lost and found again */
	set_mode(&fakes[10], REMOVED_MIDWAY);
	const char *s = ask("search_code", "{\"repo\":\"svc10\",\"query\":\"users\",\"topK\":1}");
	set_mode(&fakes[10], ANSWERS);
	if (!strstr(s, "s10: the connection was lost"))	/* it is closed, and there perhaps before its answer has come */
		assert_contains(s, "\"repo\":\"(unknown)\",\"repo_uri\":\"h.example/shop/svc10\"");
	assert_string_equal(error_code(ask("search_code", "{\"repo\":\"svc10\",\"query\":\"users\"}")), "NOT_FOUND");
}

static void only_some_members(void **state)
{
	(void)state;
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\",\"repos\":[\"svc2\",\"svc0\",\"svc2\"]}");
	assert_contains(s, "\"members\":2,\"answered\":2");
	assert_null(strstr(s, "svc4"));
	s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\",\"repos\":[\"svc9\"]}");
	assert_string_equal(error_code(s), "NOT_FOUND");
	assert_string_equal(error_code(ask("group_query", "{\"group\":\"all\",\"query\":\"u\",\"kinds\":[\"klass\"]}")), "INVALID_INPUT");
}

/* Counted once; again, and at once, when an answer shows that a member has another index; of one that has gone the last ones. */
static void statistics_of_all(void **state)
{
	const char *q = "{\"group\":\"all\",\"query\":\"where is the cellar door\"}";

	(void)state;
	ask("group_query", q);
	int calls = stats_calls(&fakes[0]), its = stats_calls(&fakes[2]);
	assert_int_equal(searched_documents(&fakes[0]), 500);
	ask("group_query", q);
	assert_int_equal(stats_calls(&fakes[0]), calls);
	set_index(&fakes[2], 3, 0, NULL);
	assert_string_equal(get(ask("group_query", q), "complete"), "true");
	assert_int_equal(searched_documents(&fakes[0]), 700);
	assert_int_equal(stats_calls(&fakes[0]), calls);
	assert_int_equal(stats_calls(&fakes[2]), its + 1);
	set_mode(&fakes[2], FAILS);
	assert_string_equal(get(ask("group_query", q), "complete"), "false");
	assert_int_equal(searched_documents(&fakes[0]), 700);
	set_mode(&fakes[2], ANSWERS);
	ask("group_query", "{\"group\":\"all\",\"repos\":[\"svc0\",\"svc2\"],\"query\":\"cellar door\"}");
	assert_int_equal(searched_documents(&fakes[0]), 400);	/* hidden and other members count for nothing */
	set_index(&fakes[2], 1, 0, NULL);
}

/* Both are asked for new counts before the search is repeated, not one per search. */
static void two_members_with_new_indexes(void **state)
{
	const char *q = "{\"group\":\"all\",\"query\":\"where are the attic stairs\"}";

	(void)state;
	ask("group_query", q);
	int first = stats_calls(&fakes[0]), second = stats_calls(&fakes[2]);
	assert_int_equal(searched_documents(&fakes[3]), 500);
	set_index(&fakes[0], 4, 0, NULL);
	set_index(&fakes[2], 3, 0, NULL);
	ask("group_query", q);
	assert_int_equal(stats_calls(&fakes[0]), first + 1);
	assert_int_equal(stats_calls(&fakes[2]), second + 1);
	assert_int_equal(searched_documents(&fakes[3]), 1000);
	set_index(&fakes[0], 1, 0, NULL);
	set_index(&fakes[2], 1, 0, NULL);
}

static void a_failing_member_is_named(void **state)
{
	(void)state;
	set_mode(&fakes[3], FAILS);
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	set_mode(&fakes[3], ANSWERS);
	assert_string_equal(get(s, "complete"), "false");
	assert_contains(get(s, "coverage"), "\"failed\":[{\"repo_uri\":\"h.example/shop/svc3\",\"code\":\"DB_ERROR\",\"message\":\"broken\"");
	assert_non_null(json_item(get(s, "results"), 10, a));
}

static void a_hung_member_costs_the_deadline(void **state)
{
	(void)state;
	set_mode(&fakes[1], HANGS);
	co->o.search_deadline_ms = SHORT_DEADLINE_MS;
	int64_t start = clock_ms();
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	int64_t took = clock_ms() - start;
	assert_contains(get(s, "coverage"), "\"failed\":[{\"repo_uri\":\"h.example/shop/svc1\",\"code\":\"UNAVAILABLE\"");
	assert_non_null(json_item(get(s, "results"), 10, a));
	assert_true(took < 10 * SHORT_DEADLINE_MS);
	wait_health("h.example/shop/svc1", "down");
	co->o.search_deadline_ms = 60000;
	start = clock_ms();
	s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	assert_contains(get(s, "coverage"), "svc1");
	assert_true(clock_ms() - start < 40000);	/* known to be down: its deadline of 60 s is not waited for */
	co->o.search_deadline_ms = SEARCH_MS;
	set_mode(&fakes[1], ANSWERS);
	wait_health("h.example/shop/svc1", "healthy");
	assert_string_equal(get(ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}"), "complete"), "true");
}

static void wait_cancels(struct fake_shard *f, int want)
{
	for (int i = 0; i < 3000 && cancels(f) < want; i++)
		clock_sleep(10);
	assert_int_equal(cancels(f), want);
}

static void late_members_are_told_to_stop(void **state)
{
	(void)state;
	int before = cancels(&fakes[1]), others = cancels(&fakes[2]);
	set_mode(&fakes[1], NO_INDEX_ANSWERS);
	co->o.search_deadline_ms = SHORT_DEADLINE_MS;
	assert_contains(get(ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}"), "coverage"), "no answer by the deadline");
	co->o.search_deadline_ms = SEARCH_MS;
	wait_cancels(&fakes[1], before + 1);
	assert_int_equal(cancels(&fakes[2]), others);
	assert_int_equal(fakes[1].nhung, 0);
	set_mode(&fakes[1], ANSWERS);
}

/* How many of the questions to a fake wait there. */
static int hung(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->nhung;
	pthread_mutex_unlock(&f->lock);
	return n;
}

/* Whether it owes the coordinator no answer. */
static bool is_idle(const struct fake_shard *f)
{
	pthread_mutex_lock(&co->members->lock);
	bool idle = !((struct member *)map_get(co->members->by_uri, f->uri))->state->replicas->latency.in_flight;
	pthread_mutex_unlock(&co->members->lock);
	return idle;
}

/* Until one of the five of `all` is the only one that has not answered. */
static void wait_only_hung(const struct fake_shard *slow)
{
	for (int i = 0; i < 5; i++)
		for (int k = 0; k < 3000 && (&fakes[i] == slow ? !hung(&fakes[i]) : !is_idle(&fakes[i])); k++)
			clock_sleep(10);
}

static void an_abandoned_call_ends(void **state)
{
	(void)state;
	int before = cancels(&fakes[1]), others = cancels(&fakes[2]);
	set_mode(&fakes[1], NO_INDEX_ANSWERS);
	co->o.search_deadline_ms = 60000;
	int64_t start = clock_ms();
	struct pending_call w;
	ask_begin(&w, &caller_local, "group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	while (!hung(&fakes[1]))
		clock_sleep(5);
	wait_only_hung(&fakes[1]);
	call_abandon(co, &w);
	const char *s = ask_end(&w);
	assert_true(clock_ms() - start < 40000);	/* its deadline is 60 s */
	co->o.search_deadline_ms = SEARCH_MS;
	assert_string_equal(error_code(s), "UNAVAILABLE");
	assert_contains(s, "the client has gone");
	wait_cancels(&fakes[1], before + 1);
	assert_int_equal(cancels(&fakes[2]), others);

	/* what writes is brought to its end */
	set_index(&fakes[1], fakes[1].generation + 1, 0, NULL);
	wait_health("h.example/shop/svc1", "healthy");
	co->o.contracts_deadline_ms = SHORT_DEADLINE_MS;
	s = ask_with_timeout(&caller_local, "group_sync", "{\"group\":\"all\"}", 100);
	co->o.contracts_deadline_ms = SEARCH_MS;
	assert_string_equal(error_code(s), "none");
	set_mode(&fakes[1], ANSWERS);
	ask("group_sync", "{\"group\":\"all\"}");
}

static void stale_members_are_named(void **state)
{
	(void)state;
	set_index(&fakes[0], 1, 3, NULL);
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	assert_contains(s, "\"stale\":[{\"repo_uri\":\"h.example/shop/svc0\",\"behind\":3}]");
	co->o.max_staleness = 2;
	assert_string_equal(error_code(ask("query", "{\"query\":\"x\",\"repo\":\"svc0\"}")), "STALENESS");
	s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	assert_contains(s, "\"code\":\"STALENESS\"");
	co->o.max_staleness = -1;
	set_index(&fakes[0], 1, 0, NULL);
}

/* What would not fit into memory is not kept, and its member is named; the others are not. */
static void an_answer_of_megabytes_is_named(void **state)
{
	int64_t before = co->o.gather_mb;

	(void)state;
	co->o.gather_mb = 2;
	set_mode(&fakes[4], LONG_TEXTS);
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	set_mode(&fakes[4], ANSWERS);
	assert_string_equal(get(s, "complete"), "false");
	assert_contains(get(s, "coverage"), "\"failed\":[{\"repo_uri\":\"h.example/shop/svc4\",\"code\":\"RATE_LIMITED\"");
	assert_contains(get(s, "coverage"), "does not fit into --gather-mb");
	assert_contains(get(s, "coverage"), "\"answered\":4");
	assert_int_equal(limits_refused(co->limits, LIMITS_MEMORY), 1);
	s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	assert_string_equal(get(s, "complete"), "true");
	assert_int_equal(co->reply_bytes, 0);	/* it is given back with the call */
	co->o.gather_mb = before;
}

/* Six of eleven keep the first question waiting; whoever asks all of them then does not go out before they answer. */
static void questions_to_many_take_turns(void **state)
{
	const char *q = "{\"group\":\"crowd\",\"query\":\"users\"}";
	struct pending_call first, second;

	(void)state;
	ask("group_create", "{\"group\":\"crowd\",\"repos\":[\"svc0\",\"shop/svc1\",\"svc2\",\"svc3\",\"svc4\",\"svc5\",\"svc6\",\"svc7\",\"svc8\","
	    "\"svc9\",\"svc10\"]}");
	assert_contains(ask("group_query", q), "\"answered\":11");
	co->o.search_deadline_ms = 60000;
	for (int i = 2; i < 8; i++)
		set_mode(&fakes[i], NO_INDEX_ANSWERS);
	ask_begin(&first, &caller_local, "group_query", q);
	for (int i = 2; i < 8; i++)
		while (!hung(&fakes[i]))
			clock_sleep(5);
	while (admission_usage_get(co->admission).used != 6)
		clock_sleep(5);
	int before = request_count(&fakes[9]);
	ask_begin(&second, &caller_local, "group_query", q);
	while (!admission_usage_get(co->admission).waiting)
		clock_sleep(5);

	/* a question to few does not wait, one to many for no longer than makes sense */
	assert_string_equal(error_code(ask("query", "{\"query\":\"x\",\"repo\":\"svc0\"}")), "none");
	co->o.search_deadline_ms = 100;
	const char *s = ask("group_query", q);
	assert_string_equal(error_code(s), "RATE_LIMITED");
	assert_contains(s, "\"retry_after_ms\":");
	assert_int_equal(limits_refused(co->limits, LIMITS_CROWD), 1);
	s = ask_with_timeout(&caller_local, "group_query", q, 1);
	assert_true(!strcmp(error_code(s), "UNAVAILABLE") || !strcmp(error_code(s), "RATE_LIMITED"));
	assert_int_equal(request_count(&fakes[9]), before);
	co->o.search_deadline_ms = 60000;

	for (int i = 2; i < 8; i++)	/* the second one is let in before the last of them is released */
		set_mode_of_next(&fakes[i], ANSWERS);
	for (int i = 2; i < 8; i++)
		set_mode(&fakes[i], ANSWERS);
	assert_contains(get(ask_end(&first), "coverage"), "\"answered\":5");
	s = ask_end(&second);
	co->o.search_deadline_ms = SEARCH_MS;
	assert_contains(get(s, "coverage"), "\"answered\":11");
	assert_string_equal(get(s, "complete"), "true");
	assert_int_equal(admission_usage_get(co->admission).used, 0);
	ask("group_delete", "{\"group\":\"crowd\"}");
}

static void without_an_index(void **state)
{
	(void)state;
	set_mode(&fakes[5], NO_INDEX_YET);
	const char *s = ask("query", "{\"query\":\"x\",\"repo\":\"svc5\"}");
	set_mode(&fakes[5], ANSWERS);
	assert_string_equal(error_code(s), "NO_INDEX");
	assert_contains(s, "atoll repo analyze shop/svc5 --wait");
	ask("group_create", "{\"group\":\"empty\"}");
	assert_string_equal(error_code(ask("group_query", "{\"group\":\"empty\",\"query\":\"x\"}")), "NO_INDEX");
	assert_string_equal(error_code(ask("group_contracts", "{\"group\":\"empty\"}")), "NO_INDEX");
	assert_string_equal(error_code(ask("group_cross_repo_links", "{\"group\":\"empty\"}")), "NO_INDEX");
	ask("group_delete", "{\"group\":\"empty\"}");
}

static void answers_without_a_model(void **state)
{
	(void)state;
	const char *s = ask("ask_code", "{\"query\":\"how are users loaded\",\"repo\":\"svc2\",\"topK\":3}");
	assert_contains(s, "\"llmModel\":null");
	assert_contains(s, "\"answer\":null");
	assert_contains(s, "\"hint\":\"No language model is configured");
	assert_contains(s, "--llm-url");
	assert_contains(s, "\"snippet\":\"text of");
	assert_contains(s, "\"contextsUsed\":0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(min_score_drops_what_is_below),
		cmocka_unit_test(quoted_text_that_was_not_read_everywhere),
		cmocka_unit_test(files),
		cmocka_unit_test(one_list_over_all),
		cmocka_unit_test(pages_have_no_seams),
		cmocka_unit_test(a_cursor_of_another_list),
		cmocka_unit_test(a_cursor_of_other_statistics),
		cmocka_unit_test(only_some_members),
		cmocka_unit_test(statistics_of_all),
		cmocka_unit_test(two_members_with_new_indexes),
		cmocka_unit_test(a_word_that_perhaps_only_the_late_has),
		cmocka_unit_test(a_failing_member_is_named),
		cmocka_unit_test(a_hung_member_costs_the_deadline),
		cmocka_unit_test(late_members_are_told_to_stop),
		cmocka_unit_test(an_abandoned_call_ends),
		cmocka_unit_test(stale_members_are_named),
		cmocka_unit_test(an_answer_of_megabytes_is_named),
		cmocka_unit_test(questions_to_many_take_turns),
		cmocka_unit_test(without_an_index),
		cmocka_unit_test(answers_without_a_model),
		cmocka_unit_test(a_hit_of_a_repository_that_has_gone),
	};

	asked_at_once = 8;	/* of 12 */
	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
