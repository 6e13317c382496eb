/*
 * What happens to hidden repositories changes nothing for who does not see them, and nobody is told; what happens in sight does and is.
 * Each set of visible members has contracts of its own.
 */
#include "tests/mcp_in_process.h"
#include "tests/hidden_members.h"

/* A hidden repository's new index moves nothing of what others see. */
static void what_moves_unseen_moves_nothing(void **state)
{
	(void)state;
	co = full_federation;
	const char *before = ask_as(&guest, "group_contracts", "{\"group\":\"all\",\"limit\":1}");
	set_index(&fakes[4], 5, 3, "/m6");
	assert_contains(ask_until(&caller_local, "list_repos", "{\"limit\":200}", "\"generation\":5", true), "\"generation\":5");
	ask("group_sync", "{\"group\":\"all\"}");
	const char *after = ask_as(&guest, "group_contracts", "{\"group\":\"all\",\"limit\":1}");
	assert_string_equal(get(after, "synced_at"), get(before, "synced_at"));
	assert_string_equal(get(after, "next_cursor"), get(before, "next_cursor"));
	assert_int_equal(same_answers(&guest, "group_contracts", "{\"group\":\"all\"}"), 0);
	assert_int_equal(same_answers(&guest, "group_status", "{\"group\":\"all\"}"), 0);
	assert_string_equal(error_code(ask_as(&guest, "group_contracts", arena_printf(a, "{\"group\":\"all\",\"limit\":1,\"cursor\":%s}",
	    get(before, "next_cursor")))), "none");
}

/* New facts of what they see are there when anybody has asked for them: soon, as tables rest as they were long to make. */
static void what_moves_in_sight_is_seen(void **state)
{
	(void)state;
	set_index(&fakes[3], 6, 0, "/in-sight");
	for (int i = 0; i < 2; i++) {
		co = i ? full_federation : visible_federation;
		assert_contains(ask_until(&caller_local, "list_repos", "{\"limit\":200}", "\"generation\":6", true), "\"generation\":6");
		ask("group_sync", "{\"group\":\"all\"}");
		assert_contains(ask_until(&guest, "group_contracts", "{\"group\":\"all\"}", "/in-sight", true), "/in-sight");
	}
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
		assert_string_equal(error_code(s), "NOT_FOUND");
	return mask_variable_parts(s);
}

static void more_sets_than_are_kept(void **state)
{
	const char *first[SETS], *group;

	(void)state;
	co = full_federation;
	for (int i = 0; i < SETS; i++) {
		struct caller c = set_of(i, &group);
		first[i] = contracts_of(&c, group);
	}
	for (int i = 0; i < SETS; i++) {
		struct caller c = set_of(i, &group);
		const char *s = contracts_of(&c, group);
		for (int k = 0; k < 200 && strcmp(s, first[i]); k++, s = contracts_of(&c, group))
			clock_sleep(50);	/* one was not well for a moment, or tables rest */
		assert_string_equal(s, first[i]);
	}
}

/* All at once, each set by several: the same answers, or that they are being rebuilt. */
static void sets_at_once(void **state)
{
	struct pending_call w[AT_ONCE];
	struct caller c[AT_ONCE];
	const char *alone[AT_ONCE], *group[AT_ONCE];

	(void)state;
	co = full_federation;
	for (int i = 0; i < AT_ONCE; i++) {
		c[i] = set_of(5 + i / 3 * 7, &group[i]);
		alone[i] = contracts_of(&c[i], group[i]);
	}
	set_index(&fakes[2], 11, 0, NULL);	/* facts that all of them must take in */
	ask("group_sync", "{\"group\":\"all\"}");
	for (int i = 0; i < AT_ONCE; i++) {
		w[i] = (struct pending_call){ PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };
		call_start(co, tool_get(i % 2 ? "group_sync" : "group_contracts"), &c[i], arena_printf(a, "{\"group\":\"%s\"}", group[i]),
		    &(struct call_client){ .done = on_done, .ctx = &w[i], .key = &w[i] });
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
	for (int i = 0; i < AT_ONCE; i++) {
		const char *want = get(alone[i], "totals"), *s = contracts_of(&c[i], group[i]);
		for (int k = 0; k < 200 && strcmp(get(s, "totals"), want); k++, s = contracts_of(&c[i], group[i]))
			clock_sleep(50);
		assert_string_equal(get(s, "totals"), want);
	}
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
	const char *file = arena_printf(a, "%s/routing.yaml", dir), *none = full_federation->o.routing;

	(void)state;
	co = full_federation;
	const char *before = ask_as(&guest, "group_contracts", "{\"group\":\"all\"}");
	assert_string_equal(error_code(before), "none");
	write_file(file, "gateways: 7\n");
	full_federation->o.routing = file;
	clock_sleep(50);
	const char *bad = ask_as(&guest, "group_contracts", "{\"group\":\"all\"}");
	assert_string_equal(error_code(bad), "none");
	assert_string_equal(get(bad, "synced_at"), get(before, "synced_at"));
	write_file(file, "gateways: [{path: '/m1', to: 'svc6:80/m6'}]\n");
	/* tables rest as they were long to make */
	assert_contains(ask_until(&guest, "group_contracts", "{\"group\":\"all\"}", "routing.yaml", true), "routing.yaml");
	full_federation->o.routing = none;
	assert_null(strstr(ask_until(&guest, "group_contracts", "{\"group\":\"all\"}", "routing.yaml", false), "routing.yaml"));
}

/* The answer is the one from before; a member that is not well for a moment is told of for that moment. */
static void stays(const struct caller *c, const char *tool, const char *args, const char *before)
{
	const char *s = ask_as(c, tool, args);

	for (int i = 0; i < 400 && strcmp(mask_variable_parts(s), mask_variable_parts(before)); i++, s = ask_as(c, tool, args))
		clock_sleep(50);
	assert_string_equal(mask_variable_parts(s), mask_variable_parts(before));
}

/* A hidden member leaves the group: for who does not see it nothing was there, and nothing has to be built anew. */
static void who_leaves_unseen_leaves_no_trace(void **state)
{
	(void)state;
	co = full_federation;
	ask("group_create", "{\"group\":\"lost\",\"repos\":[\"svc2\",\"svc3\",\"svc9\"]}");
	ask("group_sync", "{\"group\":\"lost\"}");
	const char *page = ask_as(&guest, "group_contracts", "{\"group\":\"lost\",\"limit\":1}");
	const char *before = ask_as(&guest, "group_status", "{\"group\":\"lost\"}");
	ask("group_remove", "{\"group\":\"lost\",\"repos\":[\"svc9\"]}");
	stays(&guest, "group_status", "{\"group\":\"lost\"}", before);
	const char *after = ask_as(&guest, "group_status", "{\"group\":\"lost\"}");
	assert_string_equal(get(after, "contracts_synced_at"), get(before, "contracts_synced_at"));
	ask("group_sync", "{\"group\":\"lost\"}");
	const char *next = arena_printf(a, "{\"group\":\"lost\",\"limit\":1,\"cursor\":%s}", get(page, "next_cursor"));
	assert_string_equal(error_code(ask_as(&guest, "group_contracts", next)), "none");
	stays(&guest, "group_status", "{\"group\":\"lost\"}", before);
	ask("group_delete", "{\"group\":\"lost\"}");
}

/* What they do not see may hang: nobody waits for it. */
static void what_hangs_unseen_delays_nobody(void **state)
{
	(void)state;
	co = full_federation;
	set_mode(&fakes[4], HANGS);
	int64_t since = clock_ms(), contracts_ms = co->o.contracts_deadline_ms;
	co->o.search_deadline_ms = co->o.contracts_deadline_ms = 60000;
	assert_contains(ask_as(&guest, "group_sync", "{\"group\":\"all\"}"), "\"complete\":true");
	assert_contains(ask_as(&guest, "group_query", "{\"group\":\"all\",\"query\":\"users\"}"), "\"complete\":true");
	assert_contains(ask_as(&guest, "group_status", "{\"group\":\"all\"}"), "\"complete\":true");
	assert_contains(ask_as(&guest, "repo_graph", "{\"group\":\"all\",\"owners\":true}"), "\"complete\":true");
	if (clock_ms() - since > 40000)
		fail_msg("they took %lld ms", (long long)(clock_ms() - since));
	co->o.search_deadline_ms = SEARCH_MS;
	co->o.contracts_deadline_ms = contracts_ms;
	set_mode(&fakes[4], ANSWERS);
}

/* ---- news ---- */

/* A stream of a session that hears of these resources. */
static void listen_to(struct mcp_listener *e, const struct caller *c, const char *const *uris, size_t n)
{
	char session[64] = "";
	int64_t retry_ms;
	struct err err = { 0 };

	listener_open(e);
	mcp_request(c, "initialize",
	    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"0\"}}", session);
	assert_int_not_equal(session[0], 0);
	for (size_t i = 0; i < n; i++)
		mcp_request(c, "resources/subscribe", arena_printf(a, "{\"uri\":\"atoll://%s\"}", uris[i]), session);
	assert_int_equal(mcp_open_stream(co, c, session, NULL, &test_transport, e, &retry_ms, &err), 0);
}

static void wait_lines(struct mcp_listener *e, int n)
{
	for (int i = 0; i < 3000 && event_count(e) < n; i++)
		clock_sleep(20);
}

/* `n`: what was heard before, which is not looked at. */
static void must_hear_after(struct mcp_listener *e, size_t n, const char *text)
{
	for (int i = 0; i < 3000 && !strstr(received_text(e) + n, text); i++)
		clock_sleep(20);
	assert_contains(received_text(e) + n, text);
}

static void must_hear(struct mcp_listener *e, const char *text)
{
	must_hear_after(e, 0, text);
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

/* What makes the list of what there is another one is told once; twice by who looks in the midst of it. */
static void changes_list(struct mcp_listener *e, const char *tool, const char *args)
{
	int before = count(received_text(e), "list_changed");

	ask(tool, args);
	for (int i = 0; i < 3000 && count(received_text(e), "list_changed") == before; i++)
		clock_sleep(20);
	assert_in_range(count(received_text(e), "list_changed"), before + 1, before + 2);
}

/* All that may happen to hidden ones. */
static void much_happens_unseen(struct mcp_listener *ours, int round)
{
	int told = event_count(ours);

	ask("group_add", "{\"group\":\"leaving\",\"repos\":[\"svc9\"]}");
	set_index(&fakes[4], (uint64_t)(7 + round), 0, "/m6");
	wait_lines(ours, told + 1);
	ask("group_sync", "{\"group\":\"all\"}");
	told = event_count(ours);
	ask("group_create", "{\"group\":\"darker\",\"repos\":[\"svc8\"]}");
	ask("group_add", "{\"group\":\"all\",\"repos\":[\"svc9\"]}");
	ask("repo_visibility", arena_printf(a, "{\"repo\":\"" HIDDEN "\",\"visibility\":\"%s\"}", round % 2 ? "private" : "internal"));
	wait_lines(ours, told + 2);
	ask("group_remove", "{\"group\":\"all\",\"repos\":[\"svc9\"]}");
	ask("group_delete", "{\"group\":\"darker\"}");
	ask("group_remove", "{\"group\":\"leaving\",\"repos\":[\"svc9\"]}");
	clock_sleep(300);
	ask("group_sync", "{\"group\":\"leaving\"}");
	clock_sleep(400);
}

/* What happens unseen is not told; what happens in sight is, to all who see it. */
static void nobody_hears_of_what_is_hidden(void **state)
{
	static const char *const uris[] = { "groups", "group/all/status", "group/all/contracts", "group/dark/status",
	    "group/leaving/contracts", "repo/h.example%2Fshop%2Fsvc4/context",
		"repo/h.example%2Fshop%2Fsvc0/context" };
	enum { ROUNDS = 6 };
	struct mcp_listener guests, ours;
	int before;

	(void)state;
	co = full_federation;
	ask("group_create", "{\"group\":\"leaving\",\"repos\":[\"svc0\",\"svc9\"]}");
	ask("group_sync", "{\"group\":\"leaving\"}");
	listen_to(&guests, &guest, uris, LEN(uris));
	listen_to(&ours, &caller_local, uris, LEN(uris));
	clock_sleep(300);
	/* they may still hear of what went before, or that one in sight was not well for a moment */
	for (int round = 0; round < ROUNDS; round++) {
		before = event_count(&guests);
		much_happens_unseen(&ours, round);
		if (event_count(&guests) == before)
			break;
	}
	if (event_count(&guests) != before)
		fail_msg("told: %s", received_text(&guests));
	must_hear(&ours, "svc4/context");
	must_hear(&ours, "group/dark/status");
	must_hear(&ours, "list_changed");
	size_t until_now = strlen(received_text(&guests));
	set_index(&fakes[0], 8, 0, NULL);
	must_hear_after(&guests, until_now, "svc0/context");
	must_hear_after(&guests, until_now, "group/all/contracts");
	changes_list(&guests, "group_create", "{\"group\":\"bright\",\"repos\":[\"svc0\"]}");
	changes_list(&guests, "group_delete", "{\"group\":\"bright\"}");
	changes_list(&guests, "group_delete", "{\"group\":\"leaving\"}");
	changes_list(&guests, "repo_visibility", "{\"repo\":\"svc0\",\"visibility\":\"internal\"}");
	mcp_reader_gone(co->mcp, &guests);
	mcp_reader_gone(co->mcp, &ours);
	listener_close(&guests);
	listener_close(&ours);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_moves_unseen_moves_nothing),
		cmocka_unit_test(what_moves_in_sight_is_seen),
		cmocka_unit_test(nobody_hears_of_what_is_hidden),
		cmocka_unit_test(more_sets_than_are_kept),
		cmocka_unit_test(sets_at_once),
		cmocka_unit_test(who_leaves_unseen_leaves_no_trace),
		cmocka_unit_test(routing_counts_for_all),
		cmocka_unit_test(what_hangs_unseen_delays_nobody),
	};

	return cmocka_run_group_tests(tests, hidden_open, hidden_close);
}
