/* How shards come, are, and go: announcements, states, restarts of the coordinator. */
#include "proto/base/clock.h"
#include "proto/wire/wire.h"

/* What kin asks is answered before it goes on; the program's own kin.o is then not linked. */
static void ask_and_rest(struct wire_peer *p, const char *rpc, const struct record *rec, const void *request,
    const char *req, int timeout_ms, bool fail_fast, void (*done)(void *, struct wire_reply *), void *arg)
{
	wire_call_async(p, rpc, rec, request, req, timeout_ms, fail_fast, done, arg);
	clock_sleep(50);
}
#define wire_call_async ask_and_rest
#include "coordinator/members/replica_conflicts.c"
#undef wire_call_async

#include "tests/federation.h"

static void states_of_members(void **state)
{
	(void)state;
	const char *s = ask("group_status", "{\"group\":\"all\"}");
	assert_contains(s, "\"repo_uri\":\"h.example/shop/svc0\",\"name\":\"shop/svc0\",\"indexed_at\":\"2026-11-21T00:00:00Z\",\"graph_hash\":\"hash1\"");
	assert_contains(s, "\"files\":7,\"symbols\":70");
	assert_contains(s, "\"complete\":true");
}

static void a_new_index_says_when_its_numbers_are_not_known_yet(void **state)
{
	(void)state;
	assert_null(strstr(ask("list_repos", NULL), "\"phase\":\"count\""));
	set_mode(&fakes[3], NO_STATUS);
	set_index(&fakes[3], 2, 0, NULL);
	assert_true(is_listed("\"phase\":\"count\""));
	set_mode(&fakes[3], ANSWERS);
	is_no_longer_listed("\"phase\":\"count\"");
}

static void a_removed_repository_stays_away(void **state)
{
	(void)state;
	assert_string_equal(error_code(ask("repo_remove", "{\"repo\":\"svc10\"}")), "none");
	assert_string_equal(error_code(ask("query", "{\"query\":\"x\",\"repo\":\"svc10\"}")), "NOT_FOUND");
	assert_string_equal(get(ask("list_repos", NULL), "total"), "11");
	assert_string_equal(error_code(ask("repo_remove", "{}")), "INVALID_INPUT");
}

static void announcements(void **state)
{
	struct err e = { 0 };
	struct announce_res res;
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = "h.example/new/one", .name = "new/one",
		.source = "https://bob:secret@h.example/new/one", .replica = "x", .status = "pending" };

	(void)state;
	h.endpoint = arena_printf(a, "ipc://%s/nobody", dir);
	assert_string_equal(error_code(ask("repo_add", "{\"source\":\"https://bob:secret@h.example/new/one.git\",\"groups\":[\"fresh\"]}")),
	    "none");
	assert_int_equal(announce(&h, &res, &e), ERR_NONE);
	assert_int_equal(res.interval_ms, 5000);
	const char *s = ask("list_repos", "{\"group\":\"fresh\"}");
	assert_contains(s, "h.example/new/one");
	assert_contains(s, "\"health\":\"down\"");
	assert_null(strstr(ask("status", NULL), "secret"));
	assert_null(strstr(ask("source_list", NULL), "secret"));
	h.endpoint = "";
	assert_int_equal(announce(&h, &res, &e), ERR_INVALID_INPUT);
}

/* What a shard of that repository on another host is told; it is nowhere. */
static enum err_code announce_at(const char *repo_uri, const char *host, struct err *e)
{
	struct announce_res res;
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = repo_uri,
		.name = strchr(repo_uri, '/') + 1, .source = arena_printf(a, "https://%s", repo_uri),
		.replica = arena_printf(a, "%s-abcdef", host), .host = host,
		.endpoint = arena_printf(a, "ipc://%s/nobody-%s", dir, host), .status = "pending" };

	return announce(&h, &res, e);
}

static enum err_code announce_from(const char *host, struct err *e)
{
	return announce_at("h.example/shop/svc9", host, e);
}

static size_t shards_of_svc9(void)
{
	size_t n;

	members_shards(co->members, members_get(co->members, &caller_local, "h.example/shop/svc9"), &n, a);
	return n;
}

static void a_host_that_leaves_stays_away(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(announce_from("b", &e), ERR_NONE);
	assert_int_equal(announce_from("c", &e), ERR_NONE);
	assert_int_equal(shards_of_svc9(), 3);
	assert_string_equal(error_code(ask("repo_remove", "{\"repo\":\"svc9\",\"host\":\"d\"}")), "NOT_FOUND");
	assert_string_equal(error_code(ask("repo_remove", "{\"repo\":\"svc9\",\"host\":\"b\"}")), "none");
	assert_int_equal(shards_of_svc9(), 2);
	assert_int_equal(announce_from("b", &e), ERR_FORBIDDEN);
	assert_contains(e.msg, "was removed from the host b");
	assert_int_equal(announce_from("c", &e), ERR_NONE);
	assert_int_equal(shards_of_svc9(), 2);
	assert_string_equal(error_code(ask("query", "{\"query\":\"x\",\"repo\":\"svc9\"}")), "none");
	assert_string_equal(error_code(ask("repo_add", "{\"source\":\"https://h.example/shop/svc9.git\",\"host\":\"b\"}")), "none");
	assert_int_equal(announce_from("b", &e), ERR_NONE);
	assert_int_equal(shards_of_svc9(), 3);
	assert_string_equal(error_code(ask("repo_remove", "{\"repo\":\"svc9\",\"host\":\"b\"}")), "none");
	assert_string_equal(error_code(ask("repo_remove", "{\"repo\":\"svc9\",\"host\":\"c\"}")), "none");
}

/* A program of another time. */
static enum err_code announce_as(uint64_t lowest, uint64_t protocol, t_strs features, struct announce_res *res, struct err *e)
{
	struct hello h = { .protocol = protocol, .lowest = lowest, .features = features, .version = "9", .repo_uri = "h.example/other/time",
		.name = "other/time", .endpoint = arena_printf(a, "ipc://%s/nobody", dir), .replica = "x", .status = "pending" };

	return announce(&h, res, e);
}

static void older_and_newer_programs_side_by_side(void **state)
{
	static const char *later[] = { "telepathy", "knows" };
	struct announce_res res;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(announce_as(0, WIRE_VERSION, (t_strs){ 0 }, &res, &e), ERR_NONE);	/* from before there were features */
	assert_int_equal(res.protocol, WIRE_VERSION);
	assert_true(res.features.n > 0);
	assert_int_equal(announce_as(WIRE_VERSION, WIRE_VERSION + 2, (t_strs){ later, 2 }, &res, &e), ERR_NONE);
	assert_int_equal(res.protocol, WIRE_VERSION);
	assert_int_equal(announce_as(WIRE_VERSION + 1, WIRE_VERSION + 2, (t_strs){ 0 }, &res, &e), ERR_SCHEMA_MISMATCH);
	assert_contains(e.msg, "the shard speaks protocol 2 to 3, this program 1 to 1");
	assert_contains(e.hint, "Upgrade this program");
	assert_int_equal(announce_as(0, 0, (t_strs){ 0 }, &res, &e), ERR_SCHEMA_MISMATCH);
	assert_contains(e.hint, "Upgrade the shard");
	ask("repo_remove", "{\"repo\":\"other/time\"}");
}

static const char kin_uri[] = "h.example/kin/one";

/* A shard that serves the commit, and has the others that it is asked for or none. */
struct kin {
	const char *commit;
	bool has_others;
};

static void on_kin(void *ctx, struct wire_request *r)
{
	const struct kin *kin = ctx;
	const char *commit = kin->commit;
	const struct freshness stamp = { kin_uri, commit, 1, commit, "2026-11-21T00:00:00Z", 0, { 0 }, NULL };
	const struct health_res health = { .status = "ready", .commit = commit, .generation = 1 };
	struct knows_req q = { 0 };
	struct knows_res res = { 0 };
	struct err e = { 0 };

	if (!strcmp(r->rpc, "health"))
		wire_answer(r, &rec_health_res, &health, &stamp, NULL);
	else if (!strcmp(r->rpc, "knows") && !codec_get(&rec_knows_req, &q, r->body.p, r->body.n, r->a, NULL)) {
		if (kin->has_others)
			res.commits = q.commits;
		wire_answer(r, &rec_knows_res, &res, &stamp, NULL);
	} else
		wire_answer(r, NULL, NULL, NULL, (err_set(&e, ERR_NOT_FOUND, "nothing"), &e));
}

static int apart(void)
{
	const struct member *m = members_get(co->members, &caller_local, kin_uri);
	size_t n;
	const struct shard_view *v = members_shards(co->members, m, &n, a);

	return n == 2 ? v[0].apart + v[1].apart : -1;
}

static struct wire_server *join_kin(struct kin *kin)
{
	static const char *features[] = { "knows" };
	struct err e = { 0 };
	struct hello h = { .protocol = WIRE_VERSION, .features = { features, 1 }, .version = "0", .repo_uri = kin_uri, .name = "kin/one",
		.replica = kin->commit, .endpoint = arena_printf(a, "ipc://%s/kin-%s", dir, kin->commit), .status = "ready", .generation = 1 };
	struct wire_server *server = wire_listen(h.endpoint, &(struct wire_trust){ 0 }, 16, on_kin, kin, &e);

	assert_non_null(server);
	announce_successfully(&h);
	return server;
}

static void two_that_do_not_know_each_other(void **state)
{
	static struct kin kin[2] = { { "c0ffee", false }, { "decaf", false } };
	struct wire_server *servers[] = { join_kin(&kin[0]), join_kin(&kin[1]) };

	(void)state;
	for (int i = 0; i < 3000 && apart() != 1; i++)
		clock_sleep(20);
	assert_int_equal(apart(), 1);
	ask("repo_remove", "{\"repo\":\"kin/one\"}");
	for (int i = 0; i < 2; i++)
		wire_server_free(servers[i]);
}

/* How many of the shards are known to hold the same repository. */
static int consistent(void)
{
	int n = 0;

	pthread_mutex_lock(&co->members->lock);
	const struct member *m = map_get(co->members->by_uri, kin_uri);
	for (const struct replica *r = m ? m->state->replicas : NULL; r; r = r->next)
		n += r->consistency == REPLICA_CONSISTENT;
	pthread_mutex_unlock(&co->members->lock);
	return n;
}

/* One of them only lags, whichever was there first. */
static void one_that_has_the_commit_of_the_other(void **state)
{
	(void)state;
	for (int ahead = 0; ahead < 2; ahead++) {
		struct kin kin[2] = { { ahead ? "tea" : "mocha", !ahead }, { ahead ? "latte" : "milk", ahead } };
		struct wire_server *servers[2];
		struct err e = { 0 };
		assert_string_equal(error_code(ask("repo_add", "{\"source\":\"https://h.example/kin/one\"}")), "none");
		for (int k = 0; k < 2; k++) {
			servers[k] = join_kin(&kin[k]);
			for (int i = 0; i < 3000 && consistent() != k + 1; i++)
				clock_sleep(20);
			assert_int_equal(consistent(), k + 1);
		}
		assert_int_equal(apart(), 0);
		assert_int_equal(members_remove(co->members, members_get(co->members, &caller_local, kin_uri), &e), 0);
		for (int k = 0; k < 2; k++)
			wire_server_free(servers[k]);
	}
}

static const char gone_uri[] = "h.example/gone/one";

static bool is_there(const char *uri)
{
	return members_get(co->members, &caller_local, uri);
}

/* Later in everything_is_known_after_a_restart: what was removed is not. */
static void who_was_removed_stays_away(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(announce_at(gone_uri, "b", &e), ERR_NONE);
	assert_true(is_there(gone_uri));
	assert_string_equal(error_code(ask("repo_remove", "{\"repo\":\"gone/one\"}")), "none");
	assert_int_equal(announce_at(gone_uri, "b", &e), ERR_FORBIDDEN);
	assert_int_equal(announce_at(gone_uri, "c", &e), ERR_FORBIDDEN);
	assert_string_equal(e.msg, "gone/one was removed from this coordinator");
	assert_string_equal(e.hint, "`atoll repo add https://h.example/gone/one` admits it again.");
	assert_false(is_there(gone_uri));
}

static void who_is_added_again_comes_back(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(announce_at(gone_uri, "b", &e), ERR_FORBIDDEN);
	assert_false(is_there(gone_uri));
	assert_int_equal(announce_from("b", &e), ERR_FORBIDDEN);	/* since a_host_that_leaves_stays_away */
	assert_string_equal(e.hint, "`atoll repo add --host b https://h.example/shop/svc9` admits it again.");
	assert_int_equal(announce_from("d", &e), ERR_NONE);
	/* a host alone, of what is gone altogether; the others are back with it */
	assert_string_equal(error_code(ask("repo_add", "{\"source\":\"git@h.example:gone/one.git\",\"host\":\"b\"}")), "none");
	assert_int_equal(announce_at(gone_uri, "b", &e), ERR_NONE);
	assert_int_equal(announce_at(gone_uri, "c", &e), ERR_NONE);
	assert_true(is_there(gone_uri));
	assert_string_equal(error_code(ask("repo_add", "{\"source\":\"https://h.example/shop/svc9\",\"host\":\"c\"}")), "none");
	assert_int_equal(announce_from("b", &e), ERR_FORBIDDEN);
	assert_int_equal(announce_from("c", &e), ERR_NONE);
	assert_string_equal(error_code(ask("repo_add", "{\"source\":\"https://h.example/shop/svc9\",\"host\":\"b\"}")), "none");
	assert_int_equal(announce_from("b", &e), ERR_NONE);
	assert_string_equal(error_code(ask("repo_remove", "{\"repo\":\"gone/one\"}")), "none");
}

static void everything_is_known_after_a_restart(void **state)
{
	(void)state;
	const char *before = ask("group_contracts", "{\"group\":\"all\"}");
	coordinator_close(co);
	set_mode(&fakes[0], HANGS);
	open_coordinator();
	const char *s = ask("list_repos", "{\"group\":\"all\"}");
	assert_contains(s, "\"files\":7");
	assert_contains(s, "\"indexed_at\":\"2026-11-21T00:00:00Z\"");
	assert_string_equal(get(ask("group_contracts", "{\"group\":\"all\"}"), "contracts"), get(before, "contracts"));
	set_mode(&fakes[0], ANSWERS);
	for (int i = 0; i < 5; i++)
		wait_health(fakes[i].uri, "healthy");
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
		cmocka_unit_test(a_new_index_says_when_its_numbers_are_not_known_yet),
		cmocka_unit_test(a_removed_repository_stays_away),
		cmocka_unit_test(announcements),
		cmocka_unit_test(a_host_that_leaves_stays_away),
		cmocka_unit_test(older_and_newer_programs_side_by_side),
		cmocka_unit_test(two_that_do_not_know_each_other),
		cmocka_unit_test(one_that_has_the_commit_of_the_other),
		cmocka_unit_test(who_was_removed_stays_away),
		cmocka_unit_test(everything_is_known_after_a_restart),
		cmocka_unit_test(who_is_added_again_comes_back),
		cmocka_unit_test(one_coordinator_per_directory),
	};

	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
