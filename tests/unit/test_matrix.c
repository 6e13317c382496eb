/*
 * What a caller who does not see everything is told: byte for byte what they would be told if there were nothing else.  Two
 * coordinators over the same shards, one of which has never heard of those that are hidden; every tool of the table.
 */
#include <time.h>

#include "coordinator/mcp.h"
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
	{ "job_list", { EACH_REPO(""), "{\"limit\":1}" } },
	{ "job_show", { "{\"id\":\"0123456789abcdef\"}", "{\"id\":\"@\"}" } },	/* @: a job of a hidden one */
	{ "job_cancel", { "{\"id\":\"0123456789abcdef\"}", "{\"id\":\"@\"}" } },
	{ "jobs", { "{\"kind\":\"build\",\"repo\":\"" HIDDEN "\"}", "{\"kind\":\"build\",\"repo\":\"svc99\"}", "{\"kind\":\"build\"}", "{\"kind\":\"x\"}" } },
	{ "repo_analyze", { "{\"repo\":\"" HIDDEN "\"}", "{\"repo_uri\":\"" HIDDEN_URI "\"}", "{\"repo\":\"svc99\"}", "{}" } },
};

/* ---- what may differ: times, addresses ---- */

/* A time with milliseconds: of now, not of an index. */
static size_t time_at(const char *s)
{
	static const char like[] = "0000-00-00T00:00:00.000Z";
	size_t n = 0;

	while (like[n] && (like[n] == '0' ? s[n] >= '0' && s[n] <= '9' : s[n] == like[n]))
		n++;
	return like[n] ? 0 : n;
}

/* How much of the text is what may differ; also within texts and quoted once more. */
static size_t varies(const char *s)
{
	static const char *const keys[] = { "took_ms", "elapsed_ms", "elapsedMs", "uptime_ms", "membership" };

	for (size_t i = 0; i < LEN(keys); i++) {
		size_t n = strlen(keys[i]);
		if (strncmp(s, keys[i], n))
			continue;
		n += strspn(s + n, "\\\": ");
		return n + strcspn(s + n, "\\\",}\n");
	}
	return time_at(s);
}

static const char *scrub(const char *s)
{
	struct buf b = { 0 };

	while (*s) {
		size_t n = varies(s);
		buf_put(&b, n ? "@" : s, 1);
		s += n ? n : 1;
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

static char hidden_job[64] = "zqx";

/* `@` in the arguments is a job of a hidden repository. */
static int same_answers(const struct caller *c, const char *tool, const char *args)
{
	const char *at = strchr(args, '@');

	args = at ? arena_printf(a, "%.*s%s%s", (int)(at - args), args, hidden_job, at + 1) : args;
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
	co = whole;
	for (const struct tool *t = tools; t->name; t++)
		for (size_t i = 0; t->hints & GOVERNS && i < LEN(args); i++) {
			const char *s = ask_as(&guest, t->name, args[i]);
			assert_string_equal(code(s), "FORBIDDEN");
			assert_string_equal(s, ask_as(&guest, t->name, args[0]));
		}
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
	for (int i = 0; i < 100 && !strstr(ask("list_repos", "{\"limit\":200}"), "\"generation\":5"); i++)
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
		for (int k = 0; k < 100 && !strstr(ask("list_repos", "{\"limit\":200}"), "\"generation\":6"); k++)
			clock_sleep(20);
		ask("group_sync", "{\"group\":\"all\"}");
	}
	clock_sleep(50);
	holds(ask_as(&guest, "group_contracts", "{\"group\":\"all\"}"), "/m7");
	assert_int_equal(same_answers(&guest, "group_contracts", "{\"group\":\"all\"}"), 0);
}

/* ---- many who see different things ---- */

enum { SETS = 90, AT_ONCE = 24 };	/* more than are kept */

/* The `i`-th set: of the group `all` or of `mixed`, never all of it. */
static struct caller set_of(int i, const char **group)
{
	static const int all[] = { 0, 1, 2, 3, 4, 6 }, mixed[] = { 2, 3, 6, 7, 11 };
	int bits = i < 63 ? i : i - 63, n = i < 63 ? LEN(all) : LEN(mixed);
	const char **uris = arena_many(a, n, const char *);
	struct caller c = { .name = arena_printf(a, "set%d", i), .repo_uris = uris };

	*group = i < 63 ? "all" : "mixed";
	for (int k = 0; k < n; k++)
		if (bits >> k & 1)
			uris[c.n++] = fakes[(i < 63 ? all : mixed)[k]].uri;
	return c;
}

/* The contracts that a set sees, and who stands in them. */
static const char *contracts_of(const struct caller *c, const char *group)
{
	const char *s = ask_as(c, "group_contracts", arena_printf(a, "{\"group\":\"%s\",\"limit\":200}", group));

	for (int i = 0; i < SHARDS; i++)
		if (!caller_sees(c, fakes[i].uri) && strstr(s, arena_printf(a, "\"%s\"", fakes[i].uri)))
			fail_msg("%s sees %s: %s", c->name, fakes[i].uri, s);
	if (c->n)
		assert_string_equal(get(get(s, "coverage"), "members"), arena_printf(a, "%zu", c->n));
	else
		assert_string_equal(code(s), "NOT_FOUND");
	return scrub(s);
}

static void more_sets_than_are_kept(void **state)
{
	const char *first[SETS], *group;

	(void)state;
	co = whole;
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < SETS; i++) {
			struct caller c = set_of(i, &group);
			const char *s = contracts_of(&c, group);
			if (round)
				assert_string_equal(s, first[i]);
			first[i] = s;
		}
}

/* All at once, each set by several: the same answers, or that they are being rebuilt. */
static void sets_at_once(void **state)
{
	struct waiter w[AT_ONCE];
	struct caller c[AT_ONCE];
	const char *alone[AT_ONCE], *group[AT_ONCE];

	(void)state;
	co = whole;
	for (int i = 0; i < AT_ONCE; i++) {
		c[i] = set_of(5 + i / 3 * 7, &group[i]);
		alone[i] = contracts_of(&c[i], group[i]);
	}
	set_index(&fakes[2], 11, 0, NULL);	/* facts that all of them must take in */
	ask("group_sync", "{\"group\":\"all\"}");
	for (int i = 0; i < AT_ONCE; i++) {
		w[i] = (struct waiter){ PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };
		call_start(co, tool_get(i % 2 ? "group_sync" : "group_contracts"), &c[i], arena_printf(a, "{\"group\":\"%s\"}", group[i]),
		    &(struct asker){ .done = on_done, .ctx = &w[i], .key = &w[i] });
	}
	for (int i = 0; i < AT_ONCE; i++) {
		pthread_mutex_lock(&w[i].lock);
		while (!w[i].c)
			pthread_cond_wait(&w[i].cond, &w[i].lock);
		pthread_mutex_unlock(&w[i].lock);
		if (w[i].c->e.code && w[i].c->e.code != ERR_UNAVAILABLE)
			fail_msg("%s", w[i].c->e.msg);
		call_free(w[i].c);
	}
	clock_sleep(200);	/* their probes */
	for (int i = 0; i < AT_ONCE; i++)
		assert_string_equal(get(contracts_of(&c[i], group[i]), "totals"), get(alone[i], "totals"));
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Another --routing counts for all; a bad one leaves tables as they are. */
static void routing_counts_for_all(void **state)
{
	const char *file = arena_printf(a, "%s/routing.yaml", dir), *none = whole->o.routing;

	(void)state;
	co = whole;
	const char *before = ask_as(&guest, "group_contracts", "{\"group\":\"all\"}");
	assert_string_equal(code(before), "none");
	write_file(file, "gateways: 7\n");
	whole->o.routing = file;
	clock_sleep(50);
	const char *bad = ask_as(&guest, "group_contracts", "{\"group\":\"all\"}");
	assert_string_equal(code(bad), "none");
	assert_string_equal(get(bad, "synced_at"), get(before, "synced_at"));
	write_file(file, "gateways: [{path: '/m1', to: 'svc6:80/m6'}]\n");
	const char *s = bad;
	for (int i = 0; i < 200 && !strstr(s, "routing.yaml"); i++) {
		clock_sleep(20);
		s = ask_as(&guest, "group_contracts", "{\"group\":\"all\"}");
	}
	holds(s, "routing.yaml");
	whole->o.routing = none;
	clock_sleep(50);
	s = ask_as(&guest, "group_contracts", "{\"group\":\"all\"}");
	assert_null(strstr(s, "routing.yaml"));
}

/* A hidden member leaves the group: for who does not see it nothing was there, and nothing has to be built anew. */
static void who_leaves_unseen_leaves_no_trace(void **state)
{
	(void)state;
	co = whole;
	ask("group_create", "{\"group\":\"lost\",\"repos\":[\"svc2\",\"svc3\",\"svc9\"]}");
	ask("group_sync", "{\"group\":\"lost\"}");
	const char *page = ask_as(&guest, "group_contracts", "{\"group\":\"lost\",\"limit\":1}");
	const char *before = ask_as(&guest, "group_status", "{\"group\":\"lost\"}");
	ask("group_remove", "{\"group\":\"lost\",\"repos\":[\"svc9\"]}");
	const char *after = ask_as(&guest, "group_status", "{\"group\":\"lost\"}");
	assert_string_equal(get(after, "contracts_synced_at"), get(before, "contracts_synced_at"));
	assert_string_equal(scrub(after), scrub(before));
	ask("group_sync", "{\"group\":\"lost\"}");
	const char *next = arena_printf(a, "{\"group\":\"lost\",\"limit\":1,\"cursor\":%s}", get(page, "next_cursor"));
	assert_string_equal(code(ask_as(&guest, "group_contracts", next)), "none");
	assert_string_equal(scrub(ask_as(&guest, "group_status", "{\"group\":\"lost\"}")), scrub(before));
	ask("group_delete", "{\"group\":\"lost\"}");
}

/* What they do not see may hang: nobody waits for it. */
static void what_hangs_unseen_delays_nobody(void **state)
{
	(void)state;
	co = whole;
	set_mode(&fakes[4], HANGS);
	int64_t since = clock_ms();
	holds(ask_as(&guest, "group_sync", "{\"group\":\"all\"}"), "\"complete\":true");
	holds(ask_as(&guest, "group_query", "{\"group\":\"all\",\"query\":\"users\"}"), "\"complete\":true");
	holds(ask_as(&guest, "group_status", "{\"group\":\"all\"}"), "\"complete\":true");
	holds(ask_as(&guest, "repo_graph", "{\"group\":\"all\",\"owners\":true}"), "\"complete\":true");
	if (clock_ms() - since > SEARCH_MS)
		fail_msg("they took %lld ms", (long long)(clock_ms() - since));
	set_mode(&fakes[4], ANSWERS);
}

/* ---- MCP ---- */

/* Whoever sent a message, or listens. */
struct ear {
	pthread_mutex_t lock;
	struct buf heard;		/* answers and notifications, a line each */
	int lines, answers;
	char session[64];
};

static void ear_open(struct ear *e)
{
	memset(e, 0, sizeof *e);
	pthread_mutex_init(&e->lock, NULL);
}

static bool on_event(void *ctx, const char *id, const char *message)
{
	struct ear *e = ctx;

	(void)id;
	pthread_mutex_lock(&e->lock);
	buf_printf(&e->heard, "%s\n", message ? message : "");
	e->lines += message != NULL;
	pthread_mutex_unlock(&e->lock);
	return true;
}

static void on_answer(void *ctx, int status, const char *header, struct buf *body)
{
	struct ear *e = ctx;

	pthread_mutex_lock(&e->lock);
	if (header)
		snprintf(e->session, sizeof e->session, "%s", strchr(header, ':') + 2);
	buf_printf(&e->heard, "%d %s\n", status, body && body->p ? body->p : "");
	e->answers++;
	if (body)
		buf_free(body);
	pthread_mutex_unlock(&e->lock);
}

static const struct mcp_carrier carrier = { on_event, on_answer };

static int lines(struct ear *e)
{
	pthread_mutex_lock(&e->lock);
	int n = e->lines;
	pthread_mutex_unlock(&e->lock);
	return n;
}

static bool is_answered(struct ear *e)
{
	pthread_mutex_lock(&e->lock);
	bool answered = e->answers > 0;
	pthread_mutex_unlock(&e->lock);
	return answered;
}

static const char *heard(struct ear *e)
{
	pthread_mutex_lock(&e->lock);
	const char *s = arena_str(a, e->heard.p ? e->heard.p : "");
	pthread_mutex_unlock(&e->lock);
	return s;
}

static void ear_close(struct ear *e)
{
	buf_free(&e->heard);
	pthread_mutex_destroy(&e->lock);
}

static const char *session_header(const void *from, const char *name)
{
	return strcmp(name, "Mcp-Session-Id") ? NULL : from;
}

/* The answer to a request of the handshake revisions; its session in `session` when it is initialize's. */
static const char *say(const struct caller *c, const char *method, const char *params, char *session)
{
	const char *body = arena_printf(a, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method, params);
	struct ear e;

	ear_open(&e);
	mcp_handle(co, c, &(struct mcp_input){ body, strlen(body), session_header, session && *session ? session : NULL }, &carrier, &e);
	while (!is_answered(&e))
		clock_sleep(1);
	const char *answer = heard(&e);
	if (session && !*session)
		strcpy(session, e.session);
	ear_close(&e);
	return answer;
}

static int same_messages(const char *method, const char *params)
{
	co = less;
	const char *want = scrub(say(&guest, method, params, NULL));
	co = whole;
	const char *got = scrub(say(&guest, method, params, NULL));
	if (!strcmp(want, got))
		return 0;
	print_error("%s %s\n- …%.600s\n+ …%.600s\n", method, params, from_difference(want, got), from_difference(got, want));
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
	const char *steps = say(&guest, "tools/call", "{\"name\":\"group_sync\",\"arguments\":{\"group\":\"all\"},\"_meta\":{\"progressToken\":1}}", NULL);
	holds(steps, " of 4 members");
	assert_null(strstr(steps, " of 6 members"));
}

/* A stream of a session that hears of these resources. */
static void listen_to(struct ear *e, const struct caller *c, const char *const *uris, size_t n)
{
	char session[64] = "";
	int64_t retry_ms;
	struct err err = { 0 };

	ear_open(e);
	say(c, "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"0\"}}", session);
	assert_int_not_equal(session[0], 0);
	for (size_t i = 0; i < n; i++)
		say(c, "resources/subscribe", arena_printf(a, "{\"uri\":\"atoll://%s\"}", uris[i]), session);
	assert_int_equal(mcp_hear(co, c, session, NULL, &carrier, e, &retry_ms, &err), 0);
}

static void wait_lines(struct ear *e, int n)
{
	for (int i = 0; i < 200 && lines(e) < n; i++)
		clock_sleep(20);
}

static int count(const char *text, const char *word)
{
	int n = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		n++;
	}
	return n;
}

/* What happens unseen is not told; what happens in sight is, to all who see it. */
static void nobody_hears_of_what_is_hidden(void **state)
{
	static const char *const uris[] = { "groups", "group/all/status", "group/all/contracts", "group/dark/status", "group/leaving/contracts", "repo/h.example%2Fshop%2Fsvc4/context",
		"repo/h.example%2Fshop%2Fsvc0/context" };
	struct ear guests, ours;

	(void)state;
	co = whole;
	ask("group_create", "{\"group\":\"leaving\",\"repos\":[\"svc0\",\"svc9\"]}");
	ask("group_sync", "{\"group\":\"leaving\"}");
	listen_to(&guests, &guest, uris, LEN(uris));
	listen_to(&ours, &caller_local, uris, LEN(uris));
	clock_sleep(300);
	int before = lines(&guests), told = lines(&ours);
	set_index(&fakes[4], 7, 0, "/m6");
	wait_lines(&ours, told + 1);
	ask("group_sync", "{\"group\":\"all\"}");
	told = lines(&ours);
	ask("group_create", "{\"group\":\"darker\",\"repos\":[\"svc8\"]}");
	ask("group_add", "{\"group\":\"all\",\"repos\":[\"svc9\"]}");
	ask("repo_visibility", "{\"repo\":\"" HIDDEN "\",\"visibility\":\"internal\"}");
	wait_lines(&ours, told + 2);
	ask("group_remove", "{\"group\":\"all\",\"repos\":[\"svc9\"]}");
	ask("group_delete", "{\"group\":\"darker\"}");
	ask("group_remove", "{\"group\":\"leaving\",\"repos\":[\"svc9\"]}");
	clock_sleep(300);
	ask("group_sync", "{\"group\":\"leaving\"}");
	clock_sleep(400);
	holds(heard(&ours), "svc4/context");
	holds(heard(&ours), "group/dark/status");
	holds(heard(&ours), "list_changed");
	if (lines(&guests) != before)
		fail_msg("told: %s", heard(&guests));
	set_index(&fakes[0], 8, 0, NULL);
	wait_lines(&guests, before + 3);
	holds(heard(&guests), "svc0/context");
	holds(heard(&guests), "group/all/contracts");
	ask("group_create", "{\"group\":\"bright\",\"repos\":[\"svc0\"]}");
	for (int i = 0; i < 100 && !strstr(heard(&guests), "list_changed"); i++)
		clock_sleep(20);
	holds(heard(&guests), "list_changed");
	ask("group_delete", "{\"group\":\"bright\"}");
	ask("group_delete", "{\"group\":\"leaving\"}");
	clock_sleep(300);
	int lists = count(heard(&guests), "list_changed");
	ask("repo_visibility", "{\"repo\":\"svc0\",\"visibility\":\"internal\"}");
	for (int i = 0; i < 100 && count(heard(&guests), "list_changed") == lists; i++)
		clock_sleep(20);
	assert_int_equal(count(heard(&guests), "list_changed"), lists + 1);
	mcp_left(co->mcp, &guests);
	mcp_left(co->mcp, &ours);
	ear_close(&guests);
	ear_close(&ours);
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

/* The middle of many, taken in turns, so that what else the machine does concerns both. */
static void what_is_hidden_is_missed_as_fast(void **state)
{
	enum { ROUNDS = 101 };
	static const char *const asked[][3] = { { "query", "{\"query\":\"x\",\"repo\":\"svc4\"}", "{\"query\":\"x\",\"repo\":\"svc94\"}" },
		{ "group_query", "{\"query\":\"x\",\"group\":\"dark\"}", "{\"query\":\"x\",\"group\":\"dork\"}" },
		{ "open_file", "{\"path\":\"a\",\"repo_uri\":\"h.example/shop/svc4\"}", "{\"path\":\"a\",\"repo_uri\":\"h.example/shop/svc94\"}" } };
	int before = asked_of_hidden();

	(void)state;
	co = whole;
	for (size_t k = 0; k < LEN(asked); k++) {
		int64_t us[2][ROUNDS];
		for (int i = 0; i < 2 * ROUNDS; i++) {
			int64_t since = now_us();
			assert_string_equal(code(ask_as(&guest, asked[k][0], asked[k][1 + i % 2])), "NOT_FOUND");
			us[i % 2][i / 2] = now_us() - since;
		}
		for (int i = 0; i < 2; i++)
			qsort(us[i], ROUNDS, sizeof us[i][0], by_number);
		int64_t x = us[0][ROUNDS / 2], y = us[1][ROUNDS / 2], more = x > y ? x - y : y - x;
		if (more > 2000 && more > (x < y ? x : y))
			fail_msg("%s: %lld us when it is hidden, %lld when there is none", asked[k][0], (long long)x, (long long)y);
	}
	assert_int_equal(asked_of_hidden(), before);
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
	o.calls_per_second = 0;
	o.index_max_age = 0;
	struct coordinator *x = coordinator_open(&o, &e);
	if (!x)
		fail_msg("%s", e.msg);
	return x;
}

/* What is known of indexes is in the registry a probe later. */
static void wait_saved(void)
{
	for (int i = 0; i < 500 && strstr(ask("list_repos", "{\"limit\":200}"), "\"pending\""); i++)
		clock_sleep(10);
	assert_null(strstr(ask("list_repos", "{\"limit\":200}"), "\"pending\""));
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
	wait_saved();
	co = whole;
	wait_saved();
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
		cmocka_unit_test(who_is_limited_governs_nothing),
		cmocka_unit_test(answers_are_those_without_the_hidden),
		cmocka_unit_test(what_others_asked_changes_nothing),
		cmocka_unit_test(pages_go_on),
		cmocka_unit_test(resources_prompts_and_completion),
		cmocka_unit_test(what_is_hidden_is_missed_as_fast),
		cmocka_unit_test(what_moves_unseen_moves_nothing),
		cmocka_unit_test(what_moves_in_sight_is_seen),
		cmocka_unit_test(nobody_hears_of_what_is_hidden),
		cmocka_unit_test(more_sets_than_are_kept),
		cmocka_unit_test(sets_at_once),
		cmocka_unit_test(who_leaves_unseen_leaves_no_trace),
		cmocka_unit_test(routing_counts_for_all),
		cmocka_unit_test(what_hangs_unseen_delays_nobody),
	};

	return cmocka_run_group_tests(tests, matrix_open, matrix_close);
}
