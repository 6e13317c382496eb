/* Requests between two ends of a real socket: answers, deadlines, lost peers, wrong keys. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/thread_pool.h"
#include "proto/record/codec.h"
#include "proto/wire/wire.h"
#include "tests/nng_left.h"
#include "tests/private_folder.h"

enum {
	LONG = 120000,
	BUSY = 60000
}; /* ms: until a deadline that nobody waits for; what a machine with much else to do may take */

static const struct wire_trust open_door = { 0 }, keyed = { .key = "sesame" };
static struct pool *pool;
static char url[128];

static const char *fresh_url(void)
{
	static int n;

	snprintf(url, sizeof url, "ipc://%s/%d", private_folder(), n++);
	return url;
}

static atomic_int under_way;	/* requests that are not answered */

/* The server: `file` answers with its path, "sleep:MS" answers late, "fail" fails. */
static void serve(void *arg)
{
	atomic_fetch_add(&under_way, 1);
	struct wire_request *r = arg;
	struct file_req q;
	struct file_res res = { .blob = "b", .content = "" };
	struct freshness stamp = { .repo_uri = "h/a", .generation = 7, .behind = -1 };
	struct err e = { 0 };

	if (!codec_get(&rec_file_req, &q, r->body.p, r->body.n, r->a, &e)) {
		if (!strncmp(q.path, "sleep:", 6))
			clock_sleep(atoi(q.path + 6));
		if (!strcmp(q.path, "fail"))
			err_set(&e, ERR_NOT_FOUND, "no file %s", q.path), err_hint(&e, "try another");
		res.path = q.path;
		res.total_lines = (uint64_t)(r->deadline_ms - clock_ms());
	}
	atomic_fetch_add(&under_way, -1);
	wire_answer(r, &rec_file_res, &res, &stamp, &e);
}

static void on_request(void *arg, struct wire_request *r)
{
	(void)arg;
	if (pool_run(pool, serve, r))
		wire_answer(r, NULL, NULL, NULL, &(struct err){ .code = ERR_RATE_LIMITED, .msg = "full" });
}

static int ask_file(struct wire_peer *p, const char *path, int ms, struct file_res *res,
    const struct freshness **stamp, struct arena *a, struct err *e)
{
	struct file_req q = { .path = path };

	return wire_call(p, "file", &rec_file_req, &q, "r1", ms, &rec_file_res, res, stamp, a, e);
}

static void answers_with_stamp_and_time_remaining(void **state)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct file_res res;
	const struct freshness *stamp;
	struct wire_server *w = wire_listen(fresh_url(), &open_door, 8, on_request, NULL, &e);
	struct wire_peer *p = wire_dial(url, &open_door, &e);

	(void)state;
	assert_non_null(w);
	if (ask_file(p, "a.c", LONG, &res, &stamp, a, &e))
		fail_msg("%s", e.msg);
	assert_string_equal(res.path, "a.c");
	assert_int_equal(stamp->generation, 7);
	assert_in_range(res.total_lines, LONG - BUSY, LONG);
	assert_true(wire_connected(p));
	wire_peer_free(p);
	wire_server_free(w);
	arena_free(a);
}

static void failures_cross_with_code_and_hint(void **state)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct file_res res;
	struct wire_server *w = wire_listen(fresh_url(), &open_door, 8, on_request, NULL, &e);
	struct wire_peer *p = wire_dial(url, &open_door, &e);

	(void)state;
	assert_int_equal(ask_file(p, "fail", LONG, &res, NULL, a, &e), -1);
	assert_int_equal(e.code, ERR_NOT_FOUND);
	assert_string_equal(e.msg, "no file fail");
	assert_string_equal(e.hint, "try another");
	wire_peer_free(p);
	wire_server_free(w);
	arena_free(a);
}

static void deadline_ends_the_wait(void **state)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct file_res res;
	struct wire_server *w = wire_listen(fresh_url(), &open_door, 8, on_request, NULL, &e);
	struct wire_peer *p = wire_dial(url, &open_door, &e);
	int64_t t = clock_ms();

	(void)state;
	assert_int_equal(ask_file(p, "sleep:3000", 200, &res, NULL, a, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_in_range(clock_ms() - t, 190, BUSY);
	clock_sleep(3100);	/* the late answer must not reach the next question */
	assert_int_equal(ask_file(p, "b.c", LONG, &res, NULL, a, &e), 0);
	assert_string_equal(res.path, "b.c");
	wire_peer_free(p);
	wire_server_free(w);
	arena_free(a);
}

/* Freeing a server waits for an answer in progress. */
static void a_server_ends_after_its_answers(void **state)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct file_res res;

	(void)state;
	for (int i = 0; i < 20; i++) {
		struct wire_server *w = wire_listen(fresh_url(), &open_door, 8, on_request, NULL, &e);
		struct wire_peer *p = wire_dial(url, &open_door, &e);
		assert_int_equal(ask_file(p, "sleep:150", 60, &res, NULL, a, &e), -1);
		wire_server_free(w);
		assert_int_equal(atomic_load(&under_way), 0);
		wire_peer_free(p);
	}
	arena_free(a);
}

struct count {
	pthread_mutex_t lock;
	int ok, failed;
};

static void tally(void *arg, struct wire_reply *r)
{
	struct count *c = arg;
	struct arena *a = arena_new();
	struct file_res res;

	pthread_mutex_lock(&c->lock);
	if (wire_reply_get(r, &rec_file_res, &res, NULL, a, NULL))
		c->failed++;
	else
		c->ok++;
	pthread_mutex_unlock(&c->lock);
	wire_reply_free(r);
	arena_free(a);
}

static int settled(struct count *c)
{
	pthread_mutex_lock(&c->lock);
	int n = c->ok + c->failed;
	pthread_mutex_unlock(&c->lock);
	return n;
}

static void many_at_once(void **state)
{
	struct count c = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
	struct err e = { 0 };
	struct wire_server *w = wire_listen(fresh_url(), &open_door, 8, on_request, NULL, &e);
	struct wire_peer *p = wire_dial(url, &open_door, &e);
	struct file_req q = { .path = "x" };

	(void)state;
	for (int i = 0; i < 500; i++)
		wire_call_async(p, "file", &rec_file_req, &q, NULL, BUSY, false, tally, &c);
	for (int i = 0; i < 2 * BUSY / 10 && settled(&c) < 500; i++)
		clock_sleep(10);
	assert_int_equal(c.ok, 500);
	wire_peer_free(p);
	wire_server_free(w);
}

static void without_a_peer(void **state)
{
	struct count c = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct file_res res;
	struct file_req q = { .path = "x" };
	struct wire_peer *p = wire_dial(fresh_url(), &open_door, &e);
	int64_t t = clock_ms();

	(void)state;
	wire_call_async(p, "file", &rec_file_req, &q, NULL, LONG, true, tally, &c);	/* fails fast */
	assert_int_equal(c.failed, 1);
	assert_in_range(clock_ms() - t, 0, BUSY);
	t = clock_ms();
	assert_int_equal(ask_file(p, "x", 200, &res, NULL, a, &e), -1);	/* waits for one */
	assert_in_range(clock_ms() - t, 190, BUSY);
	struct wire_server *w = wire_listen(url, &open_door, 8, on_request, NULL, &e);
	assert_int_equal(ask_file(p, "late", LONG, &res, NULL, a, &e), 0);
	wire_peer_free(p);
	wire_server_free(w);
	arena_free(a);
}

/*
 * A peer process is killed instead of answering: the request fails at once, and its address, whose
 * socket stays on disk, can be used again.
 */
static void lost_connection_fails_at_once(void **state)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct file_res res;
	char command[300];
	struct wire_peer *p;
	int64_t t;

	(void)state;
	fresh_url();
	pid_t pid = fork();
	if (!pid) {
		/* a fresh image: nng must not be used across fork */
		snprintf(command, sizeof command, "%s", url);
		execl("/proc/self/exe", "test_wire", "--die", command, (char *)NULL);
		_exit(127);
	}
	p = wire_dial(url, &open_door, &e);
	for (int i = 0; i < 6000 && !wire_connected(p); i++)
		clock_sleep(10);
	assert_true(wire_connected(p));
	t = clock_ms();
	assert_int_equal(ask_file(p, "x", LONG, &res, NULL, a, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_in_range(clock_ms() - t, 0, BUSY);
	wire_peer_free(p);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(access(url + strlen("ipc://"), F_OK), 0);
	struct wire_server *w = wire_listen(url, &open_door, 4, on_request, NULL, &e);
	assert_non_null(w);
	wire_server_free(w);
	assert_int_not_equal(access(url + strlen("ipc://"), F_OK), 0);
	arena_free(a);
}

static void wrong_key_is_refused(void **state)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct file_res res;
	const struct wire_trust good = { .key = "k1" }, bad = { .key = "k2" };
	struct wire_server *w = wire_listen(fresh_url(), &good, 4, on_request, NULL, &e);
	struct wire_peer *p = wire_dial(url, &good, &e), *q = wire_dial(url, &bad, &e);

	(void)state;
	assert_int_equal(ask_file(p, "x", LONG, &res, NULL, a, &e), 0);
	assert_int_equal(ask_file(q, "x", LONG, &res, NULL, a, &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	wire_peer_free(p);
	wire_peer_free(q);
	wire_server_free(w);
	arena_free(a);
}

/* Anybody on the machine can reach a port or create a socket in /tmp first. */
static void without_a_key_only_own_sockets(void **state)
{
	static const char *const refused[] = { "tcp://127.0.0.1:0", "tcp://localhost:0",
		"tls+tcp://127.0.0.1:0", "ipc:///tmp/atoll-test" };

	(void)state;
	for (size_t i = 0; i < LEN(refused); i++) {
		struct err e = { 0 };
		assert_null(wire_listen(refused[i], &open_door, 1, on_request, NULL, &e));
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		assert_non_null(strstr(e.msg, refused[i]));
		assert_non_null(strstr(e.hint, "cluster"));
		assert_null(wire_dial(refused[i], &open_door, &e));
	}
}

static void bad_addresses_are_named(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_null(wire_listen("nonsense", &open_door, 1, on_request, NULL, &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_non_null(strstr(e.msg, "nonsense"));
	assert_null(wire_listen("tls+tcp://127.0.0.1:0", &keyed, 1, on_request, NULL, &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	struct wire_server *w = wire_listen("tcp://127.0.0.1:0", &keyed, 1, on_request, NULL, &e);
	assert_non_null(w);
	assert_null(strstr(wire_url(w), ":0"));
	assert_null(wire_listen(wire_url(w), &keyed, 1, on_request, NULL, &e));
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	wire_server_free(w);
}

static void all_is_given_back(void **state)
{
	(void)state;
	assert_int_equal(aios_left, 0);
}

static void die(void *arg, struct wire_request *r)
{
	(void)arg, (void)r;
	kill(getpid(), SIGKILL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lost_connection_fails_at_once),
		cmocka_unit_test(answers_with_stamp_and_time_remaining),
		cmocka_unit_test(failures_cross_with_code_and_hint),
		cmocka_unit_test(deadline_ends_the_wait),
		cmocka_unit_test(a_server_ends_after_its_answers),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(without_a_peer),
		cmocka_unit_test(wrong_key_is_refused),
		cmocka_unit_test(without_a_key_only_own_sockets),
		cmocka_unit_test(bad_addresses_are_named),
		cmocka_unit_test(all_is_given_back),
	};

	if (argc == 3 && !strcmp(argv[1], "--die")) {
		wire_listen(argv[2], &open_door, 4, die, NULL, NULL);
		clock_sleep(BUSY);
		return 0;
	}
	pool = pool_new(4, 1000);
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	pool_free(pool);
	return rc;
}
