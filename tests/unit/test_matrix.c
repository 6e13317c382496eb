/*
 * What a caller who does not see everything is told: byte for byte what they would be told if there were nothing else.  Two
 * coordinators over the same shards, one of which has never heard of those that are hidden; every tool of the table.
 */
#include "tests/federation.h"

static const char *const seen[] = { "h.example/shop/svc0", "h.example/shop/svc2", "h.example/shop/svc3", "h.example/shop/svc6" };
static const int seen_ids[] = { 0, 2, 3, 6 };
static const struct caller guest = { .name = "guest", .repo_uris = seen, .n = LEN(seen) }, nobody = { .name = "nobody" };
static struct coordinator *whole, *less;	/* all members; the guest's alone */

/* What is asked of each tool.  A hidden repository by all its names, a group of hidden ones, what never was. */
#define HIDDEN "svc4"
#define HIDDEN_URI "h.example/shop/svc4"
#define EACH_REPO(more) "{\"repo\":\"svc0\"" more "}", "{\"repo_uri\":\"h.example/shop/svc2\"" more "}", "{\"repo\":\"" HIDDEN "\"" more "}", \
	"{\"repo_uri\":\"" HIDDEN_URI "\"" more "}", "{\"repo\":\"shop/svc1\"" more "}", "{\"repo_uri\":\"other/svc1\"" more "}", \
	"{\"repo\":\"svc99\"" more "}", "{\"repo_uri\":\"h.example/shop/svc99\"" more "}", "{\"repo\":\"svc\"" more "}", \
	"{\"repo\":\"" HIDDEN "x\"" more "}", "{" "\"repo\":\"\"" more "}"
#define EACH_GROUP(more) "{\"group\":\"all\"" more "}", "{\"group\":\"dark\"" more "}", "{\"group\":\"mixed\"" more "}", "{\"group\":\"darkness\"" more "}", \
	"{\"group\":\"al\"" more "}"
enum { ARGS = 18 };

static const struct {
	const char *tool, *args[ARGS];
} matrix[] = {
	{ "list_repos", { "{}", "{\"limit\":1}", EACH_GROUP(""), "{\"repo\":\"" HIDDEN "\"}", "{\"repo_uri\":\"" HIDDEN_URI "\"}", "{\"repo\":\"svc1\"}" } },
	{ "status", { "{}" } },
	{ "source_list", { "{}" } },
	{ "group_list", { "{}" } },
	{ "group_status", { EACH_GROUP("") } },
	{ "group_contracts", { EACH_GROUP(""), EACH_GROUP(",\"limit\":2"), "{\"group\":\"all\",\"repo_uri\":\"" HIDDEN_URI "\"}",
	    "{\"group\":\"all\",\"path\":\"/m\"}", "{\"group\":\"mixed\",\"method\":\"GET\"}" } },
	{ "group_cross_repo_links", { EACH_GROUP(""), "{\"group\":\"all\",\"limit\":1}", "{\"group\":\"all\",\"repo_uri\":\"" HIDDEN_URI "\"}" } },
	{ "repo_graph", { EACH_GROUP("") } },
	{ "group_query", { EACH_GROUP(",\"query\":\"users\""), "{\"group\":\"all\",\"query\":\"users\",\"limit\":2}",
	    "{\"group\":\"all\",\"query\":\"users\",\"repos\":[\"svc0\",\"" HIDDEN "\"]}", "{\"group\":\"all\",\"query\":\"users\",\"repos\":[\"svc0\",\"svc6\"]}",
	    "{\"group\":\"all\",\"query\":\"users\",\"fusion\":\"rrf\"}", "{\"group\":\"all\",\"query\":\"users\",\"languages\":[\"cobol\"]}" } },
	{ "query", { EACH_REPO(",\"query\":\"users\"") } },
	{ "search_code", { EACH_REPO(",\"query\":\"users\""), "{\"query\":\"users\",\"scope\":{\"type\":\"all\"}}",
	    "{\"query\":\"users\",\"scope\":{\"type\":\"repos\",\"repos\":[\"svc0\",\"" HIDDEN "\"]}}",
	    "{\"query\":\"users\",\"scope\":{\"type\":\"repos\",\"repos\":[\"svc0\",\"svc2\",\"svc3\"]}}", "{\"query\":\"users\",\"scope\":{\"type\":\"repo\",\"repo\":\"" HIDDEN "\"}}" } },
	{ "ask_code", { EACH_REPO(",\"query\":\"users\""), "{\"query\":\"users\",\"scope\":{\"type\":\"all\"}}" } },
	{ "open_file", { EACH_REPO(",\"path\":\"src/f1.c\"") } },
	{ "context", { EACH_REPO(",\"symbol\":\"loadUsers\"") } },
	{ "signature", { EACH_REPO(",\"symbol\":\"loadUsers\"") } },
	{ "impact", { EACH_REPO(",\"symbol\":\"loadUsers\"") } },
	{ "owners", { EACH_REPO(",\"path\":\"src\"") } },
	{ "detect_changes", { EACH_REPO("") } },
	{ "route_map", { EACH_REPO("") } },
	{ "api_impact", { EACH_REPO(",\"route\":\"/m3\"") } },
	{ "repo_schema", { EACH_REPO("") } },
	{ "group_sync", { EACH_GROUP("") } },
	{ "repo_analyze", { "{\"repo\":\"" HIDDEN "\"}", "{\"repo_uri\":\"" HIDDEN_URI "\"}", "{\"repo\":\"svc99\"}", "{}" } },
};

/* What only those without limits may do. */
static const char *const governs[] = { "repo_add", "repo_remove", "repo_visibility", "group_create", "group_add", "group_remove", "group_delete",
	"token_create", "token_list", "token_revoke" };

/* ---- what may differ: times, addresses ---- */

static const char *scrub(const char *s)
{
	static const char *const keys[] = { "took_ms", "elapsed_ms", "elapsedMs", "uptime_ms", "synced_at", "contracts_synced_at", "membership" };
	struct buf b = { 0 };

	while (*s) {
		size_t skip = 0;
		for (size_t i = 0; *s == '"' && i < LEN(keys); i++) {
			const char *key = arena_printf(a, "\"%s\":", keys[i]);
			if (!strncmp(s, key, strlen(key)) && strncmp(s + strlen(key), "null", 4))
				skip = strlen(key) + (s[strlen(key)] == '"' ? 2 + strcspn(s + strlen(key) + 1, "\"") : strcspn(s + strlen(key), ",}"));
		}
		buf_put(&b, skip ? "@" : s, 1);
		s += skip ? skip : 1;
	}
	const char *out = arena_str(a, b.p ? b.p : "");
	buf_free(&b);
	return out;
}

/* Where two texts part. */
static const char *from_difference(const char *x, const char *y)
{
	size_t n = 0;

	while (x[n] && x[n] == y[n])
		n++;
	return x + (n > 200 ? n - 200 : 0);
}

static int same_answers(const struct caller *c, const char *tool, const char *args)
{
	co = less;
	const char *want = scrub(ask_as(c, tool, args));
	co = whole;
	const char *got = scrub(ask_as(c, tool, args));
	if (!strcmp(want, got))
		return 0;
	print_error("%s %s of %s\n- …%.600s\n+ …%.600s\n", tool, args, c->name, from_difference(want, got), from_difference(got, want));
	return 1;
}

static int asked_of_hidden(void)
{
	int n = 0;

	for (int i = 0; i < SHARDS; i++) {
		bool is_seen = false;
		for (size_t k = 0; k < LEN(seen_ids); k++)
			is_seen |= seen_ids[k] == i;
		n += is_seen ? 0 : questions(&fakes[i]);
	}
	return n;
}

/* ---- the matrix ---- */

static bool has_row(const char *tool)
{
	for (size_t i = 0; i < LEN(matrix); i++)
		if (!strcmp(matrix[i].tool, tool))
			return true;
	for (size_t i = 0; i < LEN(governs); i++)
		if (!strcmp(governs[i], tool))
			return true;
	return false;
}

static void every_tool_is_in_it(void **state)
{
	(void)state;
	for (const struct tool *t = tools; t->name; t++)
		if (!has_row(t->name))
			fail_msg("%s has no row in the matrix", t->name);
}

/* Those without rights come first, so that nothing is known yet of what others have asked. */
static void answers_are_those_without_the_hidden(void **state)
{
	int bad = 0, before = asked_of_hidden();

	(void)state;
	for (size_t i = 0; i < LEN(matrix); i++)
		for (size_t k = 0; k < ARGS && matrix[i].args[k]; k++)
			bad += same_answers(&guest, matrix[i].tool, matrix[i].args[k]) + same_answers(&nobody, matrix[i].tool, matrix[i].args[k]);
	assert_int_equal(bad, 0);
	assert_int_equal(asked_of_hidden(), before);
}

/* The same after those who see all have asked for all. */
static void what_others_asked_changes_nothing(void **state)
{
	int bad = 0;

	(void)state;
	co = whole;
	for (size_t i = 0; i < LEN(matrix); i++)
		for (size_t k = 0; k < ARGS && matrix[i].args[k]; k++)
			ask(matrix[i].tool, matrix[i].args[k]);
	for (size_t i = 0; i < LEN(matrix); i++)
		for (size_t k = 0; k < ARGS && matrix[i].args[k]; k++)
			bad += same_answers(&guest, matrix[i].tool, matrix[i].args[k]);
	assert_int_equal(bad, 0);
}

/* Pages of who does not see all: each row once, and cursors that say nothing of what lies between. */
static void pages_go_on(void **state)
{
	const char *cursors[2] = { "", "" };

	(void)state;
	for (int page = 0; page < 8; page++) {
		const char *answers[2];
		for (int i = 0; i < 2; i++) {
			co = i ? whole : less;
			answers[i] = ask_as(&guest, "group_contracts", arena_printf(a, "{\"group\":\"all\",\"limit\":1%s%s}", *cursors[i] ?
			    ",\"cursor\":" : "", cursors[i]));
			assert_string_equal(code(answers[i]), "none");
			cursors[i] = get(answers[i], "next_cursor");
		}
		assert_string_equal(cursors[0], cursors[1]);
		assert_string_equal(scrub(answers[0]), scrub(answers[1]));
		if (!strcmp(cursors[0], "null") || !*cursors[0])
			return;
	}
	fail_msg("there is no last page");
}

/* A hidden repository's new index moves nothing of what others see. */
static void what_moves_unseen_moves_nothing(void **state)
{
	(void)state;
	co = whole;
	const char *before = ask_as(&guest, "group_contracts", "{\"group\":\"all\",\"limit\":1}");
	set_index(&fakes[4], 5, 3, "/m6");
	for (int i = 0; i < 100 && !strstr(ask("group_status", "{\"group\":\"all\"}"), "\"generation\":5"); i++)
		clock_sleep(20);
	ask("group_sync", "{\"group\":\"all\"}");
	const char *after = ask_as(&guest, "group_contracts", "{\"group\":\"all\",\"limit\":1}");
	assert_string_equal(get(after, "synced_at"), get(before, "synced_at"));
	assert_string_equal(get(after, "next_cursor"), get(before, "next_cursor"));
	assert_int_equal(same_answers(&guest, "group_contracts", "{\"group\":\"all\"}"), 0);
	assert_int_equal(same_answers(&guest, "group_status", "{\"group\":\"all\"}"), 0);
	assert_string_equal(code(ask_as(&guest, "group_contracts", arena_printf(a, "{\"group\":\"all\",\"limit\":1,\"cursor\":%s}",
	    get(before, "next_cursor")))), "none");
}

/* New facts of what they see are there at once, when anybody has asked for them. */
static void what_moves_in_sight_is_seen(void **state)
{
	(void)state;
	set_index(&fakes[3], 6, 0, "/m7");
	for (int i = 0; i < 2; i++) {
		co = i ? whole : less;
		for (int k = 0; k < 100 && !strstr(ask("group_status", "{\"group\":\"all\"}"), "\"generation\":6"); k++)
			clock_sleep(20);
		ask("group_sync", "{\"group\":\"all\"}");
	}
	clock_sleep(50);
	holds(ask_as(&guest, "group_contracts", "{\"group\":\"all\"}"), "/m7");
	assert_int_equal(same_answers(&guest, "group_contracts", "{\"group\":\"all\"}"), 0);
}

/* ---- set-up ---- */

static struct coordinator *open_less(void)
{
	char *argv[8 + 2 * LEN(seen_ids)] = { "atoll-coordinator", "--data", arena_printf(a, "%s/less", dir), "--http", "", "--listen",
		arena_printf(a, "ipc://%s/members", dir), "--probe-interval-ms=100" };
	int argc = 8;
	struct options o = { 0 };
	struct err e = { 0 };

	argv[6] = arena_printf(a, "ipc://%s/less-members", dir);
	for (size_t i = 0; i < LEN(seen_ids); i++) {
		argv[argc++] = "--shard";
		argv[argc++] = (char *)fakes[seen_ids[i]].url;
	}
	if (coordinator_options(&o, argc, argv, a, &e))
		fail_msg("%s", e.msg);
	o.search_deadline_ms = SEARCH_MS;
	o.contracts_deadline_ms = 1000;
	o.sync_delay_ms = 0;
	struct coordinator *x = coordinator_open(&o, &e);
	if (!x)
		fail_msg("%s", e.msg);
	return x;
}

static int matrix_open(void **state)
{
	if (federation_open(state))
		return -1;
	whole = co;
	set_index(&fakes[4], 1, 0, "/m3");	/* hidden, and serves what svc3 serves */
	ask("group_create", "{\"group\":\"dark\",\"repos\":[\"svc4\",\"svc5\"]}");
	ask("group_create", "{\"group\":\"mixed\",\"repos\":[\"svc2\",\"svc3\",\"svc6\",\"svc7\",\"other/svc1\"]}");
	ask("group_add", "{\"group\":\"all\",\"repos\":[\"svc6\"]}");
	less = co = open_less();
	for (size_t i = 0; i < LEN(seen); i++)
		wait_health(seen[i], "healthy");
	ask("group_create", "{\"group\":\"all\",\"repos\":[\"svc0\",\"svc2\",\"svc3\",\"svc6\"]}");
	ask("group_create", "{\"group\":\"mixed\",\"repos\":[\"svc2\",\"svc3\",\"svc6\"]}");
	return 0;
}

static int matrix_close(void **state)
{
	coordinator_close(less);
	co = whole;
	return federation_close(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tool_is_in_it),
		cmocka_unit_test(answers_are_those_without_the_hidden),
		cmocka_unit_test(what_others_asked_changes_nothing),
		cmocka_unit_test(pages_go_on),
		cmocka_unit_test(what_moves_unseen_moves_nothing),
		cmocka_unit_test(what_moves_in_sight_is_seen),
	};

	return cmocka_run_group_tests(tests, matrix_open, matrix_close);
}
