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
#include "proto/record/codec.h"
#include "proto/wire/wire_internal.h"
#include "proto/wire/wire_proof.h"

enum { RECONNECT_MIN = 50, RECONNECT_EAGER = 1000, RECONNECT_MAX = 4000, SHORT_REPLY = 600,
    AGAIN_MS = 20 };

void *wire_check_alloc(void *p)
{
	if (!p)
		die("out of memory");
	return p;
}

bool wire_is_tls(const char *url)
{
	return !strncmp(url, "tls+", 4);
}

int wire_bad_address(int rc, const char *what, const char *url, struct err *e)
{
	bool taken = rc == NNG_EADDRINUSE || rc == NNG_EPERM;

	return err_set(
	    e, taken ? ERR_UNAVAILABLE : ERR_INVALID_INPUT, "%s %s: %s", what, url, nng_strerror(rc));
}

/* ---- asking ---- */

/*
 * One request at a time on its own context; kept for the next one, because a context must not end
 * in its callback.
 */
struct wire_call_state {
	struct wire_peer *peer;
	struct wire_call_state *next;	/* in `idle`, or in `busy` with prev */
	struct wire_call_state *prev;
	nng_ctx ctx;
	nng_aio *aio;
	nng_aio *send_aio;		/* sends at once or not at all, without a thread being woken for it */
	bool sent;
	/* what is on its way is a proof; rests on a session, so it is for this connection alone */
	bool proving, uses_session;
	bool again;		/* has been asked twice, with a second proof */
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
	struct keyring *ring;	/* NULL: without a cluster key */
	pthread_mutex_t lock;	/* guards what follows */
	struct client_session session;	/* of this connection */
	pthread_cond_t drained;	/* nothing is busy */
	struct wire_call_state *idle, *busy;
	int pipes;
	bool closing;
	void (*again)(void *);	/* told of each connection */
	void *again_arg;
	nng_dialer dialer;
};

static void busy_add(struct wire_call_state *k)
{
	struct wire_peer *p = k->peer;

	k->sent = k->proving = k->uses_session = k->again = false;
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

static struct wire_reply *reply_new(const struct wire_peer *p, nng_msg *m, int rc)
{
	struct wire_reply *r = wire_check_alloc(calloc(1, sizeof *r));

	r->m = m;
	r->rc = rc;
	const char *path = NULL;
	if (!strncmp(p->url, "ipc://", 6))
		path = strrchr(p->url, '/');
	/* callers hear it: not where a socket is on the disk */
	snprintf(r->name, sizeof r->name, "%s", path ? path + 1 : p->url);
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

/* The request is out. */
static void await_reply(struct wire_call_state *k)
{
	int64_t left = k->deadline_ms - clock_ms();

	pthread_mutex_lock(&k->peer->lock);
	k->sent = true;
	bool lost = !k->peer->pipes || k->peer->closing;
	pthread_mutex_unlock(&k->peer->lock);
	if (lost) {
		finish(k, NULL, NNG_ECONNRESET);
		return;
	}
	nng_aio_set_timeout(k->aio, left > 1 ? (nng_duration)left : 1);
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

/* A proof of the cluster key, or NULL when there is none to be had. */
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

/* What is to be sent next: the request, or before it the proof that this connection still wants. */
static nng_msg *envelope(struct wire_call_state *k)
{
	struct wire_peer *p = k->peer;
	unsigned char mac[PROOF_MAC];
	int64_t left = k->deadline_ms - clock_ms();
	struct request q = { .v = WIRE_VERSION,
		.rpc = k->rpc,
		.req = k->req,
		.caller = k->caller,
		.deadline_ms = (uint64_t)(left > 0 ? left : 1),
		.body = { k->body.p, k->body.n } };
	struct client_session s;

	pthread_mutex_lock(&p->lock);
	if (p->session.key && !keyring_has(p->ring, p->session.key))
		p->session.key = NULL;
	s = p->session;
	p->session.count += s.key != NULL;
	k->uses_session = s.key != NULL;
	k->proving = p->ring && !s.key;
	pthread_mutex_unlock(&p->lock);
	if (k->proving)
		return pack_proof(k, &q);
	if (s.key)
		proof_sign(&s, &q, mac);
	return pack(&q);
}

/*
 * Whether the connection took the message: mostly, unless another one is just being written to it.
 */
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
	int64_t left = k->deadline_ms - clock_ms();

	pthread_mutex_lock(&k->peer->lock);	/* on_pipe looks */
	k->sent = false;
	pthread_mutex_unlock(&k->peer->lock);
	if (!m)
		finish(k, NULL, NNG_EPEERAUTH);
	else if (send_now(k, m))
		await_reply(k);
	else {
		nng_aio_set_timeout(k->aio, left > 1 ? (nng_duration)left : 1);
		nng_aio_set_msg(k->aio, m);
		nng_ctx_send(k->ctx, k->aio);
	}
}

/* The answer to a proof: 0 when the request may follow; -1: it was handed on as why not. */
static int handle_proof_reply(struct wire_call_state *k, nng_msg *m)
{
	struct wire_peer *p = k->peer;
	struct arena *a = arena_new();
	struct reply reply;
	struct prove_res res;
	struct client_session s;
	bool read = !codec_get(&rec_reply, &reply, nng_msg_body(m), nng_msg_len(m), a, NULL);
	bool refused = read && reply.code && *reply.code;
	bool good = read && !refused &&
	    !codec_get(&rec_prove_res, &res, reply.body.p, reply.body.n, a, NULL) &&
	    !proof_end(&k->proof, &res, &s, NULL);

	if (refused)
		wire_log_refusal(WIRE_REFUSAL_KEY, p->url, "dial",
		    "it refuses the proof of the cluster key: %s", reply.message ? reply.message : "");
	else if (!good)
		wire_log_refusal(
		    WIRE_REFUSAL_UNPROVEN, p->url, "dial", "it does not prove that it has the cluster key");
	arena_free(a);
	if (!refused)
		nng_msg_free(m);
	if (!good) {
		finish(k, refused ? m : NULL, NNG_EPEERAUTH);
		return -1;
	}
	pthread_mutex_lock(&p->lock);
	if (!p->session.key)
		p->session = s;
	pthread_mutex_unlock(&p->lock);
	return 0;
}

/*
 * Whether a reply only says that the session is unknown there, as after a start: not a second
 * time.
 */
static bool needs_new_proof(struct wire_call_state *k, nng_msg *m)
{
	struct wire_peer *p = k->peer;
	struct reply reply;

	if (!k->uses_session || k->again || nng_msg_len(m) > SHORT_REPLY)
		return false;
	struct arena *a = arena_new();
	k->again = !codec_get(&rec_reply, &reply, nng_msg_body(m), nng_msg_len(m), a, NULL) &&
	    reply.again;
	arena_free(a);
	if (k->again) {
		pthread_mutex_lock(&p->lock);
		p->session.key = NULL;
		pthread_mutex_unlock(&p->lock);
		nng_msg_free(m);
	}
	return k->again;
}

static void on_call_step(void *arg)
{
	struct wire_call_state *k = arg;
	int rc = nng_aio_result(k->aio);
	nng_msg *m = nng_aio_get_msg(k->aio);
	/* a proof that is refused ends it: it may be somebody else's then */
	bool proving = k->proving;

	if (rc && !k->sent)
		nng_msg_free(m);
	if (rc)
		finish(k, NULL, rc);
	else if (!k->sent)
		await_reply(k);
	else if (proving ? !handle_proof_reply(k, m) : needs_new_proof(k, m))
		transmit(k);
	else if (!proving)
		finish(k, m, 0);
}

/*
 * A lost connection fails what was sent over it, at once; nng would send it again and wait.
 * Counted from ADD_PRE, because nng sends over a new pipe before it reports ADD_POST.
 */
static void on_pipe(nng_pipe pipe, nng_pipe_ev ev, void *arg)
{
	struct wire_peer *p = arg;

	(void)pipe;
	pthread_mutex_lock(&p->lock);
	p->pipes += ev == NNG_PIPE_EV_ADD_PRE ? 1 : -1;
	if (ev == NNG_PIPE_EV_REM_POST)
		p->session.key = NULL;	/* who is there next has to prove itself */
	if (ev == NNG_PIPE_EV_REM_POST)
		for (struct wire_call_state *k = p->busy; k; k = k->next)
			if (k->sent || k->uses_session)
				nng_aio_abort(k->aio, NNG_ECONNRESET);
	void (*again)(void *) = ev == NNG_PIPE_EV_ADD_PRE ? p->again : NULL;
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

struct wire_peer *wire_dial(const char *url, const struct wire_trust *t, struct err *e)
{
	struct wire_peer *p = wire_check_alloc(calloc(1, sizeof *p));

	p->url = wire_check_alloc(strdup(url));
	p->ring = keyring_of(t);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->drained, NULL);
	wire_start();
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
	/* from the first time on: all who lost a peer at once do not fall upon it at once */
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
 * With the lock held: end what is under way, and wait a while.  What is just about to be begun
 * with nng is not ended by that: again then.
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
	struct wire_call_state *k = wire_check_alloc(calloc(1, sizeof *k));

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
 * An idle or new context, put among the busy; NULL when the peer is closing, or not connected and
 * that must not be.
 */
static struct wire_call_state *call_state_acquire(struct wire_peer *p, bool fail_fast)
{
	pthread_mutex_lock(&p->lock);
	bool refuse = p->closing || (fail_fast && !p->pipes);
	struct wire_call_state *k = NULL;
	if (!refuse)
		k = p->idle;
	if (k) {
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
	snprintf(k->req, sizeof k->req, "%s", req ? req : "");
	codec_put(rec, request, &k->body);
	transmit(k);
}
