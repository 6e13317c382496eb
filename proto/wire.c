#include "proto/wire.h"

#include <errno.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/crypto.h"
#include "proto/base/err.h"
#include "proto/codec.h"
#include "proto/wire_own.h"

enum { RECONNECT_MIN = 50, RECONNECT_MAX = 4000 };

void *wire_must(void *p)
{
	if (!p)
		abort();
	return p;
}

/* ---- trust ---- */

static char *read_file(const char *path, struct err *e)
{
	char chunk[4096];
	struct buf b = { 0 };
	FILE *f = path ? fopen(path, "r") : NULL;

	if (!f) {
		err_set(e, ERR_INVALID_INPUT, "tls+tcp: %s: %s", path ? path : "no CA, certificate or key given",
		    path ? strerror(errno) : "see --tls-ca, --tls-cert, --tls-key");
		return NULL;
	}
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
		buf_put(&b, chunk, n);
	fclose(f);
	buf_put(&b, "", 0);
	return b.p;
}

/* Mutual TLS: the certificate admits, the cluster key in the envelope identifies; no peer name is checked. */
nng_tls_config *wire_tls(nng_tls_mode mode, const struct wire_trust *t, struct err *e)
{
	nng_tls_config *c = NULL;
	char *ca = read_file(t->ca, e), *cert = ca ? read_file(t->cert, e) : NULL;
	char *key = cert ? read_file(t->cert_key, e) : NULL;

	if (key && !nng_tls_config_alloc(&c, mode)) {
		int rc = nng_tls_config_ca_chain(c, ca, NULL);
		rc = rc ? rc : nng_tls_config_own_cert(c, cert, key, NULL);
		rc = rc ? rc : nng_tls_config_auth_mode(c, NNG_TLS_AUTH_MODE_REQUIRED);
		if (rc) {
			err_set(e, ERR_INVALID_INPUT, "tls+tcp: CA %s, certificate %s, key %s: %s", t->ca, t->cert,
			    t->cert_key, nng_strerror(rc));
			nng_tls_config_free(c);
			c = NULL;
		}
	}
	free(ca);
	free(cert);
	free(key);
	return c;
}

bool wire_is_tls(const char *url)
{
	return !strncmp(url, "tls+", 4);
}

int wire_bad_address(int rc, const char *what, const char *url, struct err *e)
{
	bool taken = rc == NNG_EADDRINUSE || rc == NNG_EPERM;

	return err_set(e, taken ? ERR_UNAVAILABLE : ERR_INVALID_INPUT, "%s %s: %s", what, url, nng_strerror(rc));
}

/* ---- asking ---- */

/* One request at a time on its own context; kept for the next one, because a context must not end in its callback. */
struct ask {
	struct wire_peer *peer;
	struct ask *next;	/* in `idle`, or in `busy` with prev */
	struct ask *prev;
	nng_ctx ctx;
	nng_aio *aio;
	nng_aio *now;		/* sends at once or not at all, without a thread being woken for it */
	bool sent;
	int64_t deadline_ms;
	void (*done)(void *, struct wire_reply *);
	void *arg;
};

struct wire_peer {
	nng_socket s;
	char *url, *key;
	pthread_mutex_t lock;	/* guards what follows */
	pthread_cond_t quiet;	/* nothing is busy */
	struct ask *idle, *busy;
	int pipes;
	bool closing;
};

struct wire_reply {
	nng_msg *m;		/* NULL: failed with rc */
	int rc;
	char name[128];
};

static void busy_add(struct ask *k)
{
	struct wire_peer *p = k->peer;

	k->sent = false;
	k->prev = NULL;
	k->next = p->busy;
	if (p->busy)
		p->busy->prev = k;
	p->busy = k;
}

static void busy_remove(struct ask *k)
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
	struct wire_reply *r = wire_must(calloc(1, sizeof *r));

	r->m = m;
	r->rc = rc;
	const char *path = strncmp(p->url, "ipc://", 6) ? NULL : strrchr(p->url, '/');
	snprintf(r->name, sizeof r->name, "%s", path ? path + 1 : p->url);	/* callers hear it: not where a socket is on the disk */
	return r;
}

static void finish(struct ask *k, nng_msg *m, int rc)
{
	struct wire_peer *p = k->peer;
	struct wire_reply *r = reply_new(p, m, rc);
	void (*done)(void *, struct wire_reply *) = k->done;
	void *arg = k->arg;

	done(arg, r);
	pthread_mutex_lock(&p->lock);
	busy_remove(k);
	k->next = p->idle;
	p->idle = k;
	if (!p->busy)
		pthread_cond_broadcast(&p->quiet);
	pthread_mutex_unlock(&p->lock);
}

/* The request is out. */
static void await_reply(struct ask *k)
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

static void on_ask(void *arg)
{
	struct ask *k = arg;
	int rc = nng_aio_result(k->aio);

	if (rc && !k->sent)
		nng_msg_free(nng_aio_get_msg(k->aio));
	if (rc || k->sent)
		finish(k, rc ? NULL : nng_aio_get_msg(k->aio), rc);
	else
		await_reply(k);
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
		for (struct ask *k = p->busy; k; k = k->next)
			if (k->sent)
				nng_aio_abort(k->aio, NNG_ECONNRESET);
	pthread_mutex_unlock(&p->lock);
}

static int start_dialer(struct wire_peer *p, const char *url, const struct wire_trust *t, struct err *e)
{
	nng_dialer d;
	int rc = nng_dialer_create(&d, p->s, url);

	if (rc)
		return wire_bad_address(rc, "dial", url, e);
	if (wire_is_tls(url)) {
		nng_tls_config *tls = wire_tls(NNG_TLS_MODE_CLIENT, t, e);
		if (!tls)
			return -1;
		rc = nng_dialer_set_ptr(d, NNG_OPT_TLS_CONFIG, tls);
		nng_tls_config_free(tls);
	}
	rc = rc ? rc : nng_dialer_start(d, NNG_FLAG_NONBLOCK);
	return rc ? wire_bad_address(rc, "dial", url, e) : 0;
}

struct wire_peer *wire_dial(const char *url, const struct wire_trust *t, struct err *e)
{
	struct wire_peer *p = wire_must(calloc(1, sizeof *p));

	p->url = wire_must(strdup(url));
	p->key = wire_must(strdup(t->key ? t->key : ""));
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->quiet, NULL);
	wire_start();
	int rc = nng_req0_open(&p->s);
	rc = rc ? rc : nng_socket_set_size(p->s, NNG_OPT_RECVMAXSZ, WIRE_MAX);
	rc = rc ? rc : nng_socket_set_ms(p->s, NNG_OPT_REQ_RESENDTIME, NNG_DURATION_INFINITE);
	rc = rc ? rc : nng_socket_set_ms(p->s, NNG_OPT_RECONNMINT, RECONNECT_MIN);
	rc = rc ? rc : nng_socket_set_ms(p->s, NNG_OPT_RECONNMAXT, RECONNECT_MAX);
	rc = rc ? rc : nng_pipe_notify(p->s, NNG_PIPE_EV_ADD_PRE, on_pipe, p);
	rc = rc ? rc : nng_pipe_notify(p->s, NNG_PIPE_EV_REM_POST, on_pipe, p);
	if (rc)
		err_set(e, ERR_UNAVAILABLE, "nng: %s", nng_strerror(rc));
	if (rc || start_dialer(p, url, t, e)) {
		wire_peer_free(p);
		return NULL;
	}
	return p;
}

bool wire_connected(const struct wire_peer *p)
{
	pthread_mutex_t *lock = (pthread_mutex_t *)&p->lock;

	pthread_mutex_lock(lock);
	bool up = p->pipes > 0;
	pthread_mutex_unlock(lock);
	return up;
}

void wire_peer_free(struct wire_peer *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->closing = true;
	for (struct ask *k = p->busy; k; k = k->next)
		nng_aio_abort(k->aio, NNG_ECONNRESET);
	while (p->busy)
		pthread_cond_wait(&p->quiet, &p->lock);
	struct ask *idle = p->idle;
	pthread_mutex_unlock(&p->lock);
	for (struct ask *k = idle, *next; k; k = next) {
		next = k->next;
		nng_aio_stop(k->aio);
		nng_aio_free(k->aio);
		nng_aio_free(k->now);
		nng_ctx_close(k->ctx);
		free(k);
	}
	nng_close(p->s);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->quiet);
	free(p->url);
	free(p->key);
	free(p);
}

static struct ask *ask_new(struct wire_peer *p)
{
	struct ask *k = wire_must(calloc(1, sizeof *k));

	k->peer = p;
	if (nng_ctx_open(&k->ctx, p->s) || nng_aio_alloc(&k->aio, on_ask, k) || nng_aio_alloc(&k->now, NULL, NULL))
		abort();
	nng_aio_set_timeout(k->now, NNG_DURATION_ZERO);
	pthread_mutex_lock(&p->lock);
	busy_add(k);
	pthread_mutex_unlock(&p->lock);
	return k;
}

/* An idle or new context, put among the busy; NULL when the peer is closing, or not connected and that must not be. */
static struct ask *ask_take(struct wire_peer *p, bool fail_fast)
{
	pthread_mutex_lock(&p->lock);
	bool refuse = p->closing || (fail_fast && !p->pipes);
	struct ask *k = refuse ? NULL : p->idle;
	if (k) {
		p->idle = k->next;
		busy_add(k);
	}
	pthread_mutex_unlock(&p->lock);
	return k || refuse ? k : ask_new(p);
}

static nng_msg *envelope(const struct wire_peer *p, const char *rpc, const struct record *rec, const void *request,
    const char *req, int timeout_ms)
{
	struct buf body = { 0 }, all = { 0 };
	nng_msg *m;

	codec_put(rec, request, &body);
	struct request q = { WIRE_VERSION, rpc, req, (uint64_t)(timeout_ms > 0 ? timeout_ms : 1), p->key,
		{ body.p, body.n } };
	codec_put(&rec_request, &q, &all);
	if (nng_msg_alloc(&m, 0) || nng_msg_append(m, all.p, all.n))
		abort();
	buf_free(&body);
	buf_free(&all);
	return m;
}

/* Whether the connection took the message: mostly, unless another one is just being written to it. */
static bool send_now(struct ask *k, nng_msg *m)
{
	nng_aio_set_msg(k->now, m);
	nng_ctx_send(k->ctx, k->now);
	nng_aio_wait(k->now);
	return !nng_aio_result(k->now);
}

void wire_ask(struct wire_peer *p, const char *rpc, const struct record *rec, const void *request, const char *req,
    int timeout_ms, bool fail_fast, void (*done)(void *, struct wire_reply *), void *arg)
{
	struct ask *k = ask_take(p, fail_fast);

	if (!k) {
		done(arg, reply_new(p, NULL, NNG_ECONNREFUSED));
		return;
	}
	k->done = done;
	k->arg = arg;
	k->deadline_ms = clock_ms() + timeout_ms;
	nng_msg *m = envelope(p, rpc, rec, request, req, timeout_ms);
	if (send_now(k, m)) {
		await_reply(k);
		return;
	}
	nng_aio_set_timeout(k->aio, timeout_ms > 0 ? timeout_ms : 1);
	nng_aio_set_msg(k->aio, m);
	nng_ctx_send(k->ctx, k->aio);
}

static int transport_error(const struct wire_reply *r, struct err *e)
{
	static const struct { int rc; const char *text; } why[] = {
		{ NNG_ETIMEDOUT, "no answer by the deadline" },
		{ NNG_ECONNREFUSED, "not connected" },
		{ NNG_ECONNRESET, "the connection was lost" },
	};

	for (size_t i = 0; i < LEN(why); i++)
		if (why[i].rc == r->rc)
			return err_set(e, ERR_UNAVAILABLE, "%s: %s", r->name, why[i].text);
	return err_set(e, ERR_UNAVAILABLE, "%s: %s", r->name, nng_strerror(r->rc));
}

/* What came is no answer of this protocol: nothing that who asked could mend. */
static int unreadable(const struct wire_reply *r, struct err *e)
{
	char why[sizeof e->msg];

	snprintf(why, sizeof why, "%.140s", e ? e->msg : "");
	return err_set(e, ERR_INTERNAL, "%.80s: its answer cannot be read: %s", r->name, why);
}

int wire_reply_get(const struct wire_reply *r, const struct record *rec, void *res, const struct freshness **stamp,
    struct arena *a, struct err *e)
{
	struct reply reply;

	memset(res, 0, rec->size);
	if (stamp)
		*stamp = NULL;
	if (!r->m)
		return transport_error(r, e);
	if (codec_get(&rec_reply, &reply, nng_msg_body(r->m), nng_msg_len(r->m), a, e))
		return unreadable(r, e);
	if (reply.code && *reply.code) {
		err_set(e, err_code(reply.code), "%s", reply.message ? reply.message : reply.code);
		return reply.hint ? err_hint(e, "%s", reply.hint) : -1;
	}
	if (stamp)
		*stamp = reply.stamp;
	if (codec_get(rec, res, reply.body.p, reply.body.n, a, e))
		return unreadable(r, e);
	return 0;
}

bool wire_reply_late(const struct wire_reply *r)
{
	return !r->m && r->rc == NNG_ETIMEDOUT;
}

void wire_reply_free(struct wire_reply *r)
{
	if (!r)
		return;
	nng_msg_free(r->m);
	free(r);
}

struct waiter {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	struct wire_reply *r;
};

static void on_waited(void *arg, struct wire_reply *r)
{
	struct waiter *w = arg;

	pthread_mutex_lock(&w->lock);
	w->r = r;
	pthread_cond_signal(&w->cond);
	pthread_mutex_unlock(&w->lock);
}

int wire_call(struct wire_peer *p, const char *rpc, const struct record *rec, const void *request, const char *req,
    int timeout_ms, const struct record *res_rec, void *res, const struct freshness **stamp, struct arena *a,
    struct err *e)
{
	struct waiter w = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };

	wire_ask(p, rpc, rec, request, req, timeout_ms, false, on_waited, &w);
	pthread_mutex_lock(&w.lock);
	while (!w.r)
		pthread_cond_wait(&w.cond, &w.lock);
	pthread_mutex_unlock(&w.lock);
	int rc = wire_reply_get(w.r, res_rec, res, stamp, a, e);
	wire_reply_free(w.r);
	return rc;
}
