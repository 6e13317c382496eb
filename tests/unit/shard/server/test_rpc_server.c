/* How a shard's server treats requests: at once, in a queue, refused, cancelled, too late; a shard of the test, without an index. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/wire/wire.h"
#include "shard/server/rpc_server.h"
#include "shard/server/shard_state.h"
#include "tests/private_folder.h"

enum { LIMIT_MS = 60000 };

static struct rpc_server *server; /* it lives as long as the process, as in a shard */
static struct shard_status state;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside, ran;
static struct arena *a;
static struct wire_peer *peer;

/* ---- the shard ---- */

static void state_of(struct shard *s, struct shard_status *out)
{
	(void)s;
	*out = state;
}

static void suspect(struct shard *s, const char *file, const char *message)
{
	(void)s, (void)file, (void)message;
}

/* A request that waits until the test lets it go on. */
static int waits(struct shard *s, struct index_reader *r, const void *req, void *res,
    struct arena *x, struct err *e)
{
	(void)s, (void)r, (void)req, (void)res, (void)x, (void)e;
	atomic_fetch_add(&inside, 1);
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	atomic_fetch_sub(&inside, 1);
	atomic_fetch_add(&ran, 1);
	return 0;
}

static int answers(struct shard *s, struct index_reader *r, const void *req, void *res,
    struct arena *x, struct err *e)
{
	(void)s, (void)r, (void)req, (void)res, (void)x, (void)e;
	return 0;
}

/* ---- who asks ---- */

struct question {
	atomic_int done;
	enum err_code code;
	struct err e;
};

static void on_reply(void *arg, struct wire_reply *reply)
{
	struct question *q = arg;
	struct arena *x = arena_new();
	struct knows_res res;

	wire_reply_get(reply, &rec_knows_res, &res, NULL, x, &q->e);
	q->code = q->e.code;
	wire_reply_free(reply);
	arena_free(x);
	atomic_store(&q->done, 1);
}

static void ask(struct question *q, const char *id, int timeout_ms)
{
	static const struct knows_req none;

	*q = (struct question){ 0 };
	wire_call_async(peer, "knows", &rec_knows_req, &none, id, timeout_ms, false, on_reply, q);
}

static void wait_done(struct question *q)
{
	for (int i = 0; i < 6000 && !atomic_load(&q->done); i++)
		clock_sleep(10);
	assert_true(atomic_load(&q->done));
}

static struct err called(
    const char *rpc, const struct record *req, const void *q, const struct record *res)
{
	struct err e = { 0 };

	wire_call(peer, rpc, req, q, "", LIMIT_MS, res, arena_get(a, 1, res->size + 1), NULL, a, &e);
	return e;
}

static void wait_load(uint64_t queued)
{
	for (int i = 0; i < 6000 && rpc_load(server).queued != queued; i++)
		clock_sleep(10);
	assert_int_equal(rpc_load(server).queued, queued);
}

static void wait_inside(int n)
{
	for (int i = 0; i < 6000 && atomic_load(&inside) != n; i++)
		clock_sleep(10);
	assert_int_equal(atomic_load(&inside), n);
}

/* ---- cases ---- */

static void without_an_index(void **unused)
{
	static const struct symbol_req q = { .symbol = "x", .limit = 1 };

	(void)unused;
	struct err e = called("symbol", &rec_symbol_req, &q, &rec_symbol_res);
	assert_int_equal(e.code, ERR_NO_INDEX);
	assert_string_equal(e.msg, "the first index of this repository is not complete yet");
	state.code = ERR_UNAVAILABLE;
	strcpy(state.message, "the remote is away");
	e = called("symbol", &rec_symbol_req, &q, &rec_symbol_res);
	assert_int_equal(e.code, ERR_NO_INDEX);
	assert_string_equal(e.msg, "the remote is away");
	strcpy(state.message, "cannot read /the/place/.git"); /* folders of the machine are not told */
	assert_string_equal(
	    called("symbol", &rec_symbol_req, &q, &rec_symbol_res).msg, READER_UNREADABLE);
	state.code = ERR_DB_ERROR;
	strcpy(state.message, "malformed");
	e = called("symbol", &rec_symbol_req, &q, &rec_symbol_res);
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_string_equal(e.msg, "malformed");
	state.code = ERR_SCHEMA_MISMATCH;
	assert_int_equal(
	    called("symbol", &rec_symbol_req, &q, &rec_symbol_res).code, ERR_SCHEMA_MISMATCH);
	state.code = ERR_FORBIDDEN;
	e = called("symbol", &rec_symbol_req, &q, &rec_symbol_res);
	assert_int_equal(e.code, ERR_NO_INDEX);
	assert_string_equal(e.msg, READER_REFUSED);
	assert_non_null(strstr(e.hint, "the operator must admit"));
	state.code = ERR_NONE;
	/* these need none */
	static const struct nothing nothing;
	assert_int_equal(called("status", &rec_nothing, &nothing, &rec_nothing).code, ERR_NONE);
	assert_int_equal(called("health", &rec_nothing, &nothing, &rec_nothing).code, ERR_NONE);
}

static void what_it_does_not_have(void **unused)
{
	static const struct nothing nothing;

	(void)unused;
	struct err e = called("frobnicate", &rec_nothing, &nothing, &rec_nothing);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(e.msg, "this shard has no RPC `frobnicate`");
}

/* Two readers run, more wait; whoever asks for its health does not. */
static void requests_wait_for_a_reader(void **unused)
{
	static const struct nothing nothing;
	struct question q[4];

	(void)unused;
	pthread_mutex_lock(&gate);
	for (int i = 0; i < 4; i++)
		ask(&q[i], "", LIMIT_MS);
	wait_inside(2);
	wait_load(2);
	assert_int_equal(called("health", &rec_nothing, &nothing, &rec_nothing).code, ERR_NONE);
	int64_t began = clock_ms();
	rpc_server_drain(server, 50);
	assert_true(clock_ms() - began >= 50);
	pthread_mutex_unlock(&gate);
	for (int i = 0; i < 4; i++) {
		wait_done(&q[i]);
		assert_int_equal(q[i].code, ERR_NONE);
	}
	wait_load(0);
	began = clock_ms();
	rpc_server_drain(server, LIMIT_MS);
	assert_true(clock_ms() - began < LIMIT_MS);
}

static void a_queue_has_an_end(void **unused)
{
	struct question q[30];
	int refused = 0, answered = 0;
	uint64_t before = rpc_load(server).refused;

	(void)unused;
	pthread_mutex_lock(&gate);
	for (int i = 0; i < 30; i++)
		ask(&q[i], "", LIMIT_MS);
	for (int i = 0; i < 6000 && rpc_load(server).refused == before; i++)
		clock_sleep(10);
	wait_inside(2);
	pthread_mutex_unlock(&gate);
	for (int i = 0; i < 30; i++) {
		wait_done(&q[i]);
		answered += q[i].code == ERR_NONE;
		refused += q[i].code == ERR_RATE_LIMITED;
	}
	assert_int_equal(answered + refused, 30);
	assert_true(answered > 2);
	assert_int_equal(rpc_load(server).refused - before, refused);
	assert_true(refused > 0);
	wait_load(0);
}

static void a_request_that_waits_is_cancelled(void **unused)
{
	struct question q[4];
	uint64_t before = rpc_load(server).shed;
	int ran_before = atomic_load(&ran);

	(void)unused;
	pthread_mutex_lock(&gate);
	for (int i = 0; i < 4; i++)
		ask(&q[i], i == 3 ? "mine" : "", LIMIT_MS);
	wait_inside(2);
	wait_load(2);
	assert_false(rpc_server_cancel(server, "another"));
	assert_false(rpc_server_cancel(server, ""));
	assert_true(rpc_server_cancel(server, "mine"));
	pthread_mutex_unlock(&gate);
	for (int i = 0; i < 4; i++)
		wait_done(&q[i]);
	assert_int_equal(q[3].code, ERR_UNAVAILABLE);
	assert_string_equal(q[3].e.msg, "cancelled");
	assert_int_equal(rpc_load(server).shed, before + 1);
	assert_int_equal(atomic_load(&ran), ran_before + 3);
	assert_false(rpc_server_cancel(server, "mine"));
}

/* Nobody waits for it any more. */
static void a_request_whose_deadline_passed_is_not_begun(void **unused)
{
	struct question q[3];
	uint64_t before = rpc_load(server).shed;
	int ran_before = atomic_load(&ran);

	(void)unused;
	pthread_mutex_lock(&gate);
	ask(&q[0], "", LIMIT_MS);
	ask(&q[1], "", LIMIT_MS);
	wait_inside(2);
	ask(&q[2], "", 300);
	wait_load(1);
	wait_done(&q[2]);
	assert_int_equal(q[2].code, ERR_UNAVAILABLE);
	clock_sleep(20); /* its clock is not ours */
	pthread_mutex_unlock(&gate);
	wait_done(&q[0]);
	wait_done(&q[1]);
	wait_load(0);
	rpc_server_drain(server, LIMIT_MS);
	assert_int_equal(rpc_load(server).shed, before + 1);
	assert_int_equal(atomic_load(&ran), ran_before + 2);
}

static void readers_rest(void **unused)
{
	static struct question first, works;

	(void)unused;
	ask(&first, "", LIMIT_MS);
	wait_done(&first);
	pthread_mutex_lock(&gate);
	ask(&works, "", LIMIT_MS);
	wait_inside(1);
	int64_t due = rpc_release_idle_readers(server);
	assert_true(due <= clock_ms() + 3000);
	while (clock_ms() < due)
		clock_sleep(10);
	due = rpc_release_idle_readers(server);		/* not while one works, however long ago another one did */
	pthread_mutex_unlock(&gate);
	assert_true(due != INT64_MAX);
	wait_done(&works);
	for (int i = 0; i < 6000 && due != INT64_MAX; i++, due = rpc_release_idle_readers(server))
		clock_sleep(10);
	assert_true(due == INT64_MAX);
}

static int open_server(void **unused)
{
	static struct rpc_handlers handlers;
	static const struct rpc_host host = {
		.place = "/the/place", .data = "/nowhere", .state = state_of, .suspect = suspect
	};
	static const struct wire_trust open_door = { 0 };
	struct err e = { 0 };

	(void)unused;
	log_init("test", LOG_ERROR);
	a = arena_new();
	for (int i = 0; i < NRPCS; i++)
		handlers.v[i] = answers;
	handlers.v[RPC_knows] = waits;
	char *url = arena_printf(a, "ipc://%s/server", private_folder());
	server = rpc_server_start(&host, &handlers, url, &open_door, 2, 8, &e);
	if (!server)
		fail_msg("%s", e.msg);
	assert_string_equal(rpc_server_url(server), url);
	peer = wire_dial(url, &open_door, &e);
	return peer ? 0 : -1;
}

static int close_all(void **unused)
{
	(void)unused;
	wire_peer_free(peer);
	unlink(rpc_server_url(server) + strlen("ipc://"));
	arena_free(a);
	return 0;
}

static int threads(void)
{
	DIR *d = opendir("/proc/self/task");
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void one_that_cannot_listen_leaves_no_thread(void **unused)
{
	static const struct rpc_host host = { .place = "/the/place", .data = "/nowhere", .state = state_of, .suspect = suspect };
	static const struct rpc_handlers none;
	struct err e = { 0 };
	int before = threads();

	(void)unused;
	assert_null(rpc_server_start(&host, &none, "ipc:///nowhere/at/all", &(struct wire_trust){ 0 }, 2, 8, &e));
	assert_int_not_equal(e.code, ERR_NONE);
	for (int i = 0; i < 3000 && threads() != before; i++)	/* the system takes a moment to forget one that has ended */
		clock_sleep(10);
	assert_int_equal(threads(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_an_index),
		cmocka_unit_test(what_it_does_not_have),
		cmocka_unit_test(requests_wait_for_a_reader),
		cmocka_unit_test(a_queue_has_an_end),
		cmocka_unit_test(a_request_that_waits_is_cancelled),
		cmocka_unit_test(a_request_whose_deadline_passed_is_not_begun),
		cmocka_unit_test(readers_rest),
		cmocka_unit_test(one_that_cannot_listen_leaves_no_thread),
	};

	return cmocka_run_group_tests_name("rpc_server", tests, open_server, close_all);
}
