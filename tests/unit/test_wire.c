/* Requests between two ends of a real socket: answers, deadlines, lost peers, wrong keys, garbage. */
#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include <nng/nng.h>
#include <nng/supplemental/util/platform.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/pool.h"
#include "proto/codec.h"
#include "proto/wire.h"
#include "tests/sanitized.h"

static const struct wire_trust open_door = { 0 };
static struct pool *pool;
static char url[128];

static const char *fresh_url(void)
{
	static int n;

	snprintf(url, sizeof url, "ipc:///tmp/atoll-test-wire-%d-%d", (int)getpid(), n++);
	return url;
}

static atomic_int under_way;	/* requests that are not answered */

/* The server of these tests: `file` answers with its path; "sleep:MS" answers late; "fail" fails. */
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
		wire_answer(r, NULL, NULL, NULL, &(struct err){ ERR_RATE_LIMITED, "full", "" });
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
	if (ask_file(p, "a.c", 10000, &res, &stamp, a, &e))
		fail_msg("%s", e.msg);
	assert_string_equal(res.path, "a.c");
	assert_int_equal(stamp->generation, 7);
	assert_in_range(res.total_lines, 5000, 10000);
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
	assert_int_equal(ask_file(p, "fail", 3000, &res, NULL, a, &e), -1);
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
	assert_in_range(clock_ms() - t, 190, 2500);
	clock_sleep(3100);	/* the late answer must not reach the next question */
	assert_int_equal(ask_file(p, "b.c", 2000, &res, NULL, a, &e), 0);
	assert_string_equal(res.path, "b.c");
	wire_peer_free(p);
	wire_server_free(w);
	arena_free(a);
}

/* An answer that is under way when its server is freed is waited for. */
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
		wire_ask(p, "file", &rec_file_req, &q, NULL, 20000, false, tally, &c);
	for (int i = 0; i < 2000 && settled(&c) < 500; i++)
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
	wire_ask(p, "file", &rec_file_req, &q, NULL, 5000, true, tally, &c);	/* fails fast */
	assert_int_equal(c.failed, 1);
	assert_in_range(clock_ms() - t, 0, 2500);
	t = clock_ms();
	assert_int_equal(ask_file(p, "x", 200, &res, NULL, a, &e), -1);	/* waits for one */
	assert_in_range(clock_ms() - t, 190, 2500);
	struct wire_server *w = wire_listen(url, &open_door, 8, on_request, NULL, &e);
	assert_int_equal(ask_file(p, "late", 20000, &res, NULL, a, &e), 0);
	wire_peer_free(p);
	wire_server_free(w);
	arena_free(a);
}

/*
 * A peer process that receives and never answers, then is killed: the question fails at once, and its address, whose
 * socket stays on disk, can be taken again.
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
		execl("/proc/self/exe", "test_wire", "--hang", command, (char *)NULL);
		_exit(127);
	}
	p = wire_dial(url, &open_door, &e);
	for (int i = 0; i < 2000 && !wire_connected(p); i++)
		clock_sleep(10);
	assert_true(wire_connected(p));
	t = clock_ms();
	snprintf(command, sizeof command, "(sleep 0.3; kill -9 %d) &", (int)pid);
	assert_int_equal(system(command), 0);
	assert_int_equal(ask_file(p, "x", 8000, &res, NULL, a, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_in_range(clock_ms() - t, 0, 2500);
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
	assert_int_equal(ask_file(p, "x", 2000, &res, NULL, a, &e), 0);
	assert_int_equal(ask_file(q, "x", 2000, &res, NULL, a, &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	wire_peer_free(p);
	wire_peer_free(q);
	wire_server_free(w);
	arena_free(a);
}

/* The address of an ipc:// or tcp://127.0.0.1 URL. */
static socklen_t address(const char *at, struct sockaddr_storage *out)
{
	struct sockaddr_un *local = (struct sockaddr_un *)out;
	struct sockaddr_in *in = (struct sockaddr_in *)out;

	memset(out, 0, sizeof *out);
	if (!strncmp(at, "ipc://", 6)) {
		local->sun_family = AF_UNIX;
		snprintf(local->sun_path, sizeof local->sun_path, "%s", at + 6);
		return sizeof *local;
	}
	in->sin_family = AF_INET;
	in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	in->sin_port = htons((uint16_t)atoi(strrchr(at, ':') + 1));
	return sizeof *in;
}

/* Connect and be gone, before the first byte of a handshake. */
static void leave_at_once(const char *at)
{
	struct sockaddr_storage to;
	socklen_t n = address(at, &to);
	int s = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(connect(s, (struct sockaddr *)&to, n), 0);
	setsockopt(s, SOL_SOCKET, SO_LINGER, &(struct linger){ 1, 0 }, sizeof(struct linger));
	close(s);
}

static void who_leaves_at_once_hurts_nobody(void **state)
{
	const char *const urls[] = { fresh_url(), "tcp://127.0.0.1:0" };
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct file_res res;

	(void)state;
	for (size_t i = 0; i < LEN(urls); i++) {
		struct wire_server *w = wire_listen(urls[i], &open_door, 4, on_request, NULL, &e);
		assert_non_null(w);
		for (int k = 0; k < 50; k++)
			leave_at_once(wire_url(w));
		struct wire_peer *p = wire_dial(wire_url(w), &open_door, &e);
		if (ask_file(p, "x", 10000, &res, NULL, a, &e))
			fail_msg("%s", e.msg);
		wire_peer_free(p);
		wire_server_free(w);
	}
	arena_free(a);
}

/* How many files this process has open. */
static int open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* A connection that sends its greeting and requests at once, and cuts the last one off. */
static void ask_and_leave(const char *at, int requests, size_t less)
{
	struct request q = { .v = 1, .rpc = "file", .req = "r" };
	struct buf m = { 0 }, all = { 0 };
	struct sockaddr_storage to;
	socklen_t n = address(at, &to);
	int s = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	codec_put(&rec_request, &q, &m);
	buf_put(&all, "\0SP\0\0\x30\0", 8);
	for (int i = 0; i < requests; i++) {
		uint64_t size = 4 + m.n;
		if (to.ss_family == AF_UNIX)
			buf_byte(&all, 1);
		for (int k = 56; k >= 0; k -= 8)
			buf_byte(&all, (unsigned char)(size >> k));
		buf_put(&all, "\x80\0\0\1", 4);
		buf_put(&all, m.p, m.n);
	}
	assert_int_equal(connect(s, (struct sockaddr *)&to, n), 0);
	assert_int_equal(send(s, all.p, all.n - less, MSG_NOSIGNAL), all.n - less);
	close(s);
	buf_free(&m);
	buf_free(&all);
}

/* Replies that nobody waits for any more end no connection while more is read from it: nng would keep all that end after it. */
static void who_asks_and_leaves_is_forgotten(void **state)
{
	const char *const urls[] = { fresh_url(), "tcp://127.0.0.1:0" };
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(urls); i++) {
		struct wire_server *w = wire_listen(urls[i], &open_door, 4, on_request, NULL, &e);
		assert_non_null(w);
		int before = open_files();
		for (int k = 0; k < 500; k++)
			ask_and_leave(wire_url(w), 1 + k % 39, (size_t)k % 12);
		for (int64_t end = clock_ms() + 20000; open_files() > before && clock_ms() < end; clock_sleep(20))
			;	/* all, as to close one that is read from is what nng does not get over */
		assert_in_range(open_files(), 0, before);
		wire_server_free(w);
	}
}

/* A server that dies before the handshake, again and again, is connected to when it is back. */
static void who_is_left_dials_again(void **state)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct file_res res;
	struct sockaddr_storage at;
	socklen_t n = address(fresh_url(), &at);
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	assert_int_equal(bind(s, (struct sockaddr *)&at, n) || listen(s, 8), 0);
	struct wire_peer *p = wire_dial(url, &open_door, &e);
	for (int k = 0; k < 5; k++)
		close(accept(s, NULL, NULL));
	close(s);
	struct wire_server *w = wire_listen(url, &open_door, 4, on_request, NULL, &e);
	assert_non_null(w);
	if (ask_file(p, "x", 20000, &res, NULL, a, &e))
		fail_msg("%s", e.msg);
	wire_peer_free(p);
	wire_server_free(w);
	arena_free(a);
}

/* What nng does before it connects: who waits on it hears once that nobody is there, not all the time. */
static void a_socket_that_is_not_connected_is_told_of_once(void **state)
{
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), ep = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event add = { 0 }, got = { 0 };

	(void)state;
	assert_int_equal(epoll_ctl(ep, EPOLL_CTL_ADD, s, &add), 0);
	assert_int_equal(epoll_wait(ep, &got, 1, 1000), 1);
	assert_true(got.events & EPOLLHUP);
	assert_int_equal(epoll_wait(ep, &got, 1, 0), 0);
	close(ep);
	close(s);
}

/* Hundreds who lost a server and dial it at once are let in: nng asks for room for 128, and who finds none waits for seconds. */
static void there_is_room_for_many_who_dial_at_once(void **state)
{
	struct sockaddr_storage at;
	socklen_t n = address(fresh_url(), &at);
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), in = 0, v[300];

	(void)state;
	assert_int_equal(bind(s, (struct sockaddr *)&at, n) || listen(s, 128), 0);
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		v[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		in += v[i] >= 0 && !connect(v[i], (struct sockaddr *)&at, n);
	}
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		close(v[i]);
	close(s);
	unlink(strchr(url, '/') + 2);
	assert_int_equal(in, sizeof v / sizeof *v);
}

/* Nor does it dial twice as often as it means to. */
static void times_between_dials_are_not_negative(void **state)
{
	uint32_t drawn, mine = 0;

	(void)state;
	for (int i = 0; i < 64; i++) {
		assert_in_range(nng_random(), 0, INT32_MAX);
		assert_int_equal(getrandom(&drawn, sizeof drawn, 0), sizeof drawn);
		mine |= drawn;
	}
	assert_true(mine > INT32_MAX);	/* what nng draws is changed, and nothing else */
}

static void bad_addresses_are_named(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_null(wire_listen("nonsense", &open_door, 1, on_request, NULL, &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_non_null(strstr(e.msg, "nonsense"));
	assert_null(wire_listen("tls+tcp://127.0.0.1:0", &open_door, 1, on_request, NULL, &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	struct wire_server *w = wire_listen("tcp://127.0.0.1:0", &open_door, 1, on_request, NULL, &e);
	assert_non_null(w);
	assert_null(strstr(wire_url(w), ":0"));
	assert_null(wire_listen(wire_url(w), &open_door, 1, on_request, NULL, &e));
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	wire_server_free(w);
}

/* Threads of this process that are called so. */
static int threads_called(const char *name)
{
	char path[300], own[32] = "";
	DIR *d = opendir("/proc/self/task");
	int n = 0;

	assert_non_null(d);
	for (struct dirent *x; (x = readdir(d));) {
		snprintf(path, sizeof path, "/proc/self/task/%s/comm", x->d_name);
		FILE *f = *x->d_name == '.' ? NULL : fopen(path, "r");
		n += f && fgets(own, sizeof own, f) && !strncmp(own, name, strlen(name));
		if (f)
			fclose(f);
	}
	closedir(d);
	return n;
}

/* However many processors there are: a thousand shards fit on a host, and a message wakes nobody who has nothing to do. */
static void nng_has_few_threads(void **state)
{
	(void)state;
	assert_int_equal(threads_called("nng:task"), 2);
	assert_int_equal(threads_called("nng:aio:expire"), 1);
}

/* What a thread that is called so has had of a processor, microseconds. */
static int64_t work_of(const char *name)
{
	char path[300], own[32] = "";
	DIR *d = opendir("/proc/self/task");
	long long ns, sum = 0;

	assert_non_null(d);
	for (struct dirent *x; (x = readdir(d));) {
		snprintf(path, sizeof path, "/proc/self/task/%s/comm", x->d_name);
		FILE *f = *x->d_name == '.' ? NULL : fopen(path, "r");
		bool is = f && fgets(own, sizeof own, f) && !strncmp(own, name, strlen(name));
		if (f)
			fclose(f);
		snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", x->d_name);
		f = is ? fopen(path, "r") : NULL;
		sum += f && fscanf(f, "%lld", &ns) == 1 ? ns : 0;
		if (f)
			fclose(f);
	}
	closedir(d);
	return sum / 1000;
}

/* Not that it looks at the clock until the millisecond is over. */
static void the_end_of_a_wait_costs_little(void **state)
{
	enum { TIMES = 60, MOST_US = 200 };
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct file_res res;
	struct wire_peer *p = wire_dial("tcp://127.0.0.1:1", &open_door, &e);
	int64_t before = work_of("nng:aio:expire");

	(void)state;
	assert_true(before > 0);
	for (int i = 0; i < TIMES; i++)
		assert_int_equal(ask_file(p, "x", 2, &res, NULL, a, &e), -1);
	if (!SANITIZED)		/* wire_clock.c is not there then */
		assert_in_range(work_of("nng:aio:expire") - before, 0, TIMES * MOST_US);
	wire_peer_free(p);
	arena_free(a);
}

static void ignore(void *arg, struct wire_request *r)
{
	(void)arg, (void)r;
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
		cmocka_unit_test(who_leaves_at_once_hurts_nobody),
		cmocka_unit_test(who_asks_and_leaves_is_forgotten),
		cmocka_unit_test(who_is_left_dials_again),
		cmocka_unit_test(a_socket_that_is_not_connected_is_told_of_once),
		cmocka_unit_test(there_is_room_for_many_who_dial_at_once),
		cmocka_unit_test(times_between_dials_are_not_negative),
		cmocka_unit_test(bad_addresses_are_named),
		cmocka_unit_test(nng_has_few_threads),
		cmocka_unit_test(the_end_of_a_wait_costs_little),
	};

	if (argc == 3 && !strcmp(argv[1], "--hang")) {
		wire_listen(argv[2], &open_door, 4, ignore, NULL, NULL);
		clock_sleep(60000);
		return 0;
	}
	pool = pool_new(4, 1000);
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	pool_free(pool);
	return rc;
}
