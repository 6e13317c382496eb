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

/* SPARE: slots that wait for requests, if there may be so many */
enum { DEFAULT_DEADLINE = 10000, DRAIN_TIMEOUT_MS = 5000, IDLE_SLOTS = 8, LONGEST_ID = 64 };

struct request_slot {
	struct wire_request r;	/* first: wire_answer finds its slot by it */
	struct wire_server *server;
	nng_ctx ctx;
	nng_aio *aio;
	bool sending;
};

struct wire_server {
	nng_socket s;
	char *url;
	struct keyring *ring;		/* NULL: without a cluster key */
	struct session_table *proofs;
	void (*on_request)(void *, struct wire_request *);
	void *arg;
	int max;
	pthread_mutex_t lock;	/* guards what follows */
	pthread_cond_t answered;
	struct request_slot **slots;	/* room for `max` */
	int n, waiting;		/* how many there are; that wait for requests */
	int in_hand;		/* requests given to on_request whose wire_answer has not returned */
	int nng_calls;		/* calls of nng on a context */
	bool closing;
};

static void in_hand(struct wire_server *w, int by)
{
	pthread_mutex_lock(&w->lock);
	w->in_hand += by;
	pthread_cond_broadcast(&w->answered);
	pthread_mutex_unlock(&w->lock);
}

/*
 * Whether a context may be used.  In nng 1.5 the last to leave a context of a socket that is being
 * closed frees it when the socket may be gone already (it panics): so the socket is closed when
 * nobody is within.
 */
static bool enter(struct wire_server *w)
{
	pthread_mutex_lock(&w->lock);
	bool may = !w->closing;
	w->nng_calls += may;
	pthread_mutex_unlock(&w->lock);
	return may;
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
	in_hand(s->server, -1);
}

/* Who sent a message, for the log. */
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

static void refuse(struct request_slot *s, nng_msg *m, const struct err *e)
{
	char peer[80];

	peer_of(m, peer, sizeof peer);
	wire_log_refusal(WIRE_REFUSAL_KEY, peer, s->server->url, "%s", e->msg);
}

/* Answers `prove`, which nobody else hears of. */
static void prove(struct request_slot *s, nng_msg *m, const struct request *q)
{
	struct wire_server *w = s->server;
	unsigned char room[PROOF_BYTES + PROOF_MAC];
	struct prove_req req;
	struct prove_res res = { 0 };
	struct err e = { 0 };

	if (w->ring && !codec_get(&rec_prove_req, &req, q->body.p, q->body.n, s->r.a, &e) &&
	    session_table_accept(w->proofs, w->ring, &req, &res, room, &e))
		refuse(s, m, &e);
	wire_answer(&s->r, &rec_prove_res, &res, NULL, &e);
}

/*
 * It stands in every line of the log: what wire_call_async makes of one fits, and nothing that
 * would look like another line.
 */
static bool is_id(const char *s)
{
	size_t n = 0;

	while (isgraph((unsigned char)s[n]))
		n++;
	return !s[n] && n < LONGEST_ID;
}

/* 0, or -1 with why not, or 1 when it was answered here. */
static int open_request(struct request_slot *s, nng_msg *m, struct err *e)
{
	struct request q;
	bool again;

	if (codec_get_request(&rec_request, &q, nng_msg_body(m), nng_msg_len(m), s->r.a, e))
		return -1;
	if (!strcmp(q.rpc, "prove"))
		return prove(s, m, &q), 1;
	if (s->server->ring &&
	    session_table_verify(s->server->proofs, s->server->ring, &q, &again, e)) {
		if (!again)
			return refuse(s, m, e), -1;
		send_reply(s,
		    &(struct reply){
		        .v = WIRE_VERSION, .code = err_name(e->code), .message = e->msg, .again = true });
		in_hand(s->server, -1);
		return 1;
	}
	if (!features_version(q.v, q.v, "who asks", e))
		return -1;
	uint64_t left = DEFAULT_DEADLINE;
	if (q.deadline_ms && q.deadline_ms < 86400000)
		left = q.deadline_ms;
	s->r.rpc = q.rpc;
	if (q.req && is_id(q.req))
		s->r.req = q.req;
	else
		s->r.req = "";
	s->r.caller = q.caller;
	s->r.deadline_ms = clock_ms() + (int64_t)left;
	s->r.body = q.body;
	return 0;
}

static void on_slot(void *arg);

/*
 * One slot more, unless enough wait or there are as many as may be: slots of requests in hand cost
 * nothing before there are any.  None of a socket that is being closed: nng 1.5 opens a context of
 * it all the same, and then waits for ever for its end.
 */
static void add_slot(struct wire_server *w)
{
	struct request_slot *s = wire_check_alloc(calloc(1, sizeof *s));

	s->server = w;
	pthread_mutex_lock(&w->lock);
	bool add = !w->closing && w->n < w->max && w->waiting < IDLE_SLOTS &&
	    !nng_ctx_open(&s->ctx, w->s);
	if (add && nng_aio_alloc(&s->aio, on_slot, s))
		die("nng cannot allocate");
	if (add)
		w->slots[w->n++] = s;
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

static void on_slot(void *arg)
{
	struct request_slot *s = arg;
	int rc = nng_aio_result(s->aio);

	if (s->sending) {
		if (rc)
			nng_msg_free(nng_aio_get_msg(s->aio));
		if (rc != NNG_ECLOSED && rc != NNG_ECANCELED)
			receive(s);
		return;
	}
	remove_waiting(s->server);
	if (rc) {
		if (rc != NNG_ECLOSED && rc != NNG_ECANCELED)
			receive(s);
		return;
	}
	struct err e = { 0 };
	nng_msg *m = nng_aio_get_msg(s->aio);
	s->r.a = arena_new();
	in_hand(s->server, 1);
	add_slot(s->server);
	rc = open_request(s, m, &e);
	nng_msg_free(m);
	if (rc < 0)
		wire_answer(&s->r, NULL, NULL, NULL, &e);
	else if (!rc)
		s->server->on_request(s->server->arg, &s->r);
}

/* The URL as bound, with the port that the system chose. */
static char *bound_url(nng_listener l, const char *url)
{
	const char *colon = strrchr(url, ':');
	int port = 0;
	char *out;

	if (!colon || strcmp(colon, ":0") || nng_listener_get_int(l, NNG_OPT_TCP_BOUND_PORT, &port))
		return wire_check_alloc(strdup(url));
	if (asprintf(&out, "%.*s:%d", (int)(colon - url), url, port) < 0)
		die("nng cannot allocate");
	return out;
}

static int start_listener(
    struct wire_server *w, const char *url, const struct wire_trust *t, struct err *e)
{
	nng_listener l;
	nng_tls_config *tls = NULL;

	if (wire_check("listen on", url, t, e))
		return -1;
	int rc = nng_listener_create(&l, w->s, url);
	if (rc)
		return wire_bad_address(rc, "listen on", url, e);
	if (wire_is_tls(url)) {
		if (!(tls = wire_tls(NNG_TLS_MODE_SERVER, t, url, e)))
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
	struct wire_server *w = wire_check_alloc(calloc(1, sizeof *w));

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
	w->slots = wire_check_alloc(calloc((size_t)slots, sizeof *w->slots));
	w->max = slots;
	for (int i = 0; i < IDLE_SLOTS; i++)
		add_slot(w);
	return w;
}

const char *wire_url(const struct wire_server *w)
{
	return w->url;
}

/* Whether all requests in hand have been answered in time. */
static bool await_answers(struct wire_server *w)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += DRAIN_TIMEOUT_MS / 1000;
	pthread_mutex_lock(&w->lock);
	while (w->in_hand && pthread_cond_timedwait(&w->answered, &w->lock, &end) != ETIMEDOUT)
		continue;
	bool all = !w->in_hand;
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
		nng_aio_stop(w->slots[i]->aio);	/* what has come is handed on by then, and waited for */
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

