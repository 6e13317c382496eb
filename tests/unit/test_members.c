/* How shards come, are, and go: announcements, states, restarts of the coordinator. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "proto/base/clock.h"
#include "proto/wire.h"

/* What kin asks is answered before it goes on; the program's own kin.o is then not linked. */
static void ask_and_rest(struct wire_peer *p, const char *rpc, const struct record *rec, const void *request, const char *req, int timeout_ms,
    bool fail_fast, void (*done)(void *, struct wire_reply *), void *arg)
{
	wire_ask(p, rpc, rec, request, req, timeout_ms, fail_fast, done, arg);
	clock_sleep(50);
}
#define wire_ask ask_and_rest
#include "coordinator/kin.c"
#undef wire_ask

#include "coordinator/alive.h"
#include "coordinator/liveness.h"
#include "tests/federation.h"

static void states_of_members(void **state)
{
	(void)state;
	const char *s = ask("group_status", "{\"group\":\"all\"}");
	holds(s, "\"repo_uri\":\"h.example/shop/svc0\",\"name\":\"shop/svc0\",\"indexed_at\":\"2026-11-21T00:00:00Z\",\"graph_hash\":\"hash1\"");
	holds(s, "\"files\":7,\"symbols\":70");
	holds(s, "\"complete\":true");
}

static bool is_listed(const char *text)
{
	for (int i = 0; i < 400; i++) {
		if (strstr(ask("list_repos", NULL), text))
			return true;
		clock_sleep(20);
	}
	return false;
}

static void a_new_index_says_when_its_numbers_are_not_known_yet(void **state)
{
	(void)state;
	assert_null(strstr(ask("list_repos", NULL), "\"phase\":\"count\""));
	set_mode(&fakes[3], UNCOUNTED);
	set_index(&fakes[3], 2, 0, NULL);
	assert_true(is_listed("\"phase\":\"count\""));
	set_mode(&fakes[3], ANSWERS);
	for (int i = 0; i < 400 && strstr(ask("list_repos", NULL), "\"phase\":\"count\""); i++)
		clock_sleep(20);
	assert_null(strstr(ask("list_repos", NULL), "\"phase\":\"count\""));
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

static void say_hello(const struct hello *h)
{
	struct err e = { 0 };
	struct announce_res res;
	struct wire_peer *p = wire_dial(co->membership_url, &(struct wire_trust){ 0 }, &e);

	assert_non_null(p);
	assert_int_equal(wire_call(p, "announce", &rec_hello, h, "", 5000, &rec_announce_res, &res, NULL, a, &e), 0);
	wire_peer_free(p);
}

/* What a shard of svc9 on another host is told; it is nowhere. */
static enum err_code announce_from(const char *host, struct err *e)
{
	struct announce_res res;
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = "h.example/shop/svc9", .name = "shop/svc9", .source = "https://h.example/shop/svc9",
		.replica = arena_printf(a, "%s-abcdef", host), .host = host, .endpoint = arena_printf(a, "ipc://%s/nobody-%s", dir, host), .status = "pending" };
	struct wire_peer *p = wire_dial(co->membership_url, &(struct wire_trust){ 0 }, e);

	assert_non_null(p);
	*e = (struct err){ 0 };
	wire_call(p, "announce", &rec_hello, &h, "", 5000, &rec_announce_res, &res, NULL, a, e);
	wire_peer_free(p);
	return e->code;
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
	assert_string_equal(code(ask("repo_remove", "{\"repo\":\"svc9\",\"host\":\"d\"}")), "NOT_FOUND");
	assert_string_equal(code(ask("repo_remove", "{\"repo\":\"svc9\",\"host\":\"b\"}")), "none");
	assert_int_equal(shards_of_svc9(), 2);
	assert_int_equal(announce_from("b", &e), ERR_FORBIDDEN);
	holds(e.msg, "was taken from the host b");
	assert_int_equal(announce_from("c", &e), ERR_NONE);
	assert_int_equal(shards_of_svc9(), 2);
	assert_string_equal(code(ask("query", "{\"query\":\"x\",\"repo\":\"svc9\"}")), "none");
	assert_string_equal(code(ask("repo_add", "{\"source\":\"https://h.example/shop/svc9.git\",\"host\":\"b\"}")), "none");
	assert_int_equal(announce_from("b", &e), ERR_NONE);
	assert_int_equal(shards_of_svc9(), 3);
	assert_string_equal(code(ask("repo_remove", "{\"repo\":\"svc9\",\"host\":\"b\"}")), "none");
	assert_string_equal(code(ask("repo_remove", "{\"repo\":\"svc9\",\"host\":\"c\"}")), "none");
}

/* A program of another time: what becomes of its announcement; `res` when it is taken. */
static enum err_code announce_as(uint64_t lowest, uint64_t protocol, t_strs features, struct announce_res *res, struct err *e)
{
	struct hello h = { .protocol = protocol, .lowest = lowest, .features = features, .version = "9", .repo_uri = "h.example/other/time",
		.name = "other/time", .endpoint = arena_printf(a, "ipc://%s/nobody", dir), .replica = "x", .status = "pending" };
	struct wire_peer *p = wire_dial(co->membership_url, &(struct wire_trust){ 0 }, e);

	*e = (struct err){ 0 };
	assert_non_null(p);
	wire_call(p, "announce", &rec_hello, &h, "", 5000, &rec_announce_res, res, NULL, a, e);
	wire_peer_free(p);
	return e->code;
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
	holds(e.msg, "the shard speaks protocol 2 to 3, this program 1 to 1");
	holds(e.hint, "Upgrade this one");
	assert_int_equal(announce_as(0, 0, (t_strs){ 0 }, &res, &e), ERR_SCHEMA_MISMATCH);
	holds(e.hint, "Upgrade the shard");
	ask("repo_remove", "{\"repo\":\"other/time\"}");
}

static const char kin_uri[] = "h.example/kin/one";

/* A shard that serves the commit `ctx`, and has no other. */
static void on_kin(void *ctx, struct wire_request *r)
{
	const char *commit = ctx;
	const struct freshness stamp = { kin_uri, commit, 1, commit, "2026-11-21T00:00:00Z", 0 };
	const struct health_res health = { .status = "ready", .commit = commit, .generation = 1 };
	const struct knows_res none = { 0 };
	struct err e = { 0 };

	if (!strcmp(r->rpc, "health"))
		wire_answer(r, &rec_health_res, &health, &stamp, NULL);
	else if (!strcmp(r->rpc, "knows"))
		wire_answer(r, &rec_knows_res, &none, &stamp, NULL);
	else
		wire_answer(r, NULL, NULL, NULL, (err_set(&e, ERR_NOT_FOUND, "nothing"), &e));
}

static int apart(void)
{
	const struct member *m = members_get(co->members, &caller_local, kin_uri);
	size_t n;
	const struct shard_view *v = members_shards(co->members, m, &n, a);

	return n == 2 ? v[0].apart + v[1].apart : -1;
}

static void two_that_do_not_know_each_other(void **state)
{
	static char commits[2][8] = { "c0ffee", "decaf" };
	static const char *features[] = { "knows" };
	struct wire_server *servers[2];
	struct err e = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct hello h = { .protocol = WIRE_VERSION, .features = { features, 1 }, .version = "0", .repo_uri = kin_uri, .name = "kin/one",
			.replica = commits[i], .endpoint = arena_printf(a, "ipc://%s/kin%d", dir, i), .status = "ready", .generation = 1 };
		servers[i] = wire_listen(h.endpoint, &(struct wire_trust){ 0 }, 16, on_kin, commits[i], &e);
		assert_non_null(servers[i]);
		say_hello(&h);
	}
	for (int i = 0; i < 400 && apart() != 1; i++)
		clock_sleep(20);
	assert_int_equal(apart(), 1);
	ask("repo_remove", "{\"repo\":\"kin/one\"}");
	for (int i = 0; i < 2; i++)
		wire_server_free(servers[i]);
}

/* A shard's end that shakes hands (as REP of nng) and never answers. */
static int shake_hands(int listener)
{
	int s = accept(listener, NULL, NULL);
	char theirs[8];

	assert_int_equal(write(s, "\0SP\0\0\x31\0\0", 8), 8);
	assert_int_equal(recv(s, theirs, sizeof theirs, MSG_WAITALL), 8);
	return s;
}

static void an_announcement_replaces_a_mute_connection(void **state)
{
	static struct fake late = { .id = 12, .generation = 1, .uri = "h.example/late/one", .name = "late/one" };
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct err e = { 0 };
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	late.url = arena_printf(a, "ipc://%s/late", dir);
	snprintf(at.sun_path, sizeof at.sun_path, "%s/late", dir);
	assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 8), 0);
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = late.uri, .name = late.name,
		.endpoint = late.url, .replica = "x", .status = "pending" };
	say_hello(&h);
	int mute = shake_hands(listener);
	for (int i = 0; i < 400 && !strstr(ask("list_repos", NULL), "no answer by the deadline"); i++)
		clock_sleep(50);
	holds(ask("list_repos", NULL), "no answer by the deadline");
	close(listener);
	unlink(at.sun_path);
	pthread_mutex_init(&late.lock, NULL);
	late.server = wire_listen(late.url, &(struct wire_trust){ 0 }, 16, on_request, &late, &e);
	assert_non_null(late.server);
	int64_t start = clock_ms();
	for (int i = 0; i < 12; i++) {
		say_hello(&h);	/* as a shard does, from time to time */
		clock_sleep(250);
	}
	wait_health(late.uri, "healthy");
	assert_true(clock_ms() - start < 30000);	/* not when it has been down for a minute */
	ask("repo_remove", "{\"repo\":\"late/one\"}");
	close(mute);
	wire_server_free(late.server);
}

/* A shard that was started again is there once it has said so: what is asked then waits for its connection, not for a probe. */
static void who_is_back_is_asked_at_once(void **state)
{
	struct fake *f = &fakes[8];
	struct err e = { 0 };
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = f->uri, .name = f->name, .endpoint = f->url,
		.replica = "r", .status = "ready" };

	(void)state;
	wire_server_free(f->server);
	wait_health(f->uri, "down");
	assert_string_equal(code(ask("query", "{\"query\":\"users\",\"repo\":\"svc8\"}")), "UNAVAILABLE");
	set_mode(f, UNPROBED);
	f->server = wire_listen(f->url, &(struct wire_trust){ 0 }, 16, on_request, f, &e);
	assert_non_null(f->server);
	say_hello(&h);
	assert_string_equal(code(ask("query", "{\"query\":\"users\",\"repo\":\"svc8\"}")), "none");
	set_mode(f, ANSWERS);
	wait_health(f->uri, "healthy");
}

static int healths(struct fake *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->healths;
	pthread_mutex_unlock(&f->lock);
	return n;
}

static void probe_every(int64_t ms)
{
	pthread_mutex_lock(&co->members->lock);
	co->o.probe_interval_ms = ms;
	pthread_mutex_unlock(&co->members->lock);
}

/* Of a thousand each announces itself seldom: it is not back because nothing was heard of it for a while. */
static void who_is_removed_is_refused_until_it_has_heard(void **state)
{
	struct err e = { 0 };
	struct announce_res res;
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = "h.example/seldom/one", .name = "seldom/one", .replica = "x", .status = "pending" };
	int64_t usual = co->o.probe_interval_ms;

	(void)state;
	h.endpoint = arena_printf(a, "ipc://%s/nobody", dir);
	probe_every(20000);
	for (int i = 0; i < 500 && members_interval(co->members) != 20000; i++)
		clock_sleep(10);
	struct wire_peer *p = wire_dial(co->membership_url, &(struct wire_trust){ 0 }, &e);
	assert_int_equal(wire_call(p, "announce", &rec_hello, &h, "", 5000, &rec_announce_res, &res, NULL, a, &e), 0);
	assert_int_equal(res.interval_ms, 125000);
	assert_string_equal(code(ask("repo_remove", "{\"repo\":\"seldom/one\"}")), "none");
	pthread_mutex_lock(&co->members->lock);
	const struct member *m = map_get(co->members->by_uri, h.repo_uri);
	int64_t left = m->own->refused_until - clock_ms();
	pthread_mutex_unlock(&co->members->lock);
	assert_true(left > (int64_t)res.interval_ms);
	probe_every(usual);
	wire_peer_free(p);
}

/* As many are when all are met at once: the next probe, a while later, would be the first to say otherwise. */
static void who_is_slow_once_is_healthy(void **state)
{
	static struct fake busy = { .id = 13, .generation = 1, .uri = "h.example/busy/one", .name = "busy/one" };
	struct err e = { 0 };
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = busy.uri, .name = busy.name, .replica = "x", .status = "ready" };
	int64_t usual = co->o.probe_interval_ms;

	(void)state;
	h.endpoint = busy.url = arena_printf(a, "ipc://%s/busy", dir);
	pthread_mutex_init(&busy.lock, NULL);
	busy.server = wire_listen(busy.url, &(struct wire_trust){ 0 }, 16, on_request, &busy, &e);
	assert_non_null(busy.server);
	probe_every(1000);
	clock_sleep(150);
	say_hello(&h);
	wait_health(busy.uri, "healthy");
	set_mode(&busy, SLOW);
	for (int n = healths(&busy), i = 0; i < 1000 && healths(&busy) == n; i++)
		clock_sleep(10);
	set_mode(&busy, ANSWERS);
	for (int i = 0; i < 10; i++, clock_sleep(20))
		assert_null(strstr(ask("list_repos", NULL), "to say that it is there"));
	probe_every(usual);
	ask("repo_remove", "{\"repo\":\"busy/one\"}");
	clock_sleep(50);
	wire_server_free(busy.server);
}

/* Its probes are answered, its searches are not: after a few nobody waits for these any more, and one tries now and then. */
static void who_answers_no_requests_is_given_a_rest(void **state)
{
	static const char query[] = "{\"query\":\"users\",\"repo\":\"svc7\"}";
	struct fake *f = &fakes[7];
	int64_t began;

	(void)state;
	set_mode(f, STALLS);
	for (int i = 0; i < LIVENESS_MISSES; i++)
		assert_string_equal(code(ask("query", query)), "UNAVAILABLE");
	began = clock_ms();
	const char *s = ask("query", query);
	assert_true(clock_ms() - began < SEARCH_MS);
	holds(s, "requests in a row were not answered");
	assert_true(is_listed("requests in a row were not answered"));
	holds(ask("list_repos", "{\"repo\":\"svc7\"}"), "\"health\":\"degraded\"");
	holds(ask("list_repos", "{\"repo\":\"svc7\"}"), "\"since\":\"20");
	set_mode(f, ANSWERS);
	while (strcmp(code(ask("query", query)), "none") && clock_ms() < began + 20000)
		clock_sleep(50);
	assert_string_equal(code(ask("query", query)), "none");
	assert_true(clock_ms() >= began + LIVENESS_REST_MS / 2);
	wait_health(f->uri, "healthy");
}

/* Connections are taken by the kernel, for a server that hangs too. */
static void a_server_that_takes_connections_alone_is_not_alive(void **state)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	assert_true(alive_now(co));		/* this one serves no HTTP */
	assert_int_equal(bind(listener, (struct sockaddr *)&at, len) || listen(listener, 8) ||
	    getsockname(listener, (struct sockaddr *)&at, &len), 0);
	snprintf(co->http_url, sizeof co->http_url, "http://127.0.0.1:%d", ntohs(at.sin_port));
	assert_false(alive_now(co));
	close(listener);
	assert_true(!alive_now(co));		/* nobody listens */
	*co->http_url = 0;
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
		cmocka_unit_test(a_new_index_says_when_its_numbers_are_not_known_yet),
		cmocka_unit_test(a_removed_repository_stays_away),
		cmocka_unit_test(announcements),
		cmocka_unit_test(a_host_that_leaves_stays_away),
		cmocka_unit_test(older_and_newer_programs_side_by_side),
		cmocka_unit_test(two_that_do_not_know_each_other),
		cmocka_unit_test(an_announcement_replaces_a_mute_connection),
		cmocka_unit_test(who_is_back_is_asked_at_once),
		cmocka_unit_test(who_is_slow_once_is_healthy),
		cmocka_unit_test(who_is_removed_is_refused_until_it_has_heard),
		cmocka_unit_test(who_answers_no_requests_is_given_a_rest),
		cmocka_unit_test(a_server_that_takes_connections_alone_is_not_alive),
		cmocka_unit_test(everything_is_known_after_a_restart),
		cmocka_unit_test(one_coordinator_per_directory),
	};

	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
