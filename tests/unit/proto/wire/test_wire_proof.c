/* The cluster key: proofs, clocks, replays, and keys that change while requests continue. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/net/crypto.h"
#include "proto/wire/wire.h"
#include "proto/wire/wire_keys.h"
#include "proto/wire/wire_proof.h"
#include "tests/private_folder.h"

static const struct wire_trust k1 = { .key = "one" }, k2 = { .key = "two" };

/* ---- proofs without connections ---- */

struct pair {
	struct session_table *at;
	struct proof p;
	struct client_session s;
	struct prove_res res;
	unsigned char room[PROOF_BYTES + PROOF_MAC];
	struct err e;
};

static int prove(struct pair *x, const struct wire_trust *from, const struct wire_trust *to)
{
	x->e = (struct err){ 0 };
	if (!x->at)
		x->at = session_table_new();
	proof_begin(&x->p, keyring_of(from));
	return session_table_accept(x->at, keyring_of(to), &x->p.req, &x->res, x->room, &x->e) ||
	        proof_end(&x->p, &x->res, &x->s, &x->e) ?
	    -1 :
	    0;
}

/* The same with a clock that is `s` seconds off, and a matching MAC. */
static int prove_at(struct pair *x, int64_t s)
{
	unsigned char t[8];

	prove(x, &k1, &k1);
	crypto_random(x->p.nonce, PROOF_BYTES);
	x->p.req.time_ms = (uint64_t)(clock_real_ms() + s * 1000);
	for (int i = 0; i < 8; i++)
		t[i] = (unsigned char)(x->p.req.time_ms >> 8 * i);
	struct buf b = { 0 };
	char hex[SHA256_HEX];
	buf_put(&b, "atoll prove", sizeof "atoll prove");
	buf_put(&b, x->p.nonce, PROOF_BYTES);
	buf_put(&b, t, sizeof t);
	crypto_hmac("one", b.p, b.n, hex);	/* RFC 2104 by another way */
	buf_free(&b);
	for (int i = 0; i < PROOF_MAC; i++)
		x->p.mac[i] = (unsigned char)strtol((char[]){ hex[2 * i], hex[2 * i + 1], 0 }, NULL, 16);
	return session_table_accept(x->at, keyring_of(&k1), &x->p.req, &x->res, x->room, &x->e);
}

static void clocks_may_differ_by_two_minutes(void **state)
{
	static const int64_t good[] = { 0, 60, -60, 110, -110 },
	                     bad[] = { 130, -130, 86400, -40000000 };
	struct pair x = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(good); i++)
		if (prove_at(&x, good[i]))
			fail_msg("%lld: %s", (long long)good[i], x.e.msg);
	for (size_t i = 0; i < LEN(bad); i++) {
		assert_int_equal(prove_at(&x, bad[i]), -1);
		assert_int_equal(x.e.code, ERR_FORBIDDEN);
		assert_non_null(strstr(x.e.msg, "clocks differ"));
		assert_non_null(strstr(x.e.msg, bad[i] < 0 ? "behind" : "ahead"));
	}
	prove_at(&x, 130);
	assert_true(strstr(x.e.msg, "130 s ahead") || strstr(x.e.msg, "129 s ahead"));
	session_table_free(x.at);
}

static struct request request(const char *rpc, const char *body)
{
	return (struct request){ .v = WIRE_VERSION, .rpc = rpc, .body = { body, strlen(body) } };
}

static int check(struct pair *x, const struct request *q, bool *again)
{
	x->e = (struct err){ 0 };
	return session_table_verify(x->at, keyring_of(&k1), q, again, &x->e);
}

static void nothing_is_taken_twice(void **state)
{
	enum { N = 2100 };
	static unsigned char macs[N][PROOF_MAC];
	static struct request q[N];
	struct pair x = { 0 };
	bool again;

	(void)state;
	assert_int_equal(prove(&x, &k1, &k1), 0);
	for (int i = 0; i < N; i++) {
		q[i] = request("file", "body");
		proof_sign(&x.s, &q[i], macs[i]);
	}
	assert_int_equal(check(&x, &q[5], &again), 0);
	assert_int_equal(check(&x, &q[5], &again), -1);
	assert_false(again);
	assert_non_null(strstr(x.e.msg, "is replaying it"));
	for (int i = 0; i < 1000; i++)		/* out of order, and each once */
		assert_int_equal(check(&x, &q[i ^ 7], &again), (i ^ 7) == 5 ? -1 : 0);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(check(&x, &q[i], &again), -1);
	assert_int_equal(check(&x, &q[N - 1], &again), 0);
	assert_int_equal(check(&x, &q[N - PROOF_REORDER], &again), 0);
	assert_int_equal(
	    check(&x, &q[N - 1 - PROOF_REORDER], &again), -1); /* never came, but too late */
	/* the proof itself */
	assert_int_equal(
	    session_table_accept(x.at, keyring_of(&k1), &x.p.req, &x.res, x.room, &x.e), -1);
	assert_non_null(strstr(x.e.msg, "is replaying it"));
	session_table_free(x.at);
}

static void what_is_changed_on_the_way_is_refused(void **state)
{
	unsigned char mac[PROOF_MAC];
	struct pair x = { 0 };
	bool again;

	(void)state;
	assert_int_equal(prove(&x, &k1, &k1), 0);
	struct request q = request("file", "body"), other;
	proof_sign(&x.s, &q, mac);
	other = q, other.body.p = "bodx";
	assert_int_equal(check(&x, &other, &again), -1);
	other = q, other.rpc = "files";
	assert_int_equal(check(&x, &other, &again), -1);
	other = q, other.count++;
	assert_int_equal(check(&x, &other, &again), -1);
	other = q, other.mac.n = 0;
	assert_int_equal(check(&x, &other, &again), -1);
	assert_false(again);
	other = request("file", "body");
	assert_int_equal(check(&x, &other, &again), -1);
	assert_non_null(strstr(x.e.msg, "no proof"));
	assert_int_equal(check(&x, &q, &again), 0);
	session_table_free(x.at);
}

static void other_keys_are_refused_on_both_sides(void **state)
{
	struct pair x = { 0 };
	struct prove_res nothing = { 0 };

	(void)state;
	assert_int_equal(prove(&x, &k2, &k1), -1);
	assert_non_null(strstr(x.e.msg, "cluster key is missing or wrong"));
	assert_int_equal(prove(&x, &k1, &k1), 0);
	assert_int_equal(proof_end(&x.p, &nothing, &x.s, &x.e), -1);
	x.room[PROOF_BYTES] ^= 1;
	assert_int_equal(proof_end(&x.p, &x.res, &x.s, &x.e), -1);
	session_table_free(x.at);
}

/* Frequent proofs cost no more than this; a client proves itself again if its session is gone. */
static void sessions_are_bounded(void **state)
{
	unsigned char mac[PROOF_MAC];
	struct pair x = { 0 };
	bool again;

	(void)state;
	assert_int_equal(prove(&x, &k1, &k1), 0);
	struct client_session first = x.s;
	clock_sleep(3);
	for (int i = 0; i < PROOF_SESSIONS; i++)
		assert_int_equal(prove(&x, &k1, &k1), 0);
	struct request q = request("file", "body"), last = q;
	proof_sign(&first, &q, mac);
	assert_int_equal(check(&x, &q, &again), -1);
	assert_true(again);
	proof_sign(&x.s, &last, mac);
	assert_int_equal(check(&x, &last, &again), 0);
	session_table_free(x.at);
}

/* ---- proofs over connections ---- */

static char url[128];
static atomic_int heard;

static const char *fresh_url(void)
{
	static int n;

	snprintf(url, sizeof url, "ipc://%s/%d", private_folder(), n++);
	return url;
}

static void on_request(void *arg, struct wire_request *r)
{
	struct file_res res = { .path = "p", .blob = "b", .content = "" };

	(void)arg;
	atomic_fetch_add(&heard, 1);
	wire_answer(r, &rec_file_res, &res, NULL, NULL);
}

static int ask(struct wire_peer *p, struct err *e)
{
	struct arena *a = arena_new();
	struct file_req q = { .path = "secret.c" };
	struct file_res res;
	int rc = wire_call(p, "file", &rec_file_req, &q, "r1", 60000, &rec_file_res, &res, NULL, a, e);

	arena_free(a);
	return rc;
}

static void a_stranger_hears_nothing(void **state)
{
	static const struct wire_trust none = { 0 };
	const struct { const struct wire_trust *server, *client; const char *why; } rows[] = {
		{ &none, &k1, "does not prove" },
		{ &k2, &k1, "wrong" },
		{ &k1, &none, "missing" },
	};
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		struct wire_server *w = wire_listen(fresh_url(), rows[i].server, 4, on_request, NULL, &e);
		struct wire_peer *p = wire_dial(url, rows[i].client, &e);
		atomic_store(&heard, 0);
		assert_int_equal(ask(p, &e), -1);
		assert_int_equal(e.code, ERR_FORBIDDEN);
		if (!strstr(e.msg, rows[i].why))
			fail_msg("%zu: %s", i, e.msg);
		assert_int_equal(atomic_load(&heard), 0);
		wire_peer_free(p);
		wire_server_free(w);
	}
}

static void who_was_started_again_is_proven_to_again(void **state)
{
	struct err e = { 0 };
	struct wire_server *w = wire_listen(fresh_url(), &k1, 4, on_request, NULL, &e);
	struct wire_peer *p = wire_dial(url, &k1, &e);

	(void)state;
	for (int i = 0; i < 3; i++) {
		if (ask(p, &e))
			fail_msg("%s", e.msg);
		wire_server_free(w);
		for (int k = 0; k < 6000 && wire_connected(p);
		     k++) /* what it still sent there would be lost */
			clock_sleep(10);
		assert_non_null(w = wire_listen(url, &k1, 4, on_request, NULL, &e));
	}
	if (ask(p, &e))
		fail_msg("%s", e.msg);
	wire_peer_free(p);
	wire_server_free(w);
}

static void write_keys(const char *path, const char *text)
{
	char tmp[200];

	snprintf(tmp, sizeof tmp, "%s.tmp", path);
	FILE *f = fopen(tmp, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(rename(tmp, path), 0);
}

struct asker {
	struct wire_peer *p;
	atomic_bool stop;
	atomic_int asked;
	int failed;
	struct err e;
};

static void *keep_asking(void *arg)
{
	struct asker *x = arg;

	while (!atomic_load(&x->stop)) {
		x->asked++;
		x->failed += ask(x->p, &x->e) != 0;
		clock_sleep(1);
	}
	return NULL;
}

/* Whether the keys in use are those in the file. */
static bool is_read(const char *path, const char *text)
{
	struct keyring *ring = keyring_of(&(struct wire_trust){ .key_file = path });
	char copy[64], *rest = copy, *line;
	size_t n = 0;

	snprintf(copy, sizeof copy, "%s", text);
	while ((line = strsep(&rest, "\n")))
		if (*line && *line != '#' &&
		    keyring_at(ring, n++) != keyring_at(keyring_of(&(struct wire_trust){ .key = line }), 0))
			return false;
	return !keyring_at(ring, n);
}

/* Waits until the files are checked, which is once a second, then sends a few requests. */
static void wait_keys(const char *path, const char *text, struct asker *x)
{
	for (int i = 0; i < 6000 && !is_read(path, text); i++)
		clock_sleep(10);
	assert_true(is_read(path, text));
	for (int i = 0, asked = x->asked; i < 6000 && x->asked < asked + 3; i++)
		clock_sleep(10);
}

/* The two ends reload their files at different times, like two hosts; requests continue. */
static void keys_change_without_a_failed_question(void **state)
{
	static const char *const steps[][2] = {
		/* the server's file, the client's */
		{ "old\n", "old\n" },
		{ "old\nnew\n", "old\n" },
		{ "old\nnew\n", "old\nnew\n" },
		{ "old\nnew\n", "# now\nnew\nold\n" },
		{ "new\nold\n", "new\nold\n" },
		{ "new\n", "new\nold\n" },
		{ "# out\nnew\n", "new\n" },
	};
	char there[64], here[64];
	struct err e = { 0 };
	struct asker x = { 0 };
	pthread_t t;

	(void)state;
	snprintf(there, sizeof there, "/tmp/atoll-test-key-%d-a", (int)getpid());
	snprintf(here, sizeof here, "/tmp/atoll-test-key-%d-b", (int)getpid());
	write_keys(there, steps[0][0]);
	write_keys(here, steps[0][1]);
	struct wire_server *w = wire_listen(
	    fresh_url(), &(struct wire_trust){ .key_file = there }, 4, on_request, NULL, &e);
	assert_non_null(x.p = wire_dial(url, &(struct wire_trust){ .key_file = here }, &e));
	assert_int_equal(pthread_create(&t, NULL, keep_asking, &x), 0);
	for (size_t i = 0; i < LEN(steps); i++) {
		write_keys(there, steps[i][0]);
		write_keys(here, steps[i][1]);
		wait_keys(there, steps[i][0], &x);
		wait_keys(here, steps[i][1], &x);
	}
	atomic_store(&x.stop, true);
	pthread_join(t, NULL);
	if (x.failed)
		fail_msg("%d of %d failed: %s", x.failed, x.asked, x.e.msg);
	/* and the old one is out */
	struct wire_peer *late = wire_dial(url, &(struct wire_trust){ .key = "old" }, &e);
	assert_int_equal(ask(late, &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	/* a line that begins with # is no key */
	struct wire_peer *stranger = wire_dial(url, &(struct wire_trust){ .key = "# out" }, &e);
	e = (struct err){ 0 };
	assert_int_equal(ask(stranger, &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	wire_peer_free(stranger);
	/* a file that is gone, or empty, changes nothing */
	unlink(there);
	write_keys(here, "");
	clock_sleep(1100);
	assert_int_equal(ask(x.p, &e), 0);
	wire_peer_free(late);
	wire_peer_free(x.p);
	wire_server_free(w);
	unlink(here);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_may_differ_by_two_minutes),
		cmocka_unit_test(nothing_is_taken_twice),
		cmocka_unit_test(what_is_changed_on_the_way_is_refused),
		cmocka_unit_test(other_keys_are_refused_on_both_sides),
		cmocka_unit_test(sessions_are_bounded),
		cmocka_unit_test(a_stranger_hears_nothing),
		cmocka_unit_test(who_was_started_again_is_proven_to_again),
		cmocka_unit_test(keys_change_without_a_failed_question),
	};

	log_init("test", LOG_ERROR);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
