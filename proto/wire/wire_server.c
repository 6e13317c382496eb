#include "proto/wire/wire.h"

#include <ctype.h>
#include <errno.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <pthread.h>
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
#include "proto/wire/protocol_features.h"
#include "proto/wire/wire_internal.h"
#include "proto/wire/wire_proof.h"

/* IDLE_SLOTS: how many slots wait for requests, if `max` allows */
enum { DEFAULT_DEADLINE = 10000, DRAIN_TIMEOUT_MS = 5000, IDLE_SLOTS = 8, LONGEST_ID = 64 };

struct request_slot {
	struct wire_request r;	/* the first member, so that wire_answer can cast it to its slot */
	struct wire_server *server;
	nng_ctx ctx;
	nng_aio *aio;
	bool sending;
};

struct wire_server {
	nng_socket s;
	char *url;
	struct keyring *ring;		/* NULL without a cluster key */
	struct session_table *proofs;
	void (*on_request)(void *, struct wire_request *);
	void *arg;
	int max;
	pthread_mutex_t lock;	/* guards the fields below */
	pthread_cond_t answered;
	struct request_slot **slots;	/* an array of `max` */
	int n, waiting;		/* the number of slots, and of those that wait for a request */
	int in_progress;	/* requests received whose wire_answer has not returned */
	int nng_calls;		/* running calls of nng on a context */
	bool closing;
};

static void count_in_progress(struct wire_server *w, int by)
{
	pthread_mutex_lock(&w->lock);
	w->in_progress += by;
	pthread_cond_broadcast(&w->answered);
	pthread_mutex_unlock(&w->lock);
}

/*
 * Returns whether a context may be used; then leave() must follow.  nng 1.5 frees a context of a
 * closing socket when the last call on it returns, and panics if the socket is gone by then, so the
 * socket is closed when no call is running.
 */
static bool enter(struct wire_server *w)
{
	pthread_mutex_lock(&w->lock);
	bool open = !w->closing;
	if (open)
		w->nng_calls++;
	pthread_mutex_unlock(&w->lock);
	return open;
}

static void leave(struct wire_server *w)
{
	pthread_mutex_lock(&w->lock);
	w->nng_calls--;
	pthread_cond_broadcast(&w->answered);
	pthread_mutex_unlock(&w->lock);
}

static void receive(struct request_slot *s)
{
	s->sending = false;
	pthread_mutex_lock(&s->server->lock);
	s->server->waiting++;
	pthread_mutex_unlock(&s->server->lock);
	if (!enter(s->server))
		return;
	nng_ctx_recv(s->ctx, s->aio);
	leave(s->server);
}

static void send_reply(struct request_slot *s, const struct reply *reply)
{
	struct buf b = { 0 };
	nng_msg *m;

	codec_put(&rec_reply, reply, &b);
	arena_free(s->r.a);
	s->r.a = NULL;
	if (nng_msg_alloc(&m, 0) || nng_msg_append(m, b.p, b.n))
		die("nng cannot allocate");
	buf_free(&b);
	if (!enter(s->server)) {
		nng_msg_free(m);
		return;
	}
	s->sending = true;
	nng_aio_set_msg(s->aio, m);
	nng_ctx_send(s->ctx, s->aio);
	leave(s->server);
}

void wire_answer(struct wire_request *r, const struct record *rec, const void *res,
    const struct freshness *stamp, const struct err *e)
{
	struct request_slot *s = (struct request_slot *)r;
	struct reply reply = { .v = WIRE_VERSION };
	struct buf body = { 0 };

	if (e && e->code) {
		reply.code = err_name(e->code);
		reply.message = e->msg;
		reply.hint = e->hint;
	} else {
		codec_put(rec, res, &body);
		reply.body = (struct bytes){ body.p, body.n };
		reply.stamp = (struct freshness *)stamp;
	}
	send_reply(s, &reply);
	buf_free(&body);
	count_in_progress(s->server, -1);
}

/* The sender of a message, for the log. */
static void peer_of(nng_msg *m, char *out, size_t n)
{
	nng_pipe p = nng_msg_get_pipe(m);
	nng_sockaddr sa;
	uint64_t pid;

	if (!nng_pipe_get_uint64(p, NNG_OPT_IPC_PEER_PID, &pid))
		snprintf(out, n, "process %llu", (unsigned long long)pid);
	else if (nng_pipe_get_addr(p, NNG_OPT_REMADDR, &sa))
		snprintf(out, n, "unknown");
	else
		wire_address(&sa, out, n);
}

static void log_refusal(struct request_slot *s, nng_msg *m, const struct err *e)
{
	char peer[80];

	peer_of(m, peer, sizeof peer);
	wire_log_refusal(WIRE_REFUSAL_KEY, peer, s->server->url, "%s", e->msg);
}

/* Accepts a proof of the cluster key; without one there is nothing to prove. */
static void accept_proof(struct request_slot *s, nng_msg *m, const struct request *q,
    struct prove_res *res, unsigned char room[PROOF_BYTES + PROOF_MAC], struct err *e)
{
	struct wire_server *w = s->server;
	struct prove_req req;

	if (!w->ring || codec_get(&rec_prove_req, &req, q->body.p, q->body.n, s->r.a, e))
		return;
	if (session_table_accept(w->proofs, w->ring, &req, res, room, e))
		log_refusal(s, m, e);
}

/* Answers `prove`, which is not passed to on_request. */
static void answer_proof(struct request_slot *s, nng_msg *m, const struct request *q)
{
	unsigned char room[PROOF_BYTES + PROOF_MAC];
	struct prove_res res = { 0 };
	struct err e = { 0 };

	accept_proof(s, m, q, &res, room, &e);
	wire_answer(&s->r, &rec_prove_res, &res, NULL, &e);
}

/*
 * Every line of the log contains the request id, so it must have no character that could forge
 * another line.  The ids of wire_call_async are short enough.
 */
static bool is_id(const char *s)
{
	size_t n = 0;

	while (isgraph((unsigned char)s[n]))
		n++;
	return !s[n] && n < LONGEST_ID;
}

/* What becomes of a received message. */
enum opened { OPENED, OPEN_FAILED, OPEN_ANSWERED };

/* Answers that the session is unknown, so that the client proves itself again. */
static void ask_for_proof(struct request_slot *s, const struct err *e)
{
	const struct reply reply = {
		.v = WIRE_VERSION, .code = err_name(e->code), .message = e->msg, .again = true
	};

	send_reply(s, &reply);
	count_in_progress(s->server, -1);
}

/* Checks the signature of a request, if there is a cluster key. */
static enum opened verify(
    struct request_slot *s, nng_msg *m, const struct request *q, struct err *e)
{
	struct wire_server *w = s->server;
	bool again;

	if (!w->ring || !session_table_verify(w->proofs, w->ring, q, &again, e))
		return OPENED;
	if (again) {
		ask_for_proof(s, e);
		return OPEN_ANSWERED;
	}
	log_refusal(s, m, e);
	return OPEN_FAILED;
}

static void fill_request(struct wire_request *r, const struct request *q)
{
	uint64_t left = DEFAULT_DEADLINE;

	if (q->deadline_ms && q->deadline_ms < 86400000)
		left = q->deadline_ms;
	r->rpc = q->rpc;
	r->req = "";
	if (q->req && is_id(q->req))
		r->req = q->req;
	r->caller = q->caller;
	r->deadline_ms = clock_ms() + (int64_t)left;
	r->body = q->body;
}

static enum opened open_request(struct request_slot *s, nng_msg *m, struct err *e)
{
	struct request q;

	if (codec_get_request(&rec_request, &q, nng_msg_body(m), nng_msg_len(m), s->r.a, e))
		return OPEN_FAILED;
	if (!strcmp(q.rpc, "prove")) {
		answer_proof(s, m, &q);
		return OPEN_ANSWERED;
	}
	enum opened outcome = verify(s, m, &q, e);
	if (outcome != OPENED)
		return outcome;
	if (!features_version(q.v, q.v, "the client", e))
		return OPEN_FAILED;
	fill_request(&s->r, &q);
	return OPENED;
}

static void on_slot(void *arg);

/*
 * With the lock: whether another slot is needed.  Slots are added only when requests come, because
 * idle ones cost memory.  A closing socket gets none: nng 1.5 would open a context on it, and then
 * wait for ever for that to end.
 */
static bool needs_slot(const struct wire_server *w)
{
	if (w->closing)
		return false;
	return w->n < w->max && w->waiting < IDLE_SLOTS;
}

static void add_slot(struct wire_server *w)
{
	struct request_slot *s = xcalloc(1, sizeof *s);

	s->server = w;
	pthread_mutex_lock(&w->lock);
	bool add = needs_slot(w) && !nng_ctx_open(&s->ctx, w->s);
	if (add) {
		if (nng_aio_alloc(&s->aio, on_slot, s))
			die("nng cannot allocate");
		w->slots[w->n++] = s;
	}
	pthread_mutex_unlock(&w->lock);
	if (add)
		receive(s);
	else
		free(s);
}

static void remove_waiting(struct wire_server *w)
{
	pthread_mutex_lock(&w->lock);
	w->waiting--;
	pthread_mutex_unlock(&w->lock);
}

static void handle_message(struct request_slot *s, nng_msg *m)
{
	struct err e = { 0 };

	s->r.a = arena_new();
	count_in_progress(s->server, 1);
	add_slot(s->server);
	enum opened outcome = open_request(s, m, &e);
	nng_msg_free(m);
	if (outcome == OPEN_FAILED)
		wire_answer(&s->r, NULL, NULL, NULL, &e);
	else if (outcome == OPENED)
		s->server->on_request(s->server->arg, &s->r);
}

/* A slot has sent its reply, or has received a message. */
static void on_slot(void *arg)
{
	struct request_slot *s = arg;
	int rc = nng_aio_result(s->aio);
	bool closed = rc == NNG_ECLOSED || rc == NNG_ECANCELED;

	if (!s->sending)
		remove_waiting(s->server);
	else if (rc)
		nng_msg_free(nng_aio_get_msg(s->aio));
	if (closed)
		return;
	if (rc || s->sending)
		receive(s);
	else
		handle_message(s, nng_aio_get_msg(s->aio));
}

/* The URL with the port that the system chose in place of 0. */
static char *bound_url(nng_listener l, const char *url)
{
	const char *colon = strrchr(url, ':');
	int port = 0;
	char *out;

	if (!colon || strcmp(colon, ":0") != 0)
		return xstrdup(url);
	if (nng_listener_get_int(l, NNG_OPT_TCP_BOUND_PORT, &port))
		return xstrdup(url);
	if (asprintf(&out, "%.*s:%d", (int)(colon - url), url, port) < 0)
		die("out of memory");
	return out;
}

static int start_listener(
    struct wire_server *w, const char *url, const struct wire_trust *t, struct err *e)
{
	nng_listener l;

	if (wire_check("listen on", url, t, e))
		return -1;
	int rc = nng_listener_create(&l, w->s, url);
	if (rc)
		return wire_bad_address(rc, "listen on", url, e);
	if (wire_is_tls(url)) {
		nng_tls_config *tls = wire_tls(NNG_TLS_MODE_SERVER, t, url, e);
		if (!tls)
			return -1;
		rc = nng_listener_set_ptr(l, NNG_OPT_TLS_CONFIG, tls);
		nng_tls_config_free(tls);
	} else if (!strncmp(url, "ipc://", 6)) {
		rc = nng_listener_set_int(l, NNG_OPT_IPC_PERMISSIONS, 0600);
	}
	if (!rc)
		rc = nng_listener_start(l, 0);
	if (rc)
		return wire_bad_address(rc, "listen on", url, e);
	w->url = bound_url(l, url);
	return 0;
}

struct wire_server *wire_listen(const char *url, const struct wire_trust *t, int slots,
    void (*on_request)(void *, struct wire_request *), void *arg, struct err *e)
{
	struct wire_server *w = xcalloc(1, sizeof *w);

	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->answered, NULL);
	w->on_request = on_request;
	w->arg = arg;
	w->ring = keyring_of(t);
	w->proofs = session_table_new();
	wire_start();
	int rc = nng_rep0_open(&w->s);
	if (!rc)
		rc = nng_socket_set_size(w->s, NNG_OPT_RECVMAXSZ, WIRE_REQUEST_MAX);
	if (rc)
		err_set(e, ERR_UNAVAILABLE, "nng: %s", nng_strerror(rc));
	if (rc || start_listener(w, url, t, e)) {
		wire_server_free(w);
		return NULL;
	}
	w->slots = xcalloc((size_t)slots, sizeof *w->slots);
	w->max = slots;
	for (int i = 0; i < IDLE_SLOTS; i++)
		add_slot(w);
	return w;
}

const char *wire_url(const struct wire_server *w)
{
	return w->url;
}

/* Waits for the answers to the requests in progress.  False if they take too long. */
static bool await_answers(struct wire_server *w)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += DRAIN_TIMEOUT_MS / 1000;
	pthread_mutex_lock(&w->lock);
	while (w->in_progress && pthread_cond_timedwait(&w->answered, &w->lock, &end) != ETIMEDOUT)
		continue;
	bool all = !w->in_progress;
	pthread_mutex_unlock(&w->lock);
	return all;
}

void wire_server_free(struct wire_server *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->closing = true;
	while (w->nng_calls)
		pthread_cond_wait(&w->answered, &w->lock);
	pthread_mutex_unlock(&w->lock);
	nng_close(w->s);
	for (int i = 0; i < w->n; i++)
		nng_aio_stop(w->slots[i]->aio);	/* returns after on_slot has handled a received message */
	if (!await_answers(w))
		return;
	for (int i = 0; i < w->n; i++) {
		nng_aio_free(w->slots[i]->aio);
		arena_free(w->slots[i]->r.a);
		free(w->slots[i]);
	}
	pthread_cond_destroy(&w->answered);
	pthread_mutex_destroy(&w->lock);
	free(w->slots);
	free(w->url);
	session_table_free(w->proofs);
	free(w);
}

