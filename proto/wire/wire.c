#include "proto/wire/wire.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/record/codec.h"
#include "proto/wire/wire_internal.h"
#include "proto/wire/wire_proof.h"

enum { RECONNECT_MIN = 50, RECONNECT_EAGER = 1000, RECONNECT_MAX = 4000, SHORT_REPLY = 600,
    AGAIN_MS = 20 };

/* ---- client ---- */

/*
 * A context with one request at a time.  It is reused for the next request, because nng crashes
 * when a context is closed in its own callback.
 */
struct wire_call_state {
	struct wire_peer *peer;
	struct wire_call_state *next;	/* in `idle`, or in `busy` with prev */
	struct wire_call_state *prev;
	nng_ctx ctx;
	nng_aio *aio;
	nng_aio *send_aio;		/* sends at once or fails, without waking a thread */
	bool sent;
	bool proving;		/* the message in progress is a proof, not the request */
	bool uses_session;	/* the request is signed for a session, so for this connection only */
	bool again;		/* sent a second time, after a new proof */
	struct proof proof;
	const char *rpc;
	char req[64];
	struct buf body;
	int64_t deadline_ms;
	void (*done)(void *, struct wire_reply *);
	void *arg;
	uint64_t caller;
};

struct wire_peer {
	nng_socket s;
	char *url;
	struct keyring *ring;	/* NULL without a cluster key */
	pthread_mutex_t lock;	/* guards the fields below */
	struct client_session session;	/* of the current connection */
	pthread_cond_t drained;	/* signalled when `busy` becomes empty */
	struct wire_call_state *idle, *busy;
	int pipes;
	bool closing;
	void (*again)(void *);	/* called for each new connection */
	void *again_arg;
	nng_dialer dialer;
};

static void busy_add(struct wire_call_state *k)
{
	struct wire_peer *p = k->peer;

	k->sent = false;
	k->proving = false;
	k->uses_session = false;
	k->again = false;
	k->prev = NULL;
	k->next = p->busy;
	if (p->busy)
		p->busy->prev = k;
	p->busy = k;
}

static void busy_remove(struct wire_call_state *k)
{
	struct wire_peer *p = k->peer;

	if (k->prev)
		k->prev->next = k->next;
	else
		p->busy = k->next;
	if (k->next)
		k->next->prev = k->prev;
}

/* The peer's name in messages.  Clients see them, so it does not contain the folder of a socket. */
static const char *peer_name(const struct wire_peer *p)
{
	if (!strncmp(p->url, "ipc://", 6))
		return strrchr(p->url, '/') + 1;
	return p->url;
}

static struct wire_reply *reply_new(const struct wire_peer *p, nng_msg *m, int rc)
{
	struct wire_reply *r = xcalloc(1, sizeof *r);

	r->m = m;
	r->rc = rc;
	snprintf(r->name, sizeof r->name, "%s", peer_name(p));
	return r;
}

static void finish(struct wire_call_state *k, nng_msg *m, int rc)
{
	struct wire_peer *p = k->peer;
	struct wire_reply *r = reply_new(p, m, rc);
	void (*done)(void *, struct wire_reply *) = k->done;
	void *arg = k->arg;

	buf_free(&k->body);
	done(arg, r);
	pthread_mutex_lock(&p->lock);
	busy_remove(k);
	k->next = p->idle;
	p->idle = k;
	if (!p->busy)
		pthread_cond_broadcast(&p->drained);
	pthread_mutex_unlock(&p->lock);
}

/* Milliseconds to the deadline, at least 1: nng takes 0 and less for something else. */
static int64_t remaining_ms(const struct wire_call_state *k)
{
	int64_t left = k->deadline_ms - clock_ms();

	return MAX(left, 1);
}

/* After the request was sent. */
static void await_reply(struct wire_call_state *k)
{
	pthread_mutex_lock(&k->peer->lock);
	k->sent = true;
	bool lost = !k->peer->pipes || k->peer->closing;
	pthread_mutex_unlock(&k->peer->lock);
	if (lost) {
		finish(k, NULL, NNG_ECONNRESET);
		return;
	}
	nng_aio_set_timeout(k->aio, (nng_duration)remaining_ms(k));
	nng_ctx_recv(k->ctx, k->aio);
}

static nng_msg *pack(const struct request *q)
{
	struct buf all = { 0 };
	nng_msg *m;

	codec_put(&rec_request, q, &all);
	if (nng_msg_alloc(&m, 0) || nng_msg_append(m, all.p, all.n))
		die("nng cannot allocate");
	buf_free(&all);
	return m;
}

/* A proof of the cluster key, or NULL if the key cannot be read. */
static nng_msg *pack_proof(struct wire_call_state *k, struct request *q)
{
	struct buf body = { 0 };

	if (!keyring_primary(k->peer->ring))
		return NULL;
	proof_begin(&k->proof, k->peer->ring);
	codec_put(&rec_prove_req, &k->proof.req, &body);
	q->rpc = "prove";
	q->body = (struct bytes){ body.p, body.n };
	nng_msg *m = pack(q);
	buf_free(&body);
	return m;
}

/*
 * The session for the next message, which takes its number in it.  No key: there is none yet, or
 * its key is not accepted any more.
 */
static struct client_session use_session(struct wire_call_state *k)
{
	struct wire_peer *p = k->peer;

	pthread_mutex_lock(&p->lock);
	if (p->session.key && !keyring_has(p->ring, p->session.key))
		p->session.key = NULL;
	struct client_session s = p->session;
	k->uses_session = s.key != NULL;
	k->proving = p->ring && !s.key;
	if (k->uses_session)
		p->session.count++;
	pthread_mutex_unlock(&p->lock);
	return s;
}

/* The next message: the request, or the proof that this connection needs before it. */
static nng_msg *envelope(struct wire_call_state *k)
{
	unsigned char mac[PROOF_MAC];
	struct request q = { .v = WIRE_VERSION,
		.rpc = k->rpc,
		.req = k->req,
		.caller = k->caller,
		.deadline_ms = (uint64_t)remaining_ms(k),
		.body = { k->body.p, k->body.n } };
	struct client_session s = use_session(k);

	if (k->proving)
		return pack_proof(k, &q);
	if (s.key)
		proof_sign(&s, &q, mac);
	return pack(&q);
}

/* Returns whether the connection took the message; usually, unless another is being written. */
static bool send_now(struct wire_call_state *k, nng_msg *m)
{
	nng_aio_set_msg(k->send_aio, m);
	nng_ctx_send(k->ctx, k->send_aio);
	nng_aio_wait(k->send_aio);
	return !nng_aio_result(k->send_aio);
}

static void transmit(struct wire_call_state *k)
{
	nng_msg *m = envelope(k);

	pthread_mutex_lock(&k->peer->lock);	/* on_pipe reads `sent` */
	k->sent = false;
	pthread_mutex_unlock(&k->peer->lock);
	if (!m) {
		finish(k, NULL, NNG_EPEERAUTH);
		return;
	}
	if (send_now(k, m)) {
		await_reply(k);
		return;
	}
	nng_aio_set_timeout(k->aio, (nng_duration)remaining_ms(k));
	nng_aio_set_msg(k->aio, m);
	nng_ctx_send(k->ctx, k->aio);
}

static int read_reply(nng_msg *m, struct reply *out, struct arena *a)
{
	return codec_get(&rec_reply, out, nng_msg_body(m), nng_msg_len(m), a, NULL);
}

enum proof_outcome { PROOF_GOOD, PROOF_REFUSED, PROOF_BAD };

/* Reads the answer to a proof, and logs why it is not good. */
static enum proof_outcome check_proof_reply(
    struct wire_call_state *k, nng_msg *m, struct client_session *out, struct arena *a)
{
	const char *url = k->peer->url;
	struct reply reply;
	struct prove_res res;
	bool read = !read_reply(m, &reply, a);

	if (read && reply.code && *reply.code) {
		wire_log_refusal(WIRE_REFUSAL_KEY, url, "dial",
		    "it refuses the proof of the cluster key: %s", text_or_empty(reply.message));
		return PROOF_REFUSED;
	}
	if (read)
		read = !codec_get(&rec_prove_res, &res, reply.body.p, reply.body.n, a, NULL);
	if (read && !proof_end(&k->proof, &res, out, NULL))
		return PROOF_GOOD;
	wire_log_refusal(
	    WIRE_REFUSAL_UNPROVEN, url, "dial", "it does not prove that it has the cluster key");
	return PROOF_BAD;
}

/* Handles the answer to a proof.  0 if the request may follow, -1 if the call has ended. */
static int handle_proof_reply(struct wire_call_state *k, nng_msg *m)
{
	struct wire_peer *p = k->peer;
	struct arena *a = arena_new();
	struct client_session s;
	enum proof_outcome outcome = check_proof_reply(k, m, &s, a);

	arena_free(a);
	if (outcome == PROOF_REFUSED) {
		finish(k, m, NNG_EPEERAUTH);
		return -1;
	}
	nng_msg_free(m);
	if (outcome == PROOF_BAD) {
		finish(k, NULL, NNG_EPEERAUTH);
		return -1;
	}
	pthread_mutex_lock(&p->lock);
	if (!p->session.key)
		p->session = s;
	pthread_mutex_unlock(&p->lock);
	return 0;
}

/*
 * Whether the reply only reports that the peer does not know the session, for example after a
 * restart.  Then forgets the session and frees the reply; at most once per call.
 */
static bool needs_new_proof(struct wire_call_state *k, nng_msg *m)
{
	struct wire_peer *p = k->peer;
	struct reply reply;

	if (!k->uses_session || k->again || nng_msg_len(m) > SHORT_REPLY)
		return false;
	struct arena *a = arena_new();
	if (!read_reply(m, &reply, a))
		k->again = reply.again;
	arena_free(a);
	if (!k->again)
		return false;
	pthread_mutex_lock(&p->lock);
	p->session.key = NULL;
	pthread_mutex_unlock(&p->lock);
	nng_msg_free(m);
	return true;
}

static void handle_reply(struct wire_call_state *k, nng_msg *m)
{
	if (k->proving) {
		if (!handle_proof_reply(k, m))
			transmit(k);
	} else if (needs_new_proof(k, m)) {
		transmit(k);
	} else {
		finish(k, m, 0);
	}
}

static void on_call_step(void *arg)
{
	struct wire_call_state *k = arg;
	int rc = nng_aio_result(k->aio);
	nng_msg *m = nng_aio_get_msg(k->aio);

	if (rc) {
		if (!k->sent)
			nng_msg_free(m);
		finish(k, NULL, rc);
		return;
	}
	if (k->sent)
		handle_reply(k, m);
	else
		await_reply(k);
}

/*
 * With the lock: a lost connection fails the requests sent over it at once; nng would send them
 * again and wait.  The next peer at the address has to prove itself.
 */
static void lose_connection(struct wire_peer *p)
{
	p->pipes--;
	p->session.key = NULL;
	for (struct wire_call_state *k = p->busy; k; k = k->next)
		if (k->sent || k->uses_session)
			nng_aio_abort(k->aio, NNG_ECONNRESET);
}

/* Counts from ADD_PRE, because nng sends over a new pipe before it reports ADD_POST. */
static void on_pipe(nng_pipe pipe, nng_pipe_ev ev, void *arg)
{
	struct wire_peer *p = arg;
	void (*again)(void *) = NULL;

	(void)pipe;
	pthread_mutex_lock(&p->lock);
	if (ev == NNG_PIPE_EV_ADD_PRE) {
		p->pipes++;
		again = p->again;
	} else {
		lose_connection(p);
	}
	void *again_arg = p->again_arg;
	pthread_mutex_unlock(&p->lock);
	if (again)
		again(again_arg);
}

static int start_dialer(
    struct wire_peer *p, const char *url, const struct wire_trust *t, struct err *e)
{
	nng_dialer d;

	if (wire_check("dial", url, t, e))
		return -1;
	int rc = nng_dialer_create(&d, p->s, url);
	if (rc)
		return wire_bad_address(rc, "dial", url, e);
	if (wire_is_tls(url)) {
		nng_tls_config *tls = wire_tls(NNG_TLS_MODE_CLIENT, t, url, e);
		if (!tls)
			return -1;
		rc = nng_dialer_set_ptr(d, NNG_OPT_TLS_CONFIG, tls);
		nng_tls_config_free(tls);
	}
	p->dialer = d;
	if (!rc)
		rc = nng_dialer_start(d, NNG_FLAG_NONBLOCK);
	if (rc)
		return wire_bad_address(rc, "dial", url, e);
	return 0;
}

static int open_socket(struct wire_peer *p)
{
	int rc = nng_req0_open(&p->s);

	if (!rc)
		rc = nng_socket_set_size(p->s, NNG_OPT_RECVMAXSZ, WIRE_MAX);
	if (!rc)
		rc = nng_socket_set_ms(p->s, NNG_OPT_REQ_RESENDTIME, NNG_DURATION_INFINITE);
	if (!rc)
		rc = nng_socket_set_ms(p->s, NNG_OPT_RECONNMINT, RECONNECT_MIN);
	if (!rc)
		rc = nng_socket_set_ms(p->s, NNG_OPT_RECONNMAXT, RECONNECT_MAX);
	if (!rc)
		rc = nng_pipe_notify(p->s, NNG_PIPE_EV_ADD_PRE, on_pipe, p);
	if (!rc)
		rc = nng_pipe_notify(p->s, NNG_PIPE_EV_REM_POST, on_pipe, p);
	return rc;
}

struct wire_peer *wire_dial(const char *url, const struct wire_trust *t, struct err *e)
{
	struct wire_peer *p = xcalloc(1, sizeof *p);

	p->url = xstrdup(url);
	p->ring = keyring_of(t);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->drained, NULL);
	wire_start();
	int rc = open_socket(p);
	if (rc)
		err_set(e, ERR_UNAVAILABLE, "nng: %s", nng_strerror(rc));
	if (rc || start_dialer(p, url, t, e)) {
		wire_peer_free(p);
		return NULL;
	}
	return p;
}

void wire_set_redial_spread(struct wire_peer *p, int ms)
{
	/* equal bounds make even the first delay random: the clients of a lost peer spread out */
	nng_dialer_set_ms(p->dialer, NNG_OPT_RECONNMINT, ms);
	nng_dialer_set_ms(p->dialer, NNG_OPT_RECONNMAXT, ms);
}

void wire_on_connect(struct wire_peer *p, void (*again)(void *), void *arg)
{
	pthread_mutex_lock(&p->lock);
	p->again = again;
	p->again_arg = arg;
	pthread_mutex_unlock(&p->lock);
}

void wire_set_eager_redial(struct wire_peer *p, void (*again)(void *), void *arg)
{
	nng_dialer_set_ms(p->dialer, NNG_OPT_RECONNMAXT, RECONNECT_EAGER);
	wire_on_connect(p, again, arg);
}

bool wire_connected(const struct wire_peer *p)
{
	pthread_mutex_t *lock = (pthread_mutex_t *)&p->lock;

	pthread_mutex_lock(lock);
	bool up = p->pipes > 0;
	pthread_mutex_unlock(lock);
	return up;
}

/*
 * With the lock: aborts the requests in progress and waits a moment.  That does not stop a request
 * that is just being handed to nng, so it has to be repeated until none is left.
 */
static void fail_busy(struct wire_peer *p)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += AGAIN_MS * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	for (struct wire_call_state *k = p->busy; k; k = k->next)
		nng_aio_abort(k->aio, NNG_ECONNRESET);
	pthread_cond_timedwait(&p->drained, &p->lock, &t);
}

void wire_peer_free(struct wire_peer *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->closing = true;
	while (p->busy)
		fail_busy(p);
	struct wire_call_state *idle = p->idle;
	pthread_mutex_unlock(&p->lock);
	for (struct wire_call_state *k = idle, *next; k; k = next) {
		next = k->next;
		nng_aio_stop(k->aio);
		nng_aio_free(k->aio);
		nng_aio_free(k->send_aio);
		nng_ctx_close(k->ctx);
		buf_free(&k->body);
		free(k);
	}
	nng_close(p->s);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->drained);
	free(p->url);
	free(p);
}

static struct wire_call_state *call_state_new(struct wire_peer *p)
{
	struct wire_call_state *k = xcalloc(1, sizeof *k);

	k->peer = p;
	if (nng_ctx_open(&k->ctx, p->s) || nng_aio_alloc(&k->aio, on_call_step, k) ||
	    nng_aio_alloc(&k->send_aio, NULL, NULL))
		die("nng cannot allocate");
	nng_aio_set_timeout(k->send_aio, NNG_DURATION_ZERO);
	pthread_mutex_lock(&p->lock);
	busy_add(k);
	pthread_mutex_unlock(&p->lock);
	return k;
}

/*
 * An idle or a new context, moved to the busy ones.  NULL if the peer is closing, or if it is not
 * connected and `fail_fast` is set.
 */
static struct wire_call_state *call_state_acquire(struct wire_peer *p, bool fail_fast)
{
	struct wire_call_state *k = NULL;

	pthread_mutex_lock(&p->lock);
	bool refuse = p->closing || (fail_fast && !p->pipes);
	if (!refuse && p->idle) {
		k = p->idle;
		p->idle = k->next;
		busy_add(k);
	}
	pthread_mutex_unlock(&p->lock);
	if (k || refuse)
		return k;
	return call_state_new(p);
}

void wire_call_async(struct wire_peer *p, const char *rpc, const struct record *rec,
    const void *request, const char *req, int timeout_ms, bool fail_fast,
    void (*done)(void *, struct wire_reply *), void *arg)
{
	wire_call_async_for(p, 0, rpc, rec, request, req, timeout_ms, fail_fast, done, arg);
}

void wire_call_async_for(struct wire_peer *p, uint64_t caller, const char *rpc,
    const struct record *rec, const void *request, const char *req, int timeout_ms, bool fail_fast,
    void (*done)(void *, struct wire_reply *), void *arg)
{
	struct wire_call_state *k = call_state_acquire(p, fail_fast);

	if (!k) {
		done(arg, reply_new(p, NULL, NNG_ECONNREFUSED));
		return;
	}
	k->done = done;
	k->arg = arg;
	k->deadline_ms = clock_ms() + timeout_ms;
	k->rpc = rpc;
	k->caller = caller;
	snprintf(k->req, sizeof k->req, "%s", text_or_empty(req));
	codec_put(rec, request, &k->body);
	transmit(k);
}
