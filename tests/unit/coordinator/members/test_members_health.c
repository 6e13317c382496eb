/* Whether shards are well, and when they are asked again: connections that are mute, restarts, moves, what is answered late or never. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Who is forgotten after the registry was read, and before that is followed; the program's own following.o is then not linked. */
#include "coordinator/registry/registry.h"
#include "proto/base/err.h"
static void (*meanwhile)(void);
static int read_and_wait(struct registry *r, struct registered_repo **v, size_t *n, struct arena *a, struct err *e);
#define registry_repos read_and_wait
#include "coordinator/members/registry_updates.c"
#undef registry_repos

#include "coordinator/members/liveness.h"
#include "coordinator/members/members_internal.h"
#include "coordinator/members/term_statistics.h"
#include "coordinator/registry/shared_tables.h"
#include "coordinator/watchdog.h"
#include "proto/base/clock.h"
#include "proto/base/map.h"
#include "proto/text/question.h"
#include "proto/wire/wire.h"
#include "tests/federation.h"

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
	static struct fake_shard late = { .id = 12, .generation = 1, .uri = "h.example/late/one", .name = "late/one" };
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct err e = { 0 };
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	late.url = arena_printf(a, "ipc://%s/late", dir);
	snprintf(at.sun_path, sizeof at.sun_path, "%s/late", dir);
	assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 8), 0);
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = late.uri, .name = late.name,
		.endpoint = late.url, .replica = "x", .status = "pending" };
	announce_successfully(&h);
	int mute = shake_hands(listener);
	for (int i = 0; i < 3000 && !strstr(ask("list_repos", NULL), "no answer by the deadline"); i++)
		clock_sleep(50);
	assert_contains(ask("list_repos", NULL), "no answer by the deadline");
	close(listener);
	unlink(at.sun_path);
	pthread_mutex_init(&late.lock, NULL);
	late.server = wire_listen(late.url, &(struct wire_trust){ 0 }, 16, on_request, &late, &e);
	assert_non_null(late.server);
	int64_t start = clock_ms();
	for (int i = 0; i < 12; i++) {
		announce_successfully(&h);	/* as a shard does, from time to time */
		clock_sleep(250);
	}
	wait_health(late.uri, "healthy");
	assert_true(clock_ms() - start < 50000);	/* not when it has been down for a minute */
	ask("repo_remove", "{\"repo\":\"late/one\"}");
	close(mute);
	wire_server_free(late.server);
}

/* A shard that was started again is there once it has said so: what is asked then waits for its connection, not for a probe. */
static void who_is_back_is_asked_at_once(void **state)
{
	struct fake_shard *f = &fakes[8];
	struct err e = { 0 };
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = f->uri, .name = f->name, .endpoint = f->url,
		.replica = "r", .status = "ready" };

	(void)state;
	wire_server_free(f->server);
	wait_health(f->uri, "down");
	assert_string_equal(error_code(ask("query", "{\"query\":\"users\",\"repo\":\"svc8\"}")), "UNAVAILABLE");
	set_mode(f, NO_HEALTH);
	f->server = wire_listen(f->url, &(struct wire_trust){ 0 }, 16, on_request, f, &e);
	assert_non_null(f->server);
	announce_successfully(&h);
	assert_string_equal(error_code(ask("query", "{\"query\":\"users\",\"repo\":\"svc8\"}")), "none");
	set_mode(f, ANSWERS);
	wait_health(f->uri, "healthy");
}

static int healths(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->healths;
	pthread_mutex_unlock(&f->lock);
	return n;
}

static int sketches(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->sketches;
	pthread_mutex_unlock(&f->lock);
	return n;
}

static void probe_every(int64_t ms)
{
	pthread_mutex_lock(&co->members->lock);
	co->o.probe_interval_ms = ms;
	pthread_mutex_unlock(&co->members->lock);
}

/* What another coordinator has heard, and this one from the registry alone. */
static void follow_it(const struct fake_shard *f)
{
	struct hello h = { .repo_uri = f->uri, .name = f->name, .replica = "followed", .endpoint = f->url, .version = "0" };
	struct err e = { 0 };

	assert_int_equal(registry_repo_put(co->registry, &h, false, &e), 0);
	members_changed(co->members, &(struct shared_changes){ 0 });
}

/* That long it is down. */
static void passes(const char *uri, int64_t ms)
{
	bool down = false;

	for (int i = 0; i < 3000 && !down; i++, clock_sleep(10)) {
		pthread_mutex_lock(&co->members->lock);
		struct replica *r = ((struct member *)map_get(co->members->by_uri, uri))->state->replicas;
		if ((down = r->health == DOWN)) {
			r->down_since -= ms;
			r->dialled -= ms;
		}
		pthread_mutex_unlock(&co->members->lock);
	}
	assert_true(down);
}

static bool rests(const char *uri)
{
	pthread_mutex_lock(&co->members->lock);
	bool rests = !((struct member *)map_get(co->members->by_uri, uri))->state->replicas->peer;
	pthread_mutex_unlock(&co->members->lock);
	return rests;
}

static void registry_is(const char *url)
{
	pthread_mutex_lock(&co->members->lock);
	co->o.registry = url;
	pthread_mutex_unlock(&co->members->lock);
}

static int read_and_wait(struct registry *r, struct registered_repo **v, size_t *n, struct arena *arena, struct err *e)
{
	int rc = registry_repos(r, v, n, arena, e);
	void (*now)(void) = meanwhile;

	meanwhile = NULL;
	if (now)
		now();
	return rc;
}

static void forget_it(void)
{
	ask("repo_remove", "{\"repo\":\"brief/one\"}");
}

static void who_is_forgotten_is_not_followed(void **state)
{
	const struct fake_shard f = { .uri = "h.example/brief/one", .name = "brief/one", .url = arena_printf(a, "ipc://%s/brief", dir) };

	(void)state;
	follow_it(&f);
	assert_non_null(members_get(co->members, &caller_local, f.uri));
	meanwhile = forget_it;
	members_changed(co->members, &(struct shared_changes){ 0 });
	assert_null(members_get(co->members, &caller_local, f.uri));
}

/* It announces itself to the other coordinator when it is back, however long it was away. */
static void who_is_followed_comes_back(void **state)
{
	static struct fake_shard far = { .id = 14, .generation = 1, .uri = "h.example/far/one", .name = "far/one" };
	struct err e = { 0 };

	(void)state;
	far.url = arena_printf(a, "ipc://%s/far", dir);
	pthread_mutex_init(&far.lock, NULL);
	far.server = wire_listen(far.url, &(struct wire_trust){ 0 }, 16, on_request, &far, &e);
	follow_it(&far);
	wait_health(far.uri, "healthy");
	assert_int_equal(sketches(&far), 0);
	wire_server_free(far.server);
	wait_health(far.uri, "down");
	passes(far.uri, 61000);
	for (int i = 0; i < 3000 && !rests(far.uri); i++)
		clock_sleep(10);
	assert_true(rests(far.uri));
	far.server = wire_listen(far.url, &(struct wire_trust){ 0 }, 16, on_request, &far, &e);
	registry_is("etcd://127.0.0.1:1/shared");
	passes(far.uri, 16000);
	wait_health(far.uri, "healthy");
	registry_is("");
	ask("repo_remove", "{\"repo\":\"far/one\"}");
	clock_sleep(50);
	wire_server_free(far.server);
}

static void a_shard_that_moves_is_one(void **state)
{
	static struct fake_shard moved = { .id = 15, .generation = 1, .uri = "h.example/moved/one", .name = "moved/one" };
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = moved.uri, .name = moved.name, .replica = "x", .status = "ready" };
	struct err e = { 0 };
	size_t n;

	(void)state;
	h.endpoint = arena_printf(a, "ipc://%s/nobody", dir);
	announce_successfully(&h);
	wait_health(moved.uri, "down");
	h.endpoint = moved.url = arena_printf(a, "ipc://%s/moved", dir);
	pthread_mutex_init(&moved.lock, NULL);
	moved.server = wire_listen(moved.url, &(struct wire_trust){ 0 }, 16, on_request, &moved, &e);
	announce_successfully(&h);
	wait_health(moved.uri, "healthy");
	members_shards(co->members, members_get(co->members, &caller_local, moved.uri), &n, a);
	assert_int_equal(n, 1);
	ask("repo_remove", "{\"repo\":\"moved/one\"}");
	clock_sleep(50);
	wire_server_free(moved.server);
}

/* A shard that the test plays, at an address of its own. */
static void play(struct fake_shard *f, const char *replica)
{
	struct err e = { 0 };
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = f->uri, .name = f->name, .replica = replica, .status = "ready" };

	h.endpoint = f->url = arena_printf(a, "ipc://%s/%s", dir, replica);
	pthread_mutex_init(&f->lock, NULL);
	f->server = wire_listen(f->url, &(struct wire_trust){ 0 }, 16, on_request, f, &e);
	assert_non_null(f->server);
	announce_successfully(&h);
}

/* Its repository is forgotten, if it was not yet. */
static void play_end(struct fake_shard *f)
{
	ask("repo_remove", arena_printf(a, "{\"repo_uri\":\"%s\"}", f->uri));
	set_mode(f, ANSWERS);
	wire_server_free(f->server);
}

static struct replica *replicas(const char *uri)
{
	return ((struct member *)map_get(co->members->by_uri, uri))->state->replicas;
}

/* All of them are replicas, and nobody asks them any more. */
static bool settle_down(const char *uri)
{
	bool settled = true;

	pthread_mutex_lock(&co->members->lock);
	for (struct replica *r = replicas(uri); r; r = r->next) {
		bool is = r->answered && !r->probing && r->consistency == REPLICA_CONSISTENT && r->health == HEALTHY;
		if (is)
			r->next_probe = clock_ms() + 600000;
		settled &= is;
	}
	pthread_mutex_unlock(&co->members->lock);
	return settled;
}

static void leave_alone(const char *uri)
{
	pthread_mutex_lock(&co->members->lock);
	replicas(uri)->next_probe = clock_ms() + 600000;
	pthread_mutex_unlock(&co->members->lock);
}

static void first_is(const char *uri, enum health h)
{
	pthread_mutex_lock(&co->members->lock);
	replicas(uri)->health = h;
	pthread_mutex_unlock(&co->members->lock);
}

static struct member_view *view_of(const char *uri)
{
	struct member_view *v = arena_one(a, struct member_view);

	members_view(co->members, members_get(co->members, &caller_local, uri), v, a);
	return v;
}

/* Who speaks for a repository may be another one from one moment to the next; what the one before said is then not shown as its own. */
static void what_is_shown_was_said_by_who_speaks(void **state)
{
	static struct fake_shard all = { .id = 16, .generation = 5, .vectors = "complete", .uri = "h.example/two/one", .name = "two/one" };
	static struct fake_shard none = { .id = 17, .generation = 1, .vectors = "building", .uri = "h.example/two/one", .name = "two/one" };

	(void)state;
	play(&all, "all");
	play(&none, "none");
	for (int i = 0; i < 2000 && !settle_down(all.uri); i++)
		clock_sleep(10);
	assert_true(settle_down(all.uri));
	assert_string_equal(view_of(all.uri)->vectors, "complete");
	first_is(all.uri, DOWN);
	assert_string_equal(view_of(all.uri)->vectors, "building");
	assert_int_equal(view_of(all.uri)->generation, 1);
	assert_string_equal(view_of(all.uri)->stamp->graph_hash, "hash1");
	assert_false(view_of(all.uri)->counted);
	first_is(all.uri, HEALTHY);
	assert_string_equal(view_of(all.uri)->vectors, "complete");
	assert_int_equal(view_of(all.uri)->generation, 5);
	play_end(&all);
	play_end(&none);
}

/* After the next probe that is answered. */
static void wait_probe(struct fake_shard *f)
{
	int n = healths(f) + 2;		/* one may be on its way */

	for (int i = 0; i < 2000 && healths(f) < n; i++)
		clock_sleep(10);
	assert_true(healths(f) >= n);
}

static void what_is_counted_hides_nothing(void **state)
{
	static struct fake_shard f = { .id = 18, .generation = 1, .vectors = "building", .uri = "h.example/slow/counts", .name = "slow/counts" };

	(void)state;
	set_mode_of_next(&f, NO_STATUS);
	play(&f, "counts");
	wait_health(f.uri, "healthy");
	for (int i = 0; i < 2000 && !view_of(f.uri)->counting; i++)	/* who did not answer in time is asked again by the next probe */
		clock_sleep(10);
	assert_true(view_of(f.uri)->counting);
	assert_string_equal(view_of(f.uri)->vectors, "building");
	pthread_mutex_lock(&f.lock);
	f.vectors = "complete";
	pthread_mutex_unlock(&f.lock);
	wait_probe(&f);
	assert_string_equal(view_of(f.uri)->vectors, "complete");
	play_end(&f);
}

static bool is_asked(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	bool asked = f->nhung;
	pthread_mutex_unlock(&f->lock);
	return asked;
}

/* The answer under way may be from before the news; the next probe of many shards is 20 s away. */
static void news_are_not_lost_while_it_is_asked(void **state)
{
	static struct fake_shard f = { .id = 20, .generation = 1, .uri = "h.example/news/one", .name = "news/one" };
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = f.uri, .name = f.name, .replica = "news",
		.status = "ready", .generation = 2 };

	(void)state;
	play(&f, "news");
	wait_health(f.uri, "healthy");
	set_mode_of_next(&f, NO_HEALTH);
	for (int i = 0; i < 2000 && !is_asked(&f); i++)
		clock_sleep(10);
	leave_alone(f.uri);
	set_index(&f, 2, 0, NULL);
	h.endpoint = f.url;
	announce_successfully(&h);
	set_mode(&f, ANSWERS);
	for (int i = 0; i < 2000 && view_of(f.uri)->stamp->generation != 2; i++)
		clock_sleep(10);
	assert_int_equal(view_of(f.uri)->stamp->generation, 2);
	play_end(&f);
}

/* A data directory was lost: what was known of the fifth index says nothing of the next fifth one, though no announcement has said so. */
static void numbers_that_begin_anew_settle_nothing(void **state)
{
	static struct fake_shard f = { .id = 19, .generation = 5, .uri = "h.example/anew/one", .name = "anew/one" };
	static const char nothing[64];
	struct stats *s = co->stats;

	(void)state;
	play(&f, "anew");
	wait_health(f.uri, "healthy");
	const struct member *m = members_get(co->members, &caller_local, f.uri);
	const struct freshness old = { f.uri, "c0ffee", 5, "hash5", "", 0, { 0 }, NULL }, new = { f.uri, "decaf", 5, "other5", "", 0, { 0 }, NULL };
	struct question q;
	struct err e = { 0 };
	assert_int_equal(question_parse(&q, "users", a, &e), 0);
	struct query_terms w = stats_query_terms(&q, a);
	stats_sketch(s, m, &old, &(struct sketch_res){ .words = { nothing, sizeof nothing } });
	stats_update(s, m, &(struct stats_res){ .documents = 1 }, &old);
	assert_true(stats_rules_out(s, m, 5, &w));
	/* a route may be put together of parts that no document has as words */
	assert_int_equal(question_parse(&q, "GET /users/:id", a, &e), 0);
	w = stats_query_terms(&q, a);
	assert_false(stats_rules_out(s, m, 5, &w));
	assert_int_equal(question_parse(&q, "users", a, &e), 0);
	w = stats_query_terms(&q, a);
	set_index(&f, 1, 0, NULL);
	wait_probe(&f);
	stats_update(s, m, &(struct stats_res){ .documents = 1 }, &new);
	assert_false(stats_rules_out(s, m, 5, &w));
	play_end(&f);
}

/* As many are when all are met at once: the next probe, a while later, would be the first to say otherwise. */
static void who_is_slow_once_is_healthy(void **state)
{
	static struct fake_shard busy = { .id = 13, .generation = 1, .uri = "h.example/busy/one", .name = "busy/one" };
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
	announce_successfully(&h);
	wait_health(busy.uri, "healthy");
	set_mode(&busy, SLOW_HEALTH);
	for (int n = healths(&busy), i = 0; i < 3000 && healths(&busy) == n; i++)
		clock_sleep(10);
	set_mode(&busy, ANSWERS);
	for (int i = 0; i < 10; i++, clock_sleep(20))
		assert_null(strstr(ask("list_repos", "{\"repo\":\"busy/one\"}"), "to answer a probe"));
	probe_every(usual);
	/* a sketch leaves out whose new index is heard of at once, and nobody else */
	assert_true(sketches(&busy) > 0);
	assert_int_equal(sketches(&fakes[0]), 0);
	ask("repo_remove", "{\"repo\":\"busy/one\"}");
	clock_sleep(50);
	wire_server_free(busy.server);
}

/* Its probes are answered, its searches are not: after a few nobody waits for these any more, and one tries now and then. */
static void who_answers_no_requests_is_given_a_rest(void **state)
{
	static const char query[] = "{\"query\":\"users\",\"repo\":\"svc7\"}";
	struct fake_shard *f = &fakes[7];
	const char *s = "";
	int64_t last = 0, began, took = SHORT_DEADLINE_MS;

	(void)state;
	set_mode(f, NO_INDEX_ANSWERS);
	co->o.search_deadline_ms = SHORT_DEADLINE_MS;
	for (int i = 0; i < LIVENESS_MISSES; i++) {
		last = clock_ms();
		assert_string_equal(error_code(ask("query", query)), "UNAVAILABLE");
	}
	for (int i = 0; i < 10 && took >= SHORT_DEADLINE_MS; i++) {	/* on a machine that was busy for the whole rest it is tried, and has another */
		began = clock_ms();
		s = ask("query", query);
		took = clock_ms() - began;
	}
	assert_true(took < SHORT_DEADLINE_MS);
	assert_contains(s, "requests in a row were not answered");
	assert_true(is_listed("requests in a row were not answered"));
	assert_contains(ask("list_repos", "{\"repo\":\"svc7\"}"), "\"health\":\"degraded\"");
	assert_contains(ask("list_repos", "{\"repo\":\"svc7\"}"), "\"since\":\"20");
	set_mode(f, ANSWERS);
	co->o.search_deadline_ms = SEARCH_MS;
	began = clock_ms();
	while (strcmp(error_code(ask("query", query)), "none") && clock_ms() < began + 2 * BUSY_MS)	/* each trial in vain doubles the rest */
		clock_sleep(50);
	assert_string_equal(error_code(ask("query", query)), "none");
	assert_true(clock_ms() >= last + LIVENESS_OPEN_MS);
	wait_health(f->uri, "healthy");
}

/* Connections are taken by the kernel, for a server that hangs too. */
static void a_server_that_takes_connections_alone_is_not_alive(void **state)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	assert_true(watchdog_check(co));		/* this one serves no HTTP */
	assert_int_equal(bind(listener, (struct sockaddr *)&at, len) || listen(listener, 8) ||
	    getsockname(listener, (struct sockaddr *)&at, &len), 0);
	snprintf(co->http_url, sizeof co->http_url, "http://127.0.0.1:%d", ntohs(at.sin_port));
	assert_false(watchdog_check(co));
	close(listener);
	assert_true(!watchdog_check(co));		/* nobody listens */
	*co->http_url = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_announcement_replaces_a_mute_connection),
		cmocka_unit_test(who_is_back_is_asked_at_once),
		cmocka_unit_test(who_is_followed_comes_back),
		cmocka_unit_test(who_is_forgotten_is_not_followed),
		cmocka_unit_test(a_shard_that_moves_is_one),
		cmocka_unit_test(what_is_shown_was_said_by_who_speaks),
		cmocka_unit_test(what_is_counted_hides_nothing),
		cmocka_unit_test(news_are_not_lost_while_it_is_asked),
		cmocka_unit_test(numbers_that_begin_anew_settle_nothing),
		cmocka_unit_test(who_is_slow_once_is_healthy),
		cmocka_unit_test(who_answers_no_requests_is_given_a_rest),
		cmocka_unit_test(a_server_that_takes_connections_alone_is_not_alive),
	};

	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
