/*
 * The faults of nng 1.5 in sockets, threads and records, and wire's workarounds for them
 * (proto/wire/PROTOCOL.md).
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include <nng/nng.h>
#include <nng/supplemental/util/platform.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/thread_pool.h"
#include "proto/net/tls.h"
#include "proto/record/codec.h"
#include "tests/certificates.h"
#include "tests/sanitized.h"

enum { MANY = 200 };	/* questions: with the wakes of nng as it comes 7.7 each, else 4.1 */

static const char greeting[] = { 0, 'S', 'P', 0, 0, 0x30, 0, 0 };
static const struct wire_trust open_door = { .key = "sesame" };
static struct pool *pool;

static const char *fresh_url(void)
{
	static int n;

	return arena_printf(a, "ipc://%s", in_dir(arena_printf(a, "%d", n++)));
}

static void serve(void *r)
{
	wire_answer(r, &rec_file_res,
	    &(struct file_res){ .path = "p", .blob = "b", .content = "little" }, NULL, NULL);
}

/* Answers while nng keeps reading. */
static void on_request(void *arg, struct wire_request *r)
{
	(void)arg;
	if (pool_run(pool, serve, r))
		wire_answer(r, NULL, NULL, NULL, &(struct err){ ERR_RATE_LIMITED, 0, "full", "" });
}

static int ask(struct wire_peer *p, int ms, struct err *e)
{
	struct file_res res;

	return wire_call(p, "file", &rec_file_req, &(struct file_req){ .path = "x" }, "r1", ms,
	    &rec_file_res, &res, NULL, a, e);
}

/* ---- raw connections ---- */

/* The address of a URL of ipc or of 127.0.0.1. */
static socklen_t address(const char *at, struct sockaddr_storage *out)
{
	struct sockaddr_un *local = (struct sockaddr_un *)out;
	struct sockaddr_in *net = (struct sockaddr_in *)out;

	memset(out, 0, sizeof *out);
	if (!strncmp(at, "ipc://", 6)) {
		local->sun_family = AF_UNIX;
		snprintf(local->sun_path, sizeof local->sun_path, "%s", at + 6);
		return sizeof *local;
	}
	net->sin_family = AF_INET;
	net->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	net->sin_port = htons((uint16_t)atoi(strrchr(at, ':') + 1));
	return sizeof *net;
}

static int reach(const char *at)
{
	struct sockaddr_storage to;
	socklen_t n = address(at, &to);
	int s = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(connect(s, (struct sockaddr *)&to, n), 0);
	return s;
}

static int listen_at(const char *at, int backlog)
{
	struct sockaddr_storage here;
	socklen_t n = address(at, &here);
	int s = socket(here.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(s, (struct sockaddr *)&here, n) || listen(s, backlog), 0);
	return s;
}

/* A request in nng's format: length, id and bytes; over ipc, the message type comes first. */
static void put_message(struct buf *all, bool ipc)
{
	struct request q = { .v = 1, .rpc = "file", .req = "r" };
	struct buf m = { 0 };

	codec_put(&rec_request, &q, &m);
	if (ipc)
		buf_byte(all, 1);
	for (int k = 56; k >= 0; k -= 8)
		buf_byte(all, (unsigned char)((uint64_t)(4 + m.n) >> k));
	buf_put(all, "\x80\0\0\1", 4);
	buf_put(all, m.p, m.n);
	buf_free(&m);
}

/* The number of open files of this process. */
static int open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* Waits until at most `most` files are open, or for a minute.  Returns their number. */
static int files_left(int most)
{
	int left = open_files(), now;

	for (int64_t end = clock_ms() + 60000; left > most && clock_ms() < end; clock_sleep(20))
		if ((now = open_files()) < left) {
			left = now;
			end = clock_ms() + 60000;
		}
	return left;
}

/*
 * The sum of the first number after `key` in a file of /proc, over all threads of this process with
 * that name; without a file, the number of these threads.
 */
static int64_t sum_of_threads(const char *name, const char *file, const char *key)
{
	char line[200], own[32];
	DIR *d = opendir("/proc/self/task");
	long long sum = 0, value;

	assert_non_null(d);
	for (struct dirent *x; (x = readdir(d));) {
		FILE *f = *x->d_name == '.' ?
		    NULL :
		    fopen(arena_printf(a, "/proc/self/task/%s/comm", x->d_name), "r");
		bool is = f && fgets(own, sizeof own, f) && !strncmp(own, name, strlen(name));
		if (f)
			fclose(f);
		f = is && file ? fopen(arena_printf(a, "/proc/self/task/%s/%s", x->d_name, file), "r") :
		                 NULL;
		sum += is && !file;
		while (f && fgets(line, sizeof line, f))
			if (!strncmp(line, key, strlen(key)) && sscanf(line + strlen(key), "%lld", &value) == 1)
				sum += value;
		if (f)
			fclose(f);
	}
	closedir(d);
	return sum;
}

/* ---- peers that disconnect ---- */

/* Connects and disconnects before the first byte of a handshake. */
static void leave_at_once(const char *at)
{
	int s = reach(at);

	setsockopt(s, SOL_SOCKET, SO_LINGER, &(struct linger){ 1, 0 }, sizeof(struct linger));
	close(s);
}

static void who_leaves_at_once_hurts_nobody(void **state)
{
	const char *const urls[] = { fresh_url(), "tcp://127.0.0.1:0" };
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(urls); i++) {
		struct wire_server *w = wire_listen(urls[i], &open_door, 4, on_request, NULL, &e);
		assert_ok(!w, &e);
		for (int k = 0; k < 50; k++)
			leave_at_once(wire_url(w));
		struct wire_peer *p = wire_dial(wire_url(w), &open_door, &e);
		assert_ok(ask(p, 60000, &e), &e);
		wire_peer_free(p);
		wire_server_free(w);
	}
}

/* A connection that sends its preamble and requests at once, and cuts the last one off. */
static void ask_and_leave(const char *at, int requests, size_t less)
{
	struct buf all = { 0 };
	int s = reach(at);

	buf_put(&all, greeting, sizeof greeting);
	for (int i = 0; i < requests; i++)
		put_message(&all, !strncmp(at, "ipc", 3));
	assert_int_equal(send(s, all.p, all.n - less, MSG_NOSIGNAL), all.n - less);
	close(s);
	buf_free(&all);
}

/* Abandoned replies end no connection that is still being read: nng would leak later ones. */
static void who_asks_and_leaves_is_forgotten(void **state)
{
	const char *const urls[] = { fresh_url(), "tcp://127.0.0.1:0" };
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(urls); i++) {
		struct wire_server *w = wire_listen(urls[i], &open_door, 4, on_request, NULL, &e);
		assert_ok(!w, &e);
		int before = open_files();
		for (int k = 0; k < (SANITIZED ? 200 : 500); k++)
			ask_and_leave(wire_url(w), 1 + k % 39, (size_t)k % 12);
		assert_in_range(files_left(before), 0,
		    before); /* all, as to close one that is read from is what nng does not get over */
		wire_server_free(w);
	}
}

static enum tls_status on_read(void *ctx, void *to, size_t *n)
{
	ssize_t got = recv(*(int *)ctx, to, *n, 0);

	*n = got > 0 ? (size_t)got : 0;
	return got > 0 ? TLS_DONE : TLS_FAILED;
}

static int records;

static enum tls_status on_read_counted(void *ctx, void *to, size_t *n)
{
	records += *n == 5;	/* the head of a record */
	return on_read(ctx, to, n);
}

static enum tls_status on_write(void *ctx, const void *from, size_t *n)
{
	ssize_t put = send(*(int *)ctx, from, *n, MSG_NOSIGNAL);

	*n = put > 0 ? (size_t)put : 0;
	return put > 0 ? TLS_DONE : TLS_FAILED;
}

/* A peer that sends its preamble and `n` bytes and disconnects. */
static void greet_and_leave(const char *at, const struct wire_trust *t, const char *text, size_t n)
{
	struct err e = { 0 };
	int s = reach(at);
	struct tls_conn *c = tls_conn_new(
	    tls_get(t->ca, t->cert, t->cert_key, false, &e), (struct tls_io){ on_read, on_write, &s });
	size_t k = sizeof greeting;

	assert_int_equal(tls_handshake(c), TLS_DONE);
	tls_write(c, greeting, &k);
	if (n)
		tls_write(c, text, &n);
	close(s);
	tls_conn_free(c);
}

/* Without wire_libc_shims.c, nng 1.5 keeps such connections for ever. */
static void who_greets_and_leaves_is_forgotten(void **state)
{
	static const char nonsense
	    [] = "\0\0\0\0\0\0\0\5\x80\0\0\1x\0\0\0\0\0\0\0\5\x80\0\0\2x\0\0\0\0\0\0\0\3abc\0\0\0\0";
	struct err e = { 0 };
	struct wire_trust t = trust("ca", "host");
	struct wire_server *w = wire_listen("tls+tcp://127.0.0.1:0", &t, 4, on_request, NULL, &e);

	(void)state;
	assert_ok(!w, &e);
	int before = open_files();
	for (int i = 0; i < 60; i++)
		greet_and_leave(wire_url(w), &t, nonsense, i % 2 ? sizeof nonsense - 1 : 0);
	assert_in_range(files_left(before + 2), 0, before + 2);
	struct wire_peer *p = wire_dial(wire_url(w), &t, &e);
	assert_ok(ask(p, 60000, &e), &e);
	wire_peer_free(p);
	wire_server_free(w);
}

/* ---- dialling ---- */

/* A client reconnects to a server that repeatedly died before the handshake. */
static void who_is_left_dials_again(void **state)
{
	const char *at = fresh_url();
	struct err e = { 0 };
	int s = listen_at(at, 8);

	(void)state;
	struct wire_peer *p = wire_dial(at, &open_door, &e);
	for (int k = 0; k < 5; k++)
		close(accept(s, NULL, NULL));
	close(s);
	struct wire_server *w = wire_listen(at, &open_door, 4, on_request, NULL, &e);
	assert_ok(!w, &e);
	assert_ok(ask(p, 60000, &e), &e);
	wire_peer_free(p);
	wire_server_free(w);
}

/* Before it is connected, a socket reports its hang-up once, not again and again. */
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

/* Hundreds of clients that redial at once are accepted: nng's backlog of 128 would delay them. */
static void there_is_room_for_many_who_dial_at_once(void **state)
{
	const char *at = fresh_url();
	struct sockaddr_storage to;
	socklen_t n = address(at, &to);
	int s = listen_at(at, 128), let_in = 0, v[300];

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		v[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		let_in += v[i] >= 0 && !connect(v[i], (struct sockaddr *)&to, n);
	}
	for (size_t i = 0; i < LEN(v); i++)
		close(v[i]);
	close(s);
	assert_int_equal(let_in, LEN(v));
}

/* Redials are not twice as frequent as intended. */
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

/* ---- the cost of a message ---- */

/* Two task threads, however many processors there are: a thousand shards fit on a host. */
static void nng_has_few_threads(void **state)
{
	(void)state;
	assert_int_equal(sum_of_threads("nng:task", NULL, NULL), 2);
	assert_int_equal(sum_of_threads("nng:aio:expire", NULL, NULL), 1);
}

/* It must not spin until the millisecond is over. */
static void the_end_of_a_wait_costs_little(void **state)
{
	enum { TIMES = 60, MOST_NS = 200000 };
	struct err e = { 0 };
	struct wire_peer *p = wire_dial("tcp://127.0.0.1:1", &open_door, &e);
	int64_t before = sum_of_threads("nng:aio:expire", "schedstat", "");

	(void)state;
	assert_true(before > 0);
	for (int i = 0; i < TIMES; i++)
		assert_int_equal(ask(p, 2, &e), -1);
	if (!SANITIZED)		/* wire_clock.c is not there then */
		assert_in_range(
		    sum_of_threads("nng:aio:expire", "schedstat", "") - before, 0, TIMES * MOST_NS);
	wire_peer_free(p);
}

/* One reply: its length, the id of its request, and so on. */
static void read_reply(struct tls_conn *c)
{
	unsigned char got[1000];
	size_t n, want = 8;

	for (size_t have = 0; have < want;
	     have += n, want = 8 + (size_t)got[7] + ((size_t)got[6] << 8)) {
		n = sizeof got - have;
		assert_int_equal(tls_read(c, got + have, &n), TLS_DONE);
		assert_true(have + n >= 8);
	}
	assert_memory_equal(got + 8, "\x80\0\0\1", 4);
}

/* A message is one TLS record: as three it would take three writes and three wakeups. */
static void a_message_is_one_record(void **state)
{
	struct err e = { 0 };
	struct wire_trust t = trust("ca", "host");
	struct wire_server *w = wire_listen("tls+tcp://127.0.0.1:0", &t, 4, on_request, NULL, &e);
	struct buf message = { 0 };
	char theirs[8];

	(void)state;
	assert_ok(!w, &e);
	int s = reach(wire_url(w));
	struct tls_conn *c = tls_conn_new(tls_get(t.ca, t.cert, t.cert_key, false, &e),
	    (struct tls_io){ on_read_counted, on_write, &s });
	assert_int_equal(tls_handshake(c), TLS_DONE);
	put_message(&message, false);
	records = 0;
	assert_int_equal(tls_write(c, greeting, &(size_t){ sizeof greeting }), TLS_DONE);
	assert_int_equal(tls_read(c, theirs, &(size_t){ sizeof theirs }), TLS_DONE);
	assert_memory_equal(theirs, "\0SP\0\0\x31", 6);
	for (int k = 1; k <= 3; k++) {
		assert_int_equal(tls_write(c, message.p, &(size_t){ message.n }), TLS_DONE);
		read_reply(c);
		assert_int_equal(records, 1 + k);
	}
	close(s);
	tls_conn_free(c);
	buf_free(&message);
	wire_server_free(w);
}

static void on_small(void *arg, struct wire_request *r)
{
	static const struct nothing none;

	(void)arg;
	wire_answer(r, &rec_nothing, &none, NULL, NULL);
}

/* How often nng's task threads have gone to sleep. */
static int64_t sleeps(void)
{
	return sum_of_threads("nng:task", "status", "voluntary_ctxt_switches:");
}

/* A request and its answer are a dozen nng tasks, which do not each wake another thread. */
static void an_answer_wakes_few(void **state)
{
	struct err e = { 0 };
	struct wire_trust t = trust("ca", "host");
	struct wire_server *w = wire_listen("tls+tcp://127.0.0.1:0", &t, 4, on_small, NULL, &e);

	(void)state;
	assert_ok(!w, &e);
	struct wire_peer *p = wire_dial(wire_url(w), &t, &e);
	struct nothing none;
	assert_ok(wire_call(p, "health", &rec_nothing, &none, "", 60000, &rec_nothing, &none, NULL, a, &e),
	    &e);
	int64_t before = sleeps();
	for (int i = 0; i < MANY; i++) {
		clock_sleep(2);
		assert_ok(wire_call(
		         p, "health", &rec_nothing, &none, "", 60000, &rec_nothing, &none, NULL, a, &e),
		    &e);
	}
	assert_in_range(
	    sleeps() - before, 1, SANITIZED ? INT_MAX : 6 * MANY); /* sanitizers have nng as it comes */
	wire_peer_free(p);
	wire_server_free(w);
}

static int begin(void **state)
{
	log_init("test", LOG_WARN);
	pool = pool_new(4, 1000);
	return certificates_open(state);
}

static int end(void **state)
{
	pool_free(pool);
	return certificates_close(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_leaves_at_once_hurts_nobody),
		cmocka_unit_test(who_asks_and_leaves_is_forgotten),
		cmocka_unit_test(who_greets_and_leaves_is_forgotten),
		cmocka_unit_test(who_is_left_dials_again),
		cmocka_unit_test(a_socket_that_is_not_connected_is_told_of_once),
		cmocka_unit_test(there_is_room_for_many_who_dial_at_once),
		cmocka_unit_test(times_between_dials_are_not_negative),
		cmocka_unit_test(nng_has_few_threads),
		cmocka_unit_test(the_end_of_a_wait_costs_little),
		cmocka_unit_test(a_message_is_one_record),
		cmocka_unit_test(an_answer_wakes_few),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
