/* How shards come, are, and go: announcements, states, restarts of the coordinator. */
#include "tests/federation.h"

static void states_of_members(void **state)
{
	(void)state;
	const char *s = ask("group_status", "{\"group\":\"all\"}");
	holds(s, "\"repo_uri\":\"h.example/shop/svc0\",\"name\":\"shop/svc0\",\"indexed_at\":\"2026-11-21T00:00:00Z\",\"graph_hash\":\"hash\"");
	holds(s, "\"files\":7,\"symbols\":70");
	holds(s, "\"complete\":true");
}

static void a_removed_repository_stays_away(void **state)
{
	(void)state;
	assert_string_equal(code(ask("repo_remove", "{\"repo\":\"svc10\"}")), "none");
	assert_string_equal(code(ask("query", "{\"query\":\"x\",\"repo\":\"svc10\"}")), "NOT_FOUND");
	assert_string_equal(get(ask("list_repos", NULL), "total"), "11");
	assert_string_equal(code(ask("repo_remove", "{}")), "INVALID_INPUT");
}

static void announcements(void **state)
{
	struct err e = { 0 };
	struct announce_res res;
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = "h.example/new/one", .name = "new/one",
		.source = "https://bob:secret@h.example/new/one", .replica = "x", .status = "pending" };

	(void)state;
	h.endpoint = arena_printf(a, "ipc://%s/nobody", dir);
	assert_string_equal(code(ask("repo_add", "{\"source\":\"https://bob:secret@h.example/new/one.git\",\"groups\":[\"fresh\"]}")),
	    "none");
	struct wire_peer *p = wire_dial(co->membership_url, &(struct wire_trust){ 0 }, &e);
	assert_non_null(p);
	assert_int_equal(wire_call(p, "announce", &rec_hello, &h, "", 5000, &rec_announce_res, &res, NULL, a, &e), 0);
	assert_int_equal(res.interval_ms, 5000);
	const char *s = ask("list_repos", "{\"group\":\"fresh\"}");
	holds(s, "h.example/new/one");
	holds(s, "\"health\":\"down\"");
	assert_null(strstr(ask("status", NULL), "secret"));
	assert_null(strstr(ask("source_list", NULL), "secret"));
	h.endpoint = "";
	assert_int_equal(wire_call(p, "announce", &rec_hello, &h, "", 5000, &rec_announce_res, &res, NULL, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	wire_peer_free(p);
}

static void everything_is_known_after_a_restart(void **state)
{
	(void)state;
	const char *before = ask("group_contracts", "{\"group\":\"all\"}");
	coordinator_close(co);
	set_mode(&fakes[0], HANGS);
	open_coordinator();
	const char *s = ask("list_repos", "{\"group\":\"all\"}");
	holds(s, "\"files\":7");
	holds(s, "\"indexed_at\":\"2026-11-21T00:00:00Z\"");
	assert_string_equal(get(ask("group_contracts", "{\"group\":\"all\"}"), "contracts"), get(before, "contracts"));
	set_mode(&fakes[0], ANSWERS);
	wait_health("h.example/shop/svc0", "healthy");
	assert_string_equal(get(ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}"), "complete"), "true");
}

static void one_coordinator_per_directory(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_null(coordinator_open(&co->o, &e));
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_non_null(strstr(e.msg, "another coordinator runs"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_of_members),
		cmocka_unit_test(a_removed_repository_stays_away),
		cmocka_unit_test(announcements),
		cmocka_unit_test(everything_is_known_after_a_restart),
		cmocka_unit_test(one_coordinator_per_directory),
	};

	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
