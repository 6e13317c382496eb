#ifndef PROTO_WIRE_WIRE_INTERNAL_H
#define PROTO_WIRE_WIRE_INTERNAL_H
/*
 * What the parts of wire share: wire.c is the client, wire_reply.c reads replies, wire_server.c is
 * the server.
 */

#include <nng/nng.h>
#include <nng/supplemental/tls/tls.h>
#include <stdbool.h>
#include <stdint.h>

struct err;
struct wire_trust;

/* The result of a request. */
struct wire_reply {
	nng_msg *m;		/* NULL if it failed with rc */
	int rc;
	char name[128];
};

/* Start nng.  Call it before any other function of nng. */
void wire_start(void);

/* Tell wire_wakeups.c that nng has just started its worker threads, and how many. */
void wire_wakeups_init(int threads);

/* Wake one of nng's threads if this thread has deferred that; call it before the thread waits. */
void wire_flush_wakeup(void);

/*
 * Why a peer is refused.  The first refusal of each kind and peer is logged at once, later ones at
 * most every half minute, with their number.
 */
enum wire_refusal { WIRE_REFUSAL_KEY, WIRE_REFUSAL_UNPROVEN, WIRE_REFUSAL_NOT_TLS,
    WIRE_REFUSAL_CERT, WIRE_REFUSAL_ALERT, WIRE_REFUSAL_TLS, WIRE_REFUSAL_TIMEOUT };

/* `peer` is an address, a URL or a process; `at` is this end. */
void wire_log_refusal(enum wire_refusal, const char *peer, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* An address as text, 10.0.0.1:7701. */
void wire_address(const nng_sockaddr *, char *out, size_t n);

bool wire_is_tls(const char *url);

/*
 * Mutual TLS of a listener or dialer at `url`; the caller frees it.  NULL with INVALID_INPUT that
 * names the file.
 */
nng_tls_config *wire_tls(nng_tls_mode, const struct wire_trust *, const char *url, struct err *);

/*
 * A TLS handshake in progress.  One that takes longer than 10 s is logged, and its socket is shut
 * down.  `at`, this end, `b` and the socket must live until wire_handshake_end, which may be called
 * again.
 */
struct wire_handshake {
	struct wire_handshake *next, **link;
	const char *at;
	int socket;
	int64_t since_ms;
	bool late;
};
void wire_handshake_begin(struct wire_handshake *b, const char *at);
void wire_handshake_set_socket(struct wire_handshake *, int socket);
void wire_handshake_end(struct wire_handshake *);

/*
 * Check whether `url` may be listened on or dialled: 0, or -1 with INVALID_INPUT and the remedy,
 * for example for tcp:// beyond loopback, or for any TCP without a cluster key.
 */
int wire_check(const char *what, const char *url, const struct wire_trust *, struct err *);

/* The socket that nng used last on this thread, and the addresses of a socket's two ends. */
extern _Thread_local int wire_last_socket;
void wire_socket_peer(int socket, char *out, size_t n);
void wire_socket_own(int socket, char *out, size_t n);

/* Report nng's error for an address: UNAVAILABLE if it is taken, else INVALID_INPUT.  Always -1. */
int wire_bad_address(int rc, const char *what, const char *url, struct err *);
#endif
