/* A server stops although requests keep arriving, each of which adds a slot. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/record/codec.h"
#include "proto/wire/wire.h"
#include "tests/sanitized.h"
#include "tests/private_folder.h"

enum {
	ROUNDS = SANITIZED ? 20 : 60,
	PEERS = 3,
	EACH = 300,
	SLOTS = 2000,
	AFTER_MS = 30,
	LIMIT_S = 100
};

static const struct nothing none;

/* Requests that are not answered before the server begins to stop. */
static struct {
	pthread_mutex_t lock;
	struct wire_request *v[PEERS * EACH];
	size_t n;
} held = { .lock = PTHREAD_MUTEX_INITIALIZER };

static atomic_int came, left, over;

static void on_request(void *arg, struct wire_request *r)
{
	(void)arg;
	pthread_mutex_lock(&held.lock);
	held.v[held.n++] = r;
	pthread_mutex_unlock(&held.lock);
	atomic_fetch_add(&came, 1);
}

static void *answer_all(void *arg)
{
	(void)arg;
	while (!atomic_load(&over)) {
		clock_sleep(AFTER_MS);
		pthread_mutex_lock(&held.lock);
		while (held.n)
			wire_answer(held.v[--held.n], &rec_nothing, &none, NULL, NULL);
		pthread_mutex_unlock(&held.lock);
	}
	return NULL;
}

static void done(void *arg, struct wire_reply *r)
{
	(void)arg;
	wire_reply_free(r);
	atomic_fetch_sub(&left, 1);
}

static void ask_all(struct wire_peer *const *p)
{
	atomic_store(&left, PEERS * EACH);
	for (int i = 0; i < PEERS * EACH; i++)
		wire_call_async(
		    p[i % PEERS], "health", &rec_nothing, &none, "", LIMIT_S * 1000, false, done, NULL);
}

static void end_amid_requests(int round)
{
	static const struct wire_trust open_door = { 0 };
	struct wire_peer *p[PEERS];
	struct err e = { 0 };
	char url[100];
	pthread_t t;

	snprintf(url, sizeof url, "ipc://%s/%d", private_folder(), round);
	struct wire_server *w = wire_listen(url, &open_door, SLOTS, on_request, NULL, &e);
	assert_non_null(w);
	atomic_store(&came, 0);
	for (int i = 0; i < PEERS; i++)
		assert_non_null(p[i] = wire_dial(url, &open_door, &e));
	ask_all(p);
	while (atomic_load(&came) < 1 + round * 13 % (EACH / 2))
		sched_yield();
	atomic_store(&over, 0);
	assert_int_equal(pthread_create(&t, NULL, answer_all, NULL), 0);
	wire_server_free(w);
	atomic_store(&over, 1);
	pthread_join(t, NULL);
	assert_int_equal(held.n, 0);	/* or it has left some in hand */
	for (int i = 0; i < PEERS; i++)
		wire_peer_free(p[i]);
	assert_int_equal(atomic_load(&left), 0);
}

static void a_server_ends_amid_requests(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		alarm(LIMIT_S);		/* it would hang in nng_close */
		end_amid_requests(i);
	}
	alarm(0);
}

static void answer_at_once(void *arg, struct wire_request *r)
{
	(void)arg;
	wire_answer(r, &rec_nothing, &none, NULL, NULL);
}

/* A question that is sent while the client still has the connection to the server before is lost; it is asked again. */
static void ask(struct wire_peer *p, struct arena *a)
{
	struct nothing res;
	struct err e;
	int64_t until = clock_ms() + LIMIT_S * 1000;

	do {
		e = (struct err){ 0 };
		if (!wire_call(p, "health", &rec_nothing, &none, "", LIMIT_S * 1000, &rec_nothing, &res, NULL, a, &e))
			return;
	} while (e.code == ERR_UNAVAILABLE && clock_ms() < until);
	fail_msg("%s", e.msg);
}

/* How long a server takes to end after `questions` of this peer, in milliseconds. */
static int64_t ms_to_end(const char *url, const struct wire_trust *t, struct wire_peer *p, int questions)
{
	struct err e = { 0 };
	struct arena *a = arena_new();
	struct wire_server *w = wire_listen(url, t, 16, answer_at_once, NULL, &e);

	assert_non_null(w);
	for (int i = 0; i < questions; i++)
		ask(p, a);
	arena_free(a);
	int64_t began = clock_ms();
	wire_server_free(w);
	return clock_ms() - began;
}

/*
 * It waits for answers, at most 5 s: so not when all were given, among them those that ask a client to prove itself again, as a server
 * that was restarted does.  The machine may be busy, so the quickest of five ends counts.
 */
static void a_server_with_nothing_to_answer_ends_at_once(void **state)
{
	static const struct wire_trust doors[] = { { 0 }, { .key = "one" } };
	struct err e = { 0 };
	char url[100];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		int64_t quickest = INT64_MAX;
		snprintf(url, sizeof url, "ipc://%s/end%zu", private_folder(), i);
		struct wire_peer *p = wire_dial(url, &doors[i], &e);
		assert_non_null(p);
		for (int k = 0; k < 5 && quickest > 4000; k++) {
			ms_to_end(url, &doors[i], p, 1);
			int64_t ms = ms_to_end(url, &doors[i], p, 3);
			quickest = ms < quickest ? ms : quickest;
		}
		wire_peer_free(p);
		assert_true(quickest < 4000);
	}
}

/* A request of a session that the server does not know: it asks for a new proof. */
static void send_of_unknown_session(const char *url)
{
	static char id[16] = "unknown session", mac[32] = "not checked";
	const struct request q = { .v = WIRE_VERSION,
		.rpc = "health",
		.session = { id, sizeof id },
		.mac = { mac, sizeof mac },
		.count = 1 };
	struct arena *a = arena_new();
	struct buf b = { 0 };
	struct reply reply;
	struct err e = { 0 };
	nng_socket s;
	void *answer;
	size_t n;

	codec_put(&rec_request, &q, &b);
	assert_int_equal(nng_req0_open(&s), 0);
	assert_int_equal(nng_dial(s, url, NULL, 0), 0);
	assert_int_equal(nng_send(s, b.p, b.n, 0), 0);
	assert_int_equal(nng_recv(s, &answer, &n, NNG_FLAG_ALLOC), 0);
	assert_int_equal(codec_get(&rec_reply, &reply, answer, n, a, &e), 0);
	assert_true(reply.again);
	nng_free(answer, n);
	nng_close(s);
	buf_free(&b);
	arena_free(a);
}

static void a_request_for_a_new_proof_is_an_answer(void **state)
{
	static const struct wire_trust door = { .key = "one" };
	int64_t quickest = INT64_MAX;
	struct err e = { 0 };
	char url[100];

	(void)state;
	snprintf(url, sizeof url, "ipc://%s/unknown", private_folder());
	for (int k = 0; k < 5 && quickest > 4000; k++) {
		struct wire_server *w = wire_listen(url, &door, 16, answer_at_once, NULL, &e);
		assert_non_null(w);
		send_of_unknown_session(url);
		int64_t began = clock_ms();
		wire_server_free(w);
		int64_t ms = clock_ms() - began;
		quickest = ms < quickest ? ms : quickest;
	}
	assert_true(quickest < 4000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_ends_amid_requests),
		cmocka_unit_test(a_server_with_nothing_to_answer_ends_at_once),
		cmocka_unit_test(a_request_for_a_new_proof_is_an_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
