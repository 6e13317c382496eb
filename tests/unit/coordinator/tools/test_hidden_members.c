/*
 * A caller with limited access gets the same bytes as if the hidden members did not exist: every tool of the table, resources,
 * prompts, completion, pages; and the time until a missing name is reported does not tell them apart either.
 */
#include <time.h>

#include "tests/mcp_in_process.h"
#include "tests/hidden_members.h"

/* What is asked of each tool.  A hidden repository by all its names, a group of hidden ones, what never was. */
#define EACH_REPO(more) "{\"repo\":\"svc0\"" more "}", "{\"repo_uri\":\"h.example/shop/svc2\"" more "}", "{\"repo\":\"" HIDDEN "\"" more "}", \
	"{\"repo_uri\":\"" HIDDEN_URI "\"" more "}", "{\"repo\":\"shop/svc1\"" more "}", "{\"repo_uri\":\"other/svc1\"" more "}", \
	"{\"repo\":\"svc99\"" more "}", "{\"repo_uri\":\"h.example/shop/svc99\"" more "}", "{\"repo\":\"svc\"" more "}", \
	"{\"repo\":\"" HIDDEN "x\"" more "}", "{" "\"repo\":\"\"" more "}"
#define EACH_GROUP(more) "{\"group\":\"all\"" more "}", "{\"group\":\"dark\"" more "}", "{\"group\":\"mixed\"" more "}", "{\"group\":\"darkness\"" more "}", \
	"{\"group\":\"al\"" more "}"
#define SCOPES "{\"query\":\"users\",\"scope\":{\"type\":\"all\"}}", \
	"{\"query\":\"users\",\"scope\":{\"type\":\"repos\",\"repos\":[\"svc0\",\"" HIDDEN "\"]}}", \
	"{\"query\":\"users\",\"scope\":{\"type\":\"repos\",\"repos\":[\"svc0\",\"svc2\",\"svc3\"]}}", "{\"query\":\"users\",\"scope\":{\"type\":\"repo\",\"repo\":\"" HIDDEN "\"}}"
#define PAIR(from, to, more) "{\"from\":\"" from "\",\"to\":\"" to "\"" more "}"
enum { ARGS = 18 };

static const struct {
	const char *tool, *args[ARGS];
} matrix[] = {
	{ "list_repos",
	    { "{}", "{\"limit\":1}", EACH_GROUP(""), "{\"repo\":\"" HIDDEN "\"}",
	        "{\"repo_uri\":\"" HIDDEN_URI "\"}", "{\"repo\":\"svc1\"}" } },
	{ "status", { "{}" } },
	{ "live", { "{}" } },
	{ "source_list", { "{}" } },
	{ "group_list", { "{}" } },
	{ "group_status", { EACH_GROUP("") } },
	{ "group_contracts",
	    { EACH_GROUP(""), EACH_GROUP(",\"limit\":2"),
	        "{\"group\":\"all\",\"repo_uri\":\"" HIDDEN_URI "\"}",
	        "{\"group\":\"all\",\"path\":\"/m\"}", "{\"group\":\"mixed\",\"method\":\"GET\"}" } },
	{ "group_cross_repo_links",
	    { EACH_GROUP(""), EACH_GROUP(",\"relation\":\"uses_symbol\""),
	        "{\"group\":\"all\",\"limit\":1}",
	        "{\"group\":\"all\",\"repo_uri\":\"" HIDDEN_URI "\"}" } },
	{ "contract_list",
	    { EACH_GROUP(""), EACH_GROUP(",\"min_confidence\":0.6"),
	        "{\"group\":\"all\",\"producer\":\"" HIDDEN_URI "\"}",
	        "{\"group\":\"all\",\"consumer\":\"h.example/shop/svc2\"}",
	        "{\"group\":\"all\",\"list\":\"unresolved\",\"limit\":1}",
	        "{\"group\":\"all\",\"reasons\":[\"no-producer\"]}",
	        "{\"group\":\"all\",\"cross_repo\":true}", "{\"group\":\"all\",\"kinds\":[\"x\"]}" } },
	{ "link_list",
	    { EACH_GROUP(""), EACH_GROUP(",\"min_confidence\":0.6"),
	        "{\"group\":\"all\",\"source\":\"" HIDDEN_URI "\"}",
	        "{\"group\":\"all\",\"target\":\"h.example/shop/svc2\"}",
	        "{\"group\":\"all\",\"relations\":[\"consumes_route\"],\"limit\":1}" } },
	{ "find_references", { EACH_REPO(",\"symbol\":\"users\"") } },
	{ "package_api",
	    { EACH_REPO(""), "{\"repo\":\"svc0\",\"group\":\"all\"}",
	        "{\"repo\":\"svc0\",\"group\":\"mixed\"}", "{\"repo\":\"svc0\",\"group\":\"dark\"}",
	        "{\"repo\":\"" HIDDEN "\",\"group\":\"all\"}" } },
	{ "repo_graph", { EACH_GROUP(""), EACH_GROUP(",\"min_confidence\":0.6") } },
	{ "packages",
	    { EACH_GROUP(""), EACH_GROUP(",\"limit\":1"), "{\"group\":\"all\",\"repo\":\"svc0\"}",
	        "{\"group\":\"all\",\"repo\":\"" HIDDEN "\"}", "{\"repo\":\"svc0\"}",
	        "{\"repo\":\"" HIDDEN "\"}", "{\"repo_uri\":\"" HIDDEN_URI "\"}",
	        "{\"group\":\"mixed\",\"external\":true}" } },
	{ "explain_link",
	    { PAIR("svc0", "svc2", ""), PAIR("svc2", "svc0", ""), PAIR("svc0", HIDDEN, ""),
	        PAIR(HIDDEN, "svc0", ""), PAIR("svc0", "svc99", ""),
	        PAIR("svc0", "h.example/shop/svc2", ",\"group\":\"all\""),
	        PAIR("svc0", "svc2", ",\"group\":\"mixed\""),
	        PAIR("svc0", "svc2", ",\"group\":\"dark\""), PAIR("svc1", "svc3", ",\"limit\":1"),
	        PAIR("svc2", "svc0", ",\"path\":\"/m\""), PAIR(HIDDEN_URI, "svc0", ""),
	        "{\"from\":\"svc0\",\"path\":\"/m\"}",
	        "{\"from\":\"svc2\",\"path\":\"/m3\",\"method\":\"GET\"}",
	        "{\"from\":\"svc1\",\"path\":\"src\",\"group\":\"all\"}", "{\"from\":\"svc0\"}",
	        "{\"from\":\"" HIDDEN "\",\"path\":\"/m\"}" } },
	{ "group_query",
	    { EACH_GROUP(",\"query\":\"users\""), "{\"group\":\"all\",\"query\":\"users\",\"limit\":2}",
	        "{\"group\":\"all\",\"query\":\"users\",\"repos\":[\"svc0\",\"" HIDDEN "\"]}",
	        "{\"group\":\"all\",\"query\":\"users\",\"repos\":[\"svc0\",\"svc6\"]}",
	        "{\"group\":\"all\",\"query\":\"users\",\"fusion\":\"rrf\"}",
	        "{\"group\":\"all\",\"query\":\"users\",\"languages\":[\"cobol\"]}" } },
	{ "grep",
	    { EACH_GROUP(",\"pattern\":\"users\""),
	        "{\"group\":\"all\",\"pattern\":\"users\",\"limit\":2}",
	        "{\"group\":\"all\",\"pattern\":\"u\",\"output_mode\":\"count\"}",
	        "{\"group\":\"all\",\"pattern\":\"users\",\"repos\":[\"svc0\",\"" HIDDEN "\"]}",
	        "{\"group\":\"all\",\"pattern\":\"users\",\"languages\":[\"cobol\"]}",
	        "{\"group\":\"all\",\"query\":\"users -repo:svc0\"}",
	        "{\"group\":\"all\",\"query\":\"users repo:" HIDDEN "\"}",
	        "{\"group\":\"all\",\"query\":\"(users or repo:" HIDDEN ") lang:cobol\"}" } },
	{ "query", { EACH_REPO(",\"query\":\"users\"") } },
	{ "scope_query",
	    { SCOPES, "{\"query\":\"users\",\"scope\":{\"type\":\"all\"},\"limit\":2}",
	        "{\"query\":\"users\"}" } },
	{ "search_code", { EACH_REPO(",\"query\":\"users\""), SCOPES } },
	{ "ask_code",
	    { EACH_REPO(",\"query\":\"users\""),
	        "{\"query\":\"users\",\"scope\":{\"type\":\"all\"}}" } },
	{ "open_file", { EACH_REPO(",\"path\":\"src/f1.c\"") } },
	{ "context", { EACH_REPO(",\"symbol\":\"loadUsers\"") } },
	{ "file_map", { EACH_REPO(",\"path\":\"src/f1.c\"") } },
	{ "signature", { EACH_REPO(",\"symbol\":\"loadUsers\"") } },
	{ "impact", { EACH_REPO(",\"symbol\":\"loadUsers\"") } },
	{ "owners", { EACH_REPO(",\"path\":\"src\"") } },
	{ "detect_changes", { EACH_REPO("") } },
	{ "route_map", { EACH_REPO("") } },
	{ "api_impact", { EACH_REPO(",\"route\":\"/m3\"") } },
	{ "repo_schema", { EACH_REPO("") } },
	{ "repo_status", { EACH_REPO("") } },
	{ "group_sync", { EACH_GROUP("") } },
	{ "job_list", { EACH_REPO(""), "{\"limit\":1}" } },
	{ "job_show",
	    { "{\"id\":\"0123456789abcdef\"}", "{\"id\":\"@\"}" } }, /* @: a job of a hidden one */
	{ "job_cancel", { "{\"id\":\"0123456789abcdef\"}", "{\"id\":\"@\"}" } },
	{ "jobs",
	    { "{\"kind\":\"build\",\"repo\":\"" HIDDEN "\"}", "{\"kind\":\"build\",\"repo\":\"svc99\"}",
	        "{\"kind\":\"build\"}", "{\"kind\":\"x\"}" } },
	{ "repo_analyze",
	    { "{\"repo\":\"" HIDDEN "\"}", "{\"repo_uri\":\"" HIDDEN_URI "\"}", "{\"repo\":\"svc99\"}",
	        "{}" } },
};

/* ---- the matrix ---- */

static bool has_row(const char *tool)
{
	for (size_t i = 0; i < LEN(matrix); i++)
		if (!strcmp(matrix[i].tool, tool))
			return true;
	return false;
}

static void every_tool_is_in_it(void **state)
{
	(void)state;
	for (const struct tool *t = tools; t->name; t++)
		if (!has_row(t->name) && !(t->hints & GOVERNS))
			fail_msg("%s has no row in the matrix", t->name);
}

/* Whatever is named, there or not. */
static void who_is_limited_governs_nothing(void **state)
{
	static const char *const args[] = { "{}", "{\"repo\":\"" HIDDEN "\"}", "{\"repo_uri\":\"" HIDDEN_URI "\"}", "{\"group\":\"dark\",\"repos\":[\"svc0\"]}",
		"{\"group\":\"all\"}", "{\"source\":\"/tmp\"}", "{\"name\":\"admin\"}", "{\"group\":7}" };

	(void)state;
	co = full_federation;
	for (const struct tool *t = tools; t->name; t++)
		for (size_t i = 0; t->hints & GOVERNS && i < LEN(args); i++) {
			const char *s = ask_as(&guest, t->name, args[i]);
			assert_string_equal(error_code(s), "FORBIDDEN");
			assert_string_equal(s, ask_as(&guest, t->name, args[0]));
		}
}

/* Those without rights come first, so that nothing is known yet of what others have asked. */
static void answers_are_those_without_the_hidden(void **state)
{
	int bad = 0, before = requests_to_hidden();

	(void)state;
	for (size_t i = 0; i < LEN(matrix); i++)
		for (size_t k = 0; k < ARGS && matrix[i].args[k]; k++)
			bad += same_answers(&guest, matrix[i].tool, matrix[i].args[k]) + same_answers(&nobody, matrix[i].tool, matrix[i].args[k]);
	assert_int_equal(bad, 0);
	assert_int_equal(requests_to_hidden(), before);
}

/* The same after those who see all have asked for all. */
static void what_others_asked_changes_nothing(void **state)
{
	int bad = 0;

	(void)state;
	co = full_federation;
	const char *id = json_text(get(get(ask("jobs", "{\"kind\":\"update\",\"repo\":\"" HIDDEN "\"}"), "job"), "id"), a);
	assert_non_null(id);
	snprintf(hidden_job, sizeof hidden_job, "%s", id);
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
			co = i ? full_federation : visible_federation;
			answers[i] = ask_as(&guest, "group_contracts", arena_printf(a, "{\"group\":\"all\",\"limit\":1%s%s}", *cursors[i] ?
			    ",\"cursor\":" : "", cursors[i]));
			assert_string_equal(error_code(answers[i]), "none");
			cursors[i] = get(answers[i], "next_cursor");
		}
		assert_string_equal(cursors[0], cursors[1]);
		assert_string_equal(mask_variable_parts(answers[0]), mask_variable_parts(answers[1]));
		if (!strcmp(cursors[0], "null") || !*cursors[0])
			return;
	}
	fail_msg("there is no last page");
}

/* ---- MCP ---- */

static int same_messages(const char *method, const char *params)
{
	const char *want, *got;
	int64_t end = clock_ms() + BUSY_MS / 2;

	for (;; clock_sleep(100)) {	/* as in same_answers */
		co = visible_federation;
		want = mask_variable_parts(mcp_request(&guest, method, params, NULL));
		co = full_federation;
		got = mask_variable_parts(mcp_request(&guest, method, params, NULL));
		if (!strcmp(want, got))
			return 0;
		if (clock_ms() >= end)
			break;
	}
	print_error("%s %s\n- …%.600s\n+ …%.600s\n", method, params, near_difference(want, got), near_difference(got, want));
	return 1;
}

static void resources_prompts_and_completion(void **state)
{
	static const char *const uris[] = { "groups", "group/all/status", "group/all/contracts", "group/all/graph", "group/dark/status", "group/dark/graph",
		"group/nope/graph", "group/mixed/contracts", "repo/h.example%2Fshop%2Fsvc0/context", "repo/h.example%2Fshop%2Fsvc4/context",
		"repo/h.example%2Fshop%2Fsvc99/context", "repo/h.example/shop/svc4/routes", "repo/h.example/shop/svc3/routes", "repo/h.example/shop/svc4/schema" };
	static const char *const words[] = { "", "s", "svc", "shop/svc", "h.example", "svc4", "other", "da", "dark", "m", "al" };
	static const char *const arguments[] = { "repo", "repo_uri", "group", "name" };
	int bad = same_messages("resources/list", "{}") + same_messages("resources/templates/list", "{}") + same_messages("prompts/list", "{}") +
	    same_messages("tools/list", "{}") + same_messages("resources/list", "{\"cursor\":\"100\"}") +
	    same_messages("prompts/get", "{\"name\":\"understand_repository\",\"arguments\":{\"repo\":\"svc4\"}}") +
	    same_messages("tools/call", "{\"name\":\"list_repos\",\"arguments\":{}}") +
	    same_messages("tools/call", "{\"name\":\"query\",\"arguments\":{\"query\":\"x\"}}");

	(void)state;
	for (size_t i = 0; i < LEN(uris); i++)
		bad += same_messages("resources/read", arena_printf(a, "{\"uri\":\"atoll://%s\"}", uris[i]));
	for (size_t i = 0; i < LEN(words); i++)
		for (size_t k = 0; k < LEN(arguments); k++)
			bad += same_messages("completion/complete", arena_printf(a, "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"review_impact\"},"
			    "\"argument\":{\"name\":\"%s\",\"value\":\"%s\"}}", arguments[k], words[i]));
	bad += same_messages("completion/complete", "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"review_impact\"},\"argument\":"
	    "{\"name\":\"symbol\",\"value\":\"lo\"},\"context\":{\"arguments\":{\"repo\":\"svc4\"}}}");
	assert_int_equal(bad, 0);
	const char *steps = mcp_request(&guest, "tools/call", "{\"name\":\"group_sync\",\"arguments\":{\"group\":\"all\"},\"_meta\":{\"progressToken\":1}}", NULL);
	assert_contains(steps, " of 4 members");
	assert_null(strstr(steps, " of 6 members"));
}

/* ---- how long nothing takes ---- */

static int by_number(const void *x, const void *y)
{
	int64_t a1 = *(const int64_t *)x, b1 = *(const int64_t *)y;

	return (a1 > b1) - (a1 < b1);
}

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

enum { ROUNDS = 101 };

/* How long each of two questions takes: the middle of many, taken in turns, so that what else the machine does concerns both. */
static void middles(const char *const asked[3], int64_t middle[2])
{
	int64_t us[2][ROUNDS];

	for (int i = 0; i < 2 * ROUNDS; i++) {
		int64_t since = now_us();
		assert_string_equal(error_code(ask_as(&guest, asked[0], asked[1 + i % 2])), "NOT_FOUND");
		us[i % 2][i / 2] = now_us() - since;
	}
	for (int i = 0; i < 2; i++) {
		qsort(us[i], ROUNDS, sizeof us[i][0], by_number);
		middle[i] = us[i][ROUNDS / 2];
	}
}

static bool is_alike(const int64_t middle[2])
{
	int64_t x = middle[0], y = middle[1], more = x > y ? x - y : y - x;

	return more <= 2000 || more <= (x < y ? x : y);
}

static void what_is_hidden_is_missed_as_fast(void **state)
{
	enum { TRIES = 8 };	/* the turns may be those of a busy machine once, not each time */
	static const char *const asked[][3] = { { "query", "{\"query\":\"x\",\"repo\":\"svc4\"}", "{\"query\":\"x\",\"repo\":\"svc94\"}" },
		{ "group_query", "{\"query\":\"x\",\"group\":\"dark\"}", "{\"query\":\"x\",\"group\":\"dork\"}" },
		{ "open_file", "{\"path\":\"a\",\"repo_uri\":\"h.example/shop/svc4\"}", "{\"path\":\"a\",\"repo_uri\":\"h.example/shop/svc94\"}" } };
	int before = requests_to_hidden();

	(void)state;
	co = full_federation;
	for (size_t k = 0; k < LEN(asked); k++) {
		int64_t us[2] = { 0, INT32_MAX };
		for (int i = 0; i < TRIES && !is_alike(us); i++)
			middles(asked[k], us);
		if (!is_alike(us))
			fail_msg("%s: %lld us when it is hidden, %lld when there is none", asked[k][0], (long long)us[0], (long long)us[1]);
	}
	assert_int_equal(requests_to_hidden(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tool_is_in_it),
		cmocka_unit_test(who_is_limited_governs_nothing),
		cmocka_unit_test(answers_are_those_without_the_hidden),
		cmocka_unit_test(what_others_asked_changes_nothing),
		cmocka_unit_test(pages_go_on),
		cmocka_unit_test(resources_prompts_and_completion),
		cmocka_unit_test(what_is_hidden_is_missed_as_fast),
	};

	return cmocka_run_group_tests(tests, hidden_open, hidden_close);
}
