#ifndef PROTO_WIRE_WIRE_H
#define PROTO_WIRE_WIRE_H
/*
 * Typed requests between processes: records in an envelope over nng (ipc:// on a host, tls+tcp://
 * between hosts, tcp:// on loopback).  The one includer of nng.  A request is sent once: when the
 * connection is lost, it fails at once.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/record/record.h"

struct arena;

enum { WIRE_LOWEST = 1, WIRE_VERSION = 1 };	/* the supported versions of the protocol */
enum { WIRE_MAX = 64 << 20 };			/* maximum bytes of a reply */
/* the same of a request, which an unauthenticated peer may send; the longest is a diff of 1 MB */
enum { WIRE_REQUEST_MAX = 8 << 20 };

/*
 * Credentials: the CA, a certificate and its key for tls+tcp, and the cluster key, which both ends
 * prove to have.
 */
struct wire_trust {
	const char *ca, *cert, *cert_key;	/* paths; NULL without TLS */
	const char *key;			/* the cluster key; NULL or "" for none */
	/*
	 * replaces `key`: one key per line, the first proves, all are accepted; read again when it
	 * changes
	 */
	const char *key_file;
};

/* ---- serving ---- */

struct wire_server;

/* A received request.  It must be answered exactly once, with wire_answer, on any thread. */
struct wire_request {
	const char *rpc;	/* any name: not checked */
	const char *req;	/* its id, "" for none */
	uint64_t caller;	/* an opaque number of the caller that it is for; 0 = unknown */
	int64_t deadline_ms;	/* on the monotonic clock */
	struct bytes body;
	struct arena *a;	/* for the request and its response; lives until wire_answer */
};

/*
 * Listen on `url`.  Authenticated requests are passed to `on_request` on a thread of nng; it must
 * not block.  At most `slots` requests are in progress at once; further ones wait in the clients.
 * NULL with `e` (INVALID_INPUT for the URL or the trust files, UNAVAILABLE if the address is in
 * use).
 */
struct wire_server *wire_listen(const char *url, const struct wire_trust *, int slots,
    void (*on_request)(void *ctx, struct wire_request *), void *ctx, struct err *e);

/*
 * Call this in on_request before work that may take long, so that other received messages do not
 * wait for it.  It has no effect on other threads.
 */
void wire_yield(void);

/*
 * Between the two calls this thread sends many requests or answers; nng's threads start on them at
 * wire_batch_end, or before this thread waits for anything.
 */
void wire_batch_begin(void);
void wire_batch_end(void);

/* The address with port 0 replaced by the real one.  Borrowed. */
const char *wire_url(const struct wire_server *);

/*
 * Answer with a response record, or with the failure `e` if e->code is set; `stamp` may be NULL.
 * Frees `r`.
 */
void wire_answer(struct wire_request *r, const struct record *, const void *res,
    const struct freshness *stamp, const struct err *e);

/*
 * Stop receiving, wait for the answers to the requests in progress (at most 5 s; then the memory is
 * leaked, because they still use it), and free.  NULL is fine.
 */
void wire_server_free(struct wire_server *);

/* ---- calling ---- */

struct wire_peer;
struct wire_reply;

/*
 * A peer at `url`, dialled in the background and redialled for ever, with increasing delays.  NULL
 * with `e` (INVALID_INPUT).  Peers are thread-safe.
 */
struct wire_peer *wire_dial(const char *url, const struct wire_trust *, struct err *e);

/*
 * Call `again` after each new connection, on a thread of nng.  It must neither block nor free the
 * peer.
 */
void wire_on_connect(struct wire_peer *, void (*again)(void *), void *arg);

/* wire_on_connect, and redial at least once a second. */
void wire_set_eager_redial(struct wire_peer *, void (*again)(void *), void *arg);

/*
 * Redial after a random delay of at most `ms`, each time, so that the clients of a lost peer do not
 * dial it all at once.
 */
void wire_set_redial_spread(struct wire_peer *, int ms);

/* Whether there is a connection now. */
bool wire_connected(const struct wire_peer *);

/*
 * Fail the requests in progress (UNAVAILABLE), wait for their callbacks, and free.  Must not be
 * called in a callback.  NULL is fine.
 */
void wire_peer_free(struct wire_peer *);

/*
 * Send a request, a record of type `rec`, which is encoded before this returns; `rpc` must live
 * until `done`.  `done` is called exactly once, on a thread of nng or this one, and must not block;
 * it owns the reply and frees it with wire_reply_free.  `timeout_ms` is enforced here and sent to
 * the peer.  Without a connection the request waits for one until then, unless `fail_fast`.
 */
void wire_call_async(struct wire_peer *, const char *rpc, const struct record *rec,
    const void *request, const char *req, int timeout_ms, bool fail_fast,
    void (*done)(void *arg, struct wire_reply *), void *arg);

/*
 * The same for one of several callers that share the peer's time.  `caller` is an opaque number
 * that identifies it.
 */
void wire_call_async_for(struct wire_peer *, uint64_t caller, const char *rpc,
    const struct record *rec, const void *request, const char *req, int timeout_ms, bool fail_fast,
    void (*done)(void *arg, struct wire_reply *), void *arg);

/*
 * Decode the reply's record into `res` (zeroed on failure) and its stamp (NULL if it has none);
 * strings live in `a`.  0, or -1 with the peer's failure, UNAVAILABLE (no connection, connection
 * lost, deadline), FORBIDDEN (the peer does not prove the cluster key) or INTERNAL (not readable).
 */
int wire_reply_get(const struct wire_reply *, const struct record *, void *res,
    const struct freshness **stamp, struct arena *a, struct err *e);

/* The reply's failure (0 = none) and its stamp (or NULL, in `a`), without decoding the record. */
enum err_code wire_reply_peek(
    const struct wire_reply *, const struct freshness **stamp, struct arena *a);

/* Whether there was no answer by the deadline; the peer may still be working on the request. */
bool wire_reply_timed_out(const struct wire_reply *);

/* The size of the message; 0 if none was received. */
size_t wire_reply_bytes(const struct wire_reply *);

/* Whether the peer has answered, if only with a failure. */
bool wire_reply_received(const struct wire_reply *);
void wire_reply_free(struct wire_reply *);

/* Send a request and wait for the reply.  Must not be called in a callback. */
int wire_call(struct wire_peer *, const char *rpc, const struct record *rec, const void *request,
    const char *req, int timeout_ms, const struct record *res_rec, void *res,
    const struct freshness **stamp, struct arena *a, struct err *e);
#endif
