#ifndef PROTO_WIRE_WIRE_INTERNAL_H
#define PROTO_WIRE_WIRE_INTERNAL_H
/*
 * What the parts of wire share: wire.c asks, wire_reply.c reads what came, wire_server.c answers.
 * Nobody else includes this.
 */

#include <nng/nng.h>
#include <nng/supplemental/tls/tls.h>
#include <stdbool.h>
#include <stdint.h>

struct err;
struct wire_trust;

/* What came of a request. */
struct wire_reply {
	nng_msg *m;		/* NULL: failed with rc */
	int rc;
	char name[128];
};

/* Before anything else of nng. */
void wire_start(void);

/* nng has just begun so many threads: who of them waits waits for work (wire_wakeups.c). */
void wire_wakeups_init(int threads);

/*
 * Before this thread waits: wake one of nng's threads if it has handed over something without
 * that.
 */
void wire_flush_wakeup(void);

/*
 * Why somebody is refused: for each kind and peer the log has a line at once, then one a half
 * minute at most, with their number.
 */
enum wire_refusal { WIRE_REFUSAL_KEY, WIRE_REFUSAL_UNPROVEN, WIRE_REFUSAL_NOT_TLS,
    WIRE_REFUSAL_CERT, WIRE_REFUSAL_ALERT, WIRE_REFUSAL_TLS, WIRE_REFUSAL_TIMEOUT };

/* `peer`: an address, a URL, or a process; `at`: this end. */
void wire_log_refusal(enum wire_refusal, const char *peer, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* An address as text, 10.0.0.1:7701. */
void wire_address(const nng_sockaddr *, char *out, size_t n);

/* `p`, or the end of the program: out of memory. */
void *wire_check_alloc(void *p);

bool wire_is_tls(const char *url);

/*
 * Mutual TLS of a listener or dialer at `url`; the caller frees it.  NULL with INVALID_INPUT that
 * names the file.
 */
nng_tls_config *wire_tls(nng_tls_mode, const struct wire_trust *, const char *url, struct err *);

/*
 * A TLS handshake from its beginning until it has ended, or its connection has: one that takes
 * longer than 10 s is hung up on, and told of. `at`, this end, and `b` must live until
 * wire_handshake_end, which may be called again; the socket until then.
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
 * Whether `url` may be listened on or dialled at all: 0, or -1 with INVALID_INPUT and the remedy,
 * as for tcp:// beyond loopback, or for any TCP without a cluster key.
 */
int wire_check(const char *what, const char *url, const struct wire_trust *, struct err *);

/* The socket that nng used last on this thread; who is at its other end. */
extern _Thread_local int wire_last_socket;
void wire_socket_peer(int socket, char *out, size_t n);
void wire_socket_own(int socket, char *out, size_t n);

/* The failure `rc` of an address: taken (UNAVAILABLE) or wrong (INVALID_INPUT).  Always -1. */
int wire_bad_address(int rc, const char *what, const char *url, struct err *);
#endif
