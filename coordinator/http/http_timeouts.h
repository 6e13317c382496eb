#ifndef COORDINATOR_HTTP_HTTP_TIMEOUTS_H
#define COORDINATOR_HTTP_HTTP_TIMEOUTS_H
/*
 * Time limits for each phase of a connection.  libmicrohttpd only limits the time without a byte,
 * which a client that sends one byte a second never exceeds.  Any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_conn;
struct http_timeouts;

/* HEADING: the first line of a request has arrived; RECEIVING: all its headers have. */
enum http_phase { WAITING, HEADING, RECEIVING, WORKING, SENDING };

struct http_timeout_rules {
	int64_t waiting_ms, receiving_ms, sending_ms;
	/* from the first byte of the headers, or of the TLS handshake before them, to the last */
	int64_t heading_ms;
	/* with more connections, waiting_ms and heading_ms are at most HTTP_CROWDED_MS */
	size_t crowded_above;
	size_t most, spare;		/* maximum of connections, and further ones for probes */
	size_t most_peer, most_local;	/* per address; per address of this machine; 0 = unlimited */
	void (*on_keepalive)(void *);	/* every HTTP_KEEPALIVE_MS */
	void (*on_slow)(void *);	/* a slow client was disconnected */
	void (*on_full)(void *);	/* a connection had to make room, or a new one was refused */
	void *arg;
};

/*
 * Starts a thread that closes slow connections and notices clients that have gone.  The callbacks
 * must not call this module.
 */
enum { HTTP_KEEPALIVE_MS = 15000, HTTP_CROWDED_MS = 2000 };
struct http_timeouts *http_timeouts_new(const struct http_timeout_rules *);

/* Call when all connections are removed.  NULL is fine. */
void http_timeouts_free(struct http_timeouts *);

/*
 * Add a connection, WAITING for a request; set its phase; remove it before its socket is closed.
 * If there are too many, adding one closes another that is slow with a request.
 */
struct http_conn *http_timeouts_add(struct http_timeouts *, int fd);
void http_timeouts_set_phase(struct http_timeouts *, struct http_conn *, enum http_phase);
void http_timeouts_remove(struct http_timeouts *, struct http_conn *);

/*
 * While RECEIVING: another HTTP_PROGRESS_BYTES bytes have arrived.  This affects which connection
 * is closed for lack of room, but not receiving_ms.
 */
enum { HTTP_PROGRESS_BYTES = 16 << 10 };
void http_timeouts_progress(struct http_conn *);

/* Whether it is a spare connection, on which only probes are answered. */
bool http_timeouts_is_probe_only(struct http_timeouts *, struct http_conn *);

/*
 * While WORKING: whether there is data that the client has not read, for which it has sending_ms.
 * The only function that may be called with locks held that the callbacks take.
 */
void http_timeouts_set_unread(struct http_conn *, bool);

/*
 * Call `left` once, on the thread, if the peer closes its side of the connection before the next
 * phase.  It must not call this module.
 */
void http_timeouts_on_hangup(
    struct http_timeouts *, struct http_conn *, void (*left)(void *), void *arg);
#endif
