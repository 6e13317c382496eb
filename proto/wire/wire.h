#ifndef PROTO_WIRE_WIRE_H
#define PROTO_WIRE_WIRE_H
/*
 * Typed requests between processes: records in an envelope over nng (ipc:// on a host, tls+tcp://
 * between hosts, tcp:// on loopback).  The one includer of nng.  A request is sent once: when its
 * peer is lost it fails, at once.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/record/record.h"

struct arena;

enum { WIRE_LOWEST = 1, WIRE_VERSION = 1 };	/* versions of the protocol that are spoken */
enum { WIRE_MAX = 64 << 20 };			/* bytes of a reply */
/* of a request, which whoever is not proven yet may send: the longest is a diff, of 1 MB */
enum { WIRE_REQUEST_MAX = 8 << 20 };

/*
 * What authenticates: files of a CA, a certificate and its key for tls+tcp; the cluster key, which
 * both ends prove to have.
 */
struct wire_trust {
	const char *ca, *cert, *cert_key;	/* paths; NULL without TLS */
	const char *key;			/* NULL or "": none is asked for */
	/*
	 * instead of `key`: a line each, the first proves, all are accepted; read again when it
	 * changes
	 */
	const char *key_file;
};

/* ---- serving ---- */

struct wire_server;

/*
 * A request that was received; it must be answered exactly once, from any thread, with
 * wire_answer.
 */
struct wire_request {
	const char *rpc;	/* not checked */
	const char *req;	/* id, "" for none */
	uint64_t caller;	/* for whom: those with equal numbers are one; 0: nobody has said */
	int64_t deadline_ms;	/* monotonic clock, from the time remaining when it came */
	struct bytes body;
	struct arena *a;	/* lives until wire_answer: for the request and its response */
};

/*
 * Listen on `url`; requests with the right key are handed to `on_request` on a thread of nng,
 * which must not block. `slots`: requests in hand at once; further ones wait in the peers.  NULL
 * with `e` (INVALID_INPUT for the URL or the trust files, UNAVAILABLE when the address is taken).
 */
struct wire_server *wire_listen(const char *url, const struct wire_trust *, int slots,
    void (*on_request)(void *ctx, struct wire_request *), void *ctx, struct err *e);

/*
 * From on_request, before what may take long: what else has come is not kept waiting for it.
 * Nothing on other threads.
 */
void wire_yield(void);

/*
 * Between the two this thread may ask and answer many: what nng has to do after each is begun at
 * wire_batch_end, or before this thread waits for anything.
 */
void wire_batch_begin(void);
void wire_batch_end(void);

/* The address as bound: port 0 replaced by the real one.  Borrowed. */
const char *wire_url(const struct wire_server *);

/*
 * Answer with a response record, or with the failure `e` when e->code is set; `stamp` may be NULL.
 * Ends `r`.
 */
void wire_answer(struct wire_request *r, const struct record *, const void *res,
    const struct freshness *stamp, const struct err *e);

/*
 * Stop receiving, wait for the answers to the requests in hand (5 s: after that their memory is
 * left to them), and free. NULL is fine.
 */
void wire_server_free(struct wire_server *);

/* ---- asking ---- */

struct wire_peer;
struct wire_reply;

/*
 * A peer at `url`, dialled in the background and re-dialled with back-off for ever.  NULL with `e`
 * (INVALID_INPUT).
 */
struct wire_peer *wire_dial(const char *url, const struct wire_trust *, struct err *e);

/*
 * Call `again` whenever a connection stands anew: on a thread of nng, it must not block nor free
 * the peer.
 */
void wire_on_connect(struct wire_peer *, void (*again)(void *), void *arg);

/*
 * Dial at least once a second, and call `again` whenever a connection stands anew: on a thread of
 * nng, it must not block nor free the peer.
 */
void wire_set_eager_redial(struct wire_peer *, void (*again)(void *), void *arg);

/*
 * After a connection is lost dial within that time at random, and again each such time, instead of
 * soon and then later and later.
 */
void wire_set_redial_spread(struct wire_peer *, int ms);

/* Whether a connection stands at this moment. */
bool wire_connected(const struct wire_peer *);

/*
 * Fails what is under way (UNAVAILABLE), waits for its callbacks, frees.  Not from a callback.
 * NULL is fine.
 */
void wire_peer_free(struct wire_peer *);

/*
 * Ask: `request` is a record of rpcs-like type `rec` (encoded before this returns); `rpc` must
 * live until `done`.  That is called exactly once, on a thread of nng (or this one), and must not
 * block; it owns the reply and frees it with wire_reply_free.  `timeout_ms` is enforced here and
 * told to the peer.  Without a connection the request waits for one until then, unless
 * `fail_fast`.
 */
void wire_call_async(struct wire_peer *, const char *rpc, const struct record *rec,
    const void *request, const char *req, int timeout_ms, bool fail_fast,
    void (*done)(void *arg, struct wire_reply *), void *arg);

/*
 * The same for one of those who share the peer's time: `caller` is a number that says nothing else
 * of whom it is for.
 */
void wire_call_async_for(struct wire_peer *, uint64_t caller, const char *rpc,
    const struct record *rec, const void *request, const char *req, int timeout_ms, bool fail_fast,
    void (*done)(void *arg, struct wire_reply *), void *arg);

/*
 * The reply's record into `res` (zeroed on failure) and its stamp (NULL when it has none); strings
 * live in `a`. 0, or -1 with the peer's failure, or UNAVAILABLE (no connection, connection lost,
 * deadline), or INVALID_INPUT (garbage).
 */
int wire_reply_get(const struct wire_reply *, const struct record *, void *res,
    const struct freshness **stamp, struct arena *a, struct err *e);

/*
 * The failure that a reply stands for (0: none) and its stamp (or NULL, in `a`), without the
 * record.
 */
enum err_code wire_reply_peek(
    const struct wire_reply *, const struct freshness **stamp, struct arena *a);

/* Whether it stands for an answer that did not come in time, though it still may be worked on. */
bool wire_reply_timed_out(const struct wire_reply *);

/* Bytes of the message; 0: none came. */
size_t wire_reply_bytes(const struct wire_reply *);

/* Whether the peer has said something, be it a failure. */
bool wire_reply_received(const struct wire_reply *);
void wire_reply_free(struct wire_reply *);

/* Ask and wait; not from a callback. */
int wire_call(struct wire_peer *, const char *rpc, const struct record *rec, const void *request,
    const char *req, int timeout_ms, const struct record *res_rec, void *res,
    const struct freshness **stamp, struct arena *a, struct err *e);
#endif
