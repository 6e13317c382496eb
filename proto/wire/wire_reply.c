/* Reading the replies that wire.c receives, and blocking requests. */
#include "proto/wire/wire.h"

#include <nng/nng.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/codec.h"
#include "proto/wire/wire_internal.h"

static int transport_error(const struct wire_reply *r, struct err *e)
{
	static const struct {
		int rc;
		enum err_code code;
		const char *text, *hint;
	} why[] = {
		{ NNG_ETIMEDOUT, ERR_UNAVAILABLE, "no answer by the deadline",
		    "It is busy, or the question takes long: ask again, or for less; `atoll status` shows"
		    " whether it answers at all." },
		{ NNG_ECONNREFUSED, ERR_UNAVAILABLE, "not connected", NULL },
		{ NNG_ECONNRESET, ERR_UNAVAILABLE, "the connection was lost", NULL },
		{ NNG_EPEERAUTH, ERR_FORBIDDEN,
		    "it does not prove that it has the cluster key, so no request is sent to it", NULL },
	};

	for (size_t i = 0; i < LEN(why); i++)
		if (why[i].rc == r->rc) {
			err_set(e, why[i].code, "%s: %s", r->name, why[i].text);
			if (why[i].hint)
				err_hint(e, "%s", why[i].hint);
			return -1;
		}
	return err_set(e, ERR_UNAVAILABLE, "%s: %s", r->name, nng_strerror(r->rc));
}

/* The reply does not follow this protocol, which the caller cannot correct: INTERNAL. */
static int unreadable(const struct wire_reply *r, struct err *e)
{
	char why[sizeof e->msg] = "";

	if (e)
		snprintf(why, sizeof why, "%.140s", e->msg);
	return err_set(e, ERR_INTERNAL, "%.80s: its answer cannot be read: %s", r->name, why);
}

/* Sets the peer's failure. */
static int peer_failed(const struct reply *reply, struct err *e)
{
	const char *message = reply->code;

	if (reply->message)
		message = reply->message;
	err_set(e, err_code(reply->code), "%s", message);
	if (reply->hint)
		err_hint(e, "%s", reply->hint);
	return -1;
}

int wire_reply_get(const struct wire_reply *r, const struct record *rec, void *res,
    const struct freshness **stamp, struct arena *a, struct err *e)
{
	struct reply reply;

	memset(res, 0, rec->size);
	if (stamp)
		*stamp = NULL;
	if (!r->m)
		return transport_error(r, e);
	if (codec_get(&rec_reply, &reply, nng_msg_body(r->m), nng_msg_len(r->m), a, e))
		return unreadable(r, e);
	if (reply.code && *reply.code)
		return peer_failed(&reply, e);
	if (stamp)
		*stamp = reply.stamp;
	if (codec_get(rec, res, reply.body.p, reply.body.n, a, e))
		return unreadable(r, e);
	return 0;
}

enum err_code wire_reply_peek(
    const struct wire_reply *r, const struct freshness **stamp, struct arena *a)
{
	struct reply reply;

	*stamp = NULL;
	if (!r->m)
		return ERR_UNAVAILABLE;
	if (codec_get(&rec_reply, &reply, nng_msg_body(r->m), nng_msg_len(r->m), a, NULL))
		return ERR_INTERNAL;
	*stamp = reply.stamp;
	if (reply.code && *reply.code)
		return err_code(reply.code);
	return ERR_NONE;
}

bool wire_reply_timed_out(const struct wire_reply *r)
{
	return !r->m && r->rc == NNG_ETIMEDOUT;
}

size_t wire_reply_bytes(const struct wire_reply *r)
{
	if (r->m)
		return nng_msg_len(r->m);
	return 0;
}

bool wire_reply_received(const struct wire_reply *r)
{
	return r->m != NULL;
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

int wire_call(struct wire_peer *p, const char *rpc, const struct record *rec, const void *request,
    const char *req, int timeout_ms, const struct record *res_rec, void *res,
    const struct freshness **stamp, struct arena *a, struct err *e)
{
	struct waiter w = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };

	wire_call_async(p, rpc, rec, request, req, timeout_ms, false, on_waited, &w);
	pthread_mutex_lock(&w.lock);
	while (!w.r)
		pthread_cond_wait(&w.cond, &w.lock);
	pthread_mutex_unlock(&w.lock);
	int rc = wire_reply_get(w.r, res_rec, res, stamp, a, e);
	wire_reply_free(w.r);
	return rc;
}
