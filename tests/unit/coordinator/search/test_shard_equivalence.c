/*
 * One index of all files, and the same files spread over many shards, give the same answers: the same documents in the same
 * order with the same scores.  Uses real indexes behind a real coordinator.
 */
#include "tests/shard_equivalence_members.h"

enum { WAYS = SANITIZED ? 2 : 5, SOME = SANITIZED ? 20 : QUESTIONS };

/* An answer's list as text, without what says where it comes from. */
static const char *list_of(const char *answer)
{
	static const char *const where[] = { "\"repo_uri\":\"", "\"repo\":\"" };
	const char *from = strstr(answer, "\"results\":"), *end = strstr(answer, "\"coverage\":");

	if (!from || !end || !strstr(end, "\"complete\":true"))
		fail_msg("%.1000s", answer);
	char *out = arena_strn(a, from, (size_t)(end - from)), *w = out;
	for (const char *r = out; *r;) {
		size_t skip = 0;
		for (size_t k = 0; k < LEN(where); k++)
			if (!strncmp(r, where[k], strlen(where[k])))
				skip = strlen(where[k]);
		if (skip)
			r = strchr(r + skip, '"') + 1;
		else
			*w++ = *r++;
	}
	*w = 0;
	return arena_printf(a, "%s%s", out, get(answer, "total"));
}

static const char *ask_once(const char *group, const char *question)
{
	return ask("group_query", arena_printf(a, "{\"group\":\"%s\",\"mode\":\"lexical\",%s}", group, question));
}

/* On a busy machine a member may be taken for dead for a moment: then again. */
static const char *ask_group(const char *group, const char *question)
{
	const char *s = ask_once(group, question);

	for (int64_t end = clock_ms() + BUSY_MS; strstr(s, " is down: ") && clock_ms() < end; s = ask_once(group, question))
		clock_sleep(100);
	return s;
}

/* The list of many that is to be `want`; again, for who was away for a moment when the statistics were counted. */
static const char *list_of_many(const char *many, const char *question, const char *want)
{
	const char *s = list_of(ask_group(many, question));

	for (int i = 0; i < 20 && strcmp(s, want); i++, s = list_of(ask_group(many, question)))
		clock_sleep(200);
	return s;
}

/* What the one index answers, which never changes. */
static const char *of_one(int question)
{
	static const char *lists[QUESTIONS];

	if (!lists[question])
		lists[question] = list_of(ask_group("one1", questions[question]));
	return lists[question];
}

static void same_lists(const char *many, int n)
{
	int found = 0;

	for (int i = 0; i < n; i++) {
		const char *x = of_one(i), *y = list_of_many(many, questions[i], x);
		if (strcmp(x, y))
			fail_msg("%s\none: %.1500s\n%s: %.1500s", questions[i], x, many, y);
		found += strlen(x) > 60;
	}
	assert_true(found * 2 > n);
}

/* ---- the tests ---- */

static const unsigned counts[] = { 2, 6, 20, 60 };
enum { COUNTS = SANITIZED ? 3 : LEN(counts) };
static size_t first[COUNTS], second;

/* Two sets of six hold the same and have other names. */
static void deal_all(unsigned most)
{
	for (size_t k = 0; k < COUNTS; k++) {
		uint64_t before = seed;
		distribute_files(first[k], counts[k], most);
		if (counts[k] == 6) {
			seed = before;
			distribute_files(second, 6, most);
		}
	}
}

static void spread_or_not(void **state)
{
	(void)state;
	for (int way = 0; way < WAYS; way++) {
		deal_all(way % 2 ? 0 : 60);
		for (size_t k = 0; k < COUNTS; k++)
			same_lists(arena_printf(a, "many%u", counts[k]), QUESTIONS);
		same_lists("others6", SOME);
	}
}

static const char *without_time(const char *answer)
{
	const char *at = strstr(answer, "\"took_ms\":");

	return arena_printf(a, "%.*s%s", (int)(at - answer), answer, at + strcspn(at, ",}"));
}

static int skipped(const char *answer)
{
	return atoi(get(get(answer, "coverage"), "skipped"));
}

/*
 * Of 19 members that lack a word.  A sketch is wrong for one of a hundred words, and a question that is a name looks for several:
 * the word, the name and its beginnings.
 */
enum { SKIPPED_LEAST = 16 };

/* Who lacks the word is not asked, and who gets it is asked at once. */
static void who_cannot_match_is_skipped(void **state)
{
	const char *q = arena_printf(a, "\"query\":\"%s\"", unique), *s = "";

	(void)state;
	for (int way = 0; way < 3; way++) {
		distribute_files(first[2], counts[2], 0);
		s = ask_group("many20", q);
		assert_contains(s, unique);	/* where it is now */
		assert_int_equal(skipped(s) + atoi(get(get(s, "coverage"), "answered")), 20);
	}
	for (int i = 0; i < 3000 && skipped(s) < SKIPPED_LEAST; i++) {	/* new sketches are asked for by and by */
		clock_sleep(20);
		s = ask_group("many20", q);
	}
	assert_true(skipped(s) >= SKIPPED_LEAST);
	assert_contains(s, unique);
	assert_string_equal(list_of(s), list_of(ask_group("one1", q)));
	s = ask_group("many20", "\"query\":\"word_of_nobody\"");
	assert_true(skipped(s) >= SKIPPED_LEAST);
	assert_string_equal(get(s, "complete"), "true");
	same_lists("many20", 60);
}

/* Every byte but the time that it took. */
static void repeated_runs_are_the_same(void **state)
{
	(void)state;
	for (int i = 0; i < SOME; i++) {
		const char *s[3] = { "1", "2", "3" };
		for (int try = 0; try < 5 && (strcmp(s[0], s[1]) || strcmp(s[0], s[2])); try++)	/* the last sketch may have come meanwhile */
			for (size_t run = 0; run < LEN(s); run++)
				s[run] = without_time(ask_group("many20", questions[i]));
		assert_string_equal(s[0], s[1]);
		assert_string_equal(s[0], s[2]);
	}
}

/* A search whose hits are other texts when their places are asked for begins anew, once; then they are not shown. */
static void what_moved_meanwhile_is_searched_again(void **state)
{
	const char *q = questions[5], *before = list_of(ask_group("many6", q));

	(void)state;
	assert_true(strlen(before) > 60);
	atomic_store(&stale_documents, 1);
	assert_string_equal(list_of(ask_group("many6", q)), before);
	assert_true(atomic_load(&stale_documents) < 0);
	atomic_store(&stale_documents, 1 << 20);
	assert_contains(ask_group("many6", q), "\"results\":[]");
	atomic_store(&stale_documents, 0);
	assert_string_equal(list_of(ask_group("many6", q)), before);
}

/* Who had more of the best, and fails when he is asked for it, is named: the list lacks what he had. */
static void who_fails_the_second_time_is_named(void **state)
{
	const char *s;
	int named = 0;

	(void)state;
	distribute_files(first[2], counts[2], 60);
	for (int i = 0; i < 20; i++) {
		assert_contains(ask_group("many20", questions[i]), "\"complete\":true");
		atomic_store(&exhausted, true);
		s = ask_group("many20", questions[i]);
		atomic_store(&exhausted, false);
		named += strstr(s, "\"complete\":false,") && strstr(s, "\"message\":\"exhausted\"");
	}
	assert_true(named > 0);
}

static size_t results(const char *answer)
{
	size_t n = 0;

	while (json_item(get(answer, "results"), n, a))
		n++;
	return n;
}

/* Who fails when it is asked where its hits stand is named, and hits of others fill the page. */
static void a_page_is_filled_without_who_fails(void **state)
{
	const char *q = "\"query\":\"how is the user cache of a session token loaded\",\"limit\":10";
	int named = 0;

	(void)state;
	assert_int_equal(results(ask_group("others6", q)), 10);
	for (size_t i = 0; i < 6; i++) {
		atomic_store(&silent_member, &test_shards[second + i]);
		const char *s = ask_group("others6", q);
		atomic_store(&silent_member, NULL);
		assert_int_equal(results(s), 10);
		named += strstr(s, "\"complete\":false,") && strstr(s, "\"message\":\"mute\"");
	}
	assert_true(named > 0);
}

/* The statistics of a member that has gone stay: what the others found stands in the same order. */
static void who_dies_keeps_its_statistics(void **state)
{
	const char *q = "\"query\":\"how is the user cache of a session token loaded\",\"limit\":40", *at;

	(void)state;
	const char *before = ask_group("others6", q);
	wire_server_free(test_shards[second + 5].server);
	test_shards[second + 5].server = NULL;
	wait_health(test_shards[second + 5].uri, "down");
	const char *after = ask_once("others6", q), *item;
	assert_string_equal(get(after, "complete"), "false");
	at = before;
	for (size_t i = 0; (item = json_item(get(after, "results"), i, a)) && i < 20; i++) {
		const char *place = arena_printf(a, "\"path\":%s,\"start_line\":%s,", get(item, "path"), get(item, "start_line"));
		assert_non_null(at = strstr(at, place));	/* behind the one before it */
	}
}

static int setup(void **state)
{
	struct err e = { 0 };
	struct coordinator_config o = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	repo_init();
	a = arena_new();
	strcpy(dir, "/tmp/atoll-spread.XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_non_null(parser = parser_new(&e));
	write_files();
	read_files();
	make_questions();
	char *argv[] = { "atoll-coordinator", "--data", (char *)arena_printf(a, "%s/data", dir), "--http", "", "--listen",
		(char *)arena_printf(a, "ipc://%s/members", dir), "--probe-interval-ms=200" };
	assert_int_equal(coordinator_options(&o, LEN(argv), argv, a, &e), 0);
	o.search_deadline_ms = 60000;	/* the machine may be slow */
	assert_non_null(co = coordinator_open(&o, &e));
	assert_non_null(membership_peer = wire_dial(argv[6], &(struct wire_trust){ 0 }, &e));
	size_t one = add_members(1, "one");
	distribute_files(one, 1, 0);
	for (size_t k = 0; k < COUNTS; k++)
		first[k] = add_members(counts[k], "many");
	second = add_members(6, "others");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	coordinator_close(co);
	wire_peer_free(membership_peer);
	for (size_t i = 0; i < ntest_shards; i++) {
		wire_server_free(test_shards[i].server);
		db_close(test_shards[i].reader.db);
		free(test_shards[i].reader.ranking_mem);
		bm25_scores_free(test_shards[i].reader.scores);
		repo_close(test_shards[i].reader.repo);
	}
	parser_free(parser);
	if (system(arena_printf(a, "rm -rf %s", dir)))
		return -1;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spread_or_not),
		cmocka_unit_test(who_cannot_match_is_skipped),
		cmocka_unit_test(repeated_runs_are_the_same),
		cmocka_unit_test(what_moved_meanwhile_is_searched_again),
		cmocka_unit_test(who_fails_the_second_time_is_named),
		cmocka_unit_test(a_page_is_filled_without_who_fails),
		cmocka_unit_test(who_dies_keeps_its_statistics),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
