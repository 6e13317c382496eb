#ifndef COORDINATOR_HTTP_HTTP_TIMEOUTS_H
#define COORDINATOR_HTTP_HTTP_TIMEOUTS_H
/*
 * How long a connection may take over what it is doing.  The HTTP library only knows time without
 * a byte, which a client that sends one byte a second never reaches.  Any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_conn;
struct http_timeouts;

/* HEADING: the first line of a request is in, of its head; RECEIVING: the head is. */
enum http_phase { WAITING, HEADING, RECEIVING, WORKING, SENDING };

struct http_timeout_rules {
	int64_t waiting_ms, receiving_ms, sending_ms;
	/* from the first byte of a head (over TLS, of its greetings before it) to the last */
	int64_t heading_ms;
	/* with more connections than this, waiting_ms and heading_ms are CROWDED_MS at most */
	size_t crowded_above;
	size_t most, spare;		/* connections in all, and beyond that for probes */
	size_t most_peer, most_local;	/* of one address, and of one of this machine; 0: any number */
	void (*on_keepalive)(void *);		/* every HTTP_KEEPALIVE_MS */
	void (*on_slow)(void *);		/* someone was hung up on who was too slow */
	void (*on_full)(void *);		/* one had to make room for another, or found none */
	void *arg;
};

/*
 * With a thread that hangs up on whoever takes too long, and notices who has hung up.  What it
 * calls must not call this module.
 */
enum { HTTP_KEEPALIVE_MS = 15000, HTTP_CROWDED_MS = 2000 };
struct http_timeouts *http_timeouts_new(const struct http_timeout_rules *);

/* Every connection must be gone.  NULL is fine. */
void http_timeouts_free(struct http_timeouts *);

/*
 * A connection begins, WAITING for a request; it enters a phase; it ends, before its socket is
 * closed.  With too many, one that takes long over a request is hung up on when another begins.
 */
struct http_conn *http_timeouts_add(struct http_timeouts *, int fd);
void http_timeouts_set_phase(struct http_timeouts *, struct http_conn *, enum http_phase);
void http_timeouts_remove(struct http_timeouts *, struct http_conn *);

/*
 * While RECEIVING: HTTP_PROGRESS_BYTES bytes more have come.  That says how slow it is when room
 * is short; receiving_ms goes on.
 */
enum { HTTP_PROGRESS_BYTES = 16 << 10 };
void http_timeouts_progress(struct http_conn *);

/* Whether it is beyond the bounds, so that only probes are answered. */
bool http_timeouts_is_probe_only(struct http_timeouts *, struct http_conn *);

/*
 * While WORKING: something is there for the client to read, or nothing any more.  It has
 * sending_ms for that.  The only one that may be called under locks that `left` or `beat` take.
 */
void http_timeouts_set_unread(struct http_conn *, bool);

/*
 * Call `left` once, on the thread, when the peer hangs up (or says that it sends no more) before
 * the next phase. It must not call this module.
 */
void http_timeouts_on_hangup(
    struct http_timeouts *, struct http_conn *, void (*left)(void *), void *arg);
#endif
