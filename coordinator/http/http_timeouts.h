#ifndef COORDINATOR_HTTP_HTTP_TIMEOUTS_H
#define COORDINATOR_HTTP_HTTP_TIMEOUTS_H
/*
 * How long a connection may take over what it is doing.  The HTTP library only knows time without a byte, which a client
 * that sends one byte a second never reaches.  Any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conn;
struct patience;

/* HEADING: the first line of a request is in, of its head; RECEIVING: the head is. */
enum phase { WAITING, HEADING, RECEIVING, WORKING, SENDING };

struct patience_rules {
	int64_t waiting_ms, receiving_ms, sending_ms;
	int64_t heading_ms;		/* from the first byte of a head (over TLS, of its greetings before it) to the last */
	size_t crowd;			/* with more connections than this, waiting_ms and heading_ms are CROWDED_MS at most */
	size_t most, spare;		/* connections in all, and beyond that for probes */
	size_t most_peer, most_here;	/* of one address, and of one of this machine; 0: any number */
	void (*beat)(void *);		/* every PATIENCE_BEAT_MS */
	void (*slow)(void *);		/* someone was hung up on who was too slow */
	void (*full)(void *);		/* one had to make room for another, or found none */
	void *arg;
};

/*
 * With a thread that hangs up on whoever takes too long, and notices who has hung up.  What it calls must not call this module.
 */
enum { PATIENCE_BEAT_MS = 15000, PATIENCE_CROWDED_MS = 2000 };
struct patience *patience_new(const struct patience_rules *);

/* Every connection must be gone.  NULL is fine. */
void patience_free(struct patience *);

/*
 * A connection begins, WAITING for a request; it enters a phase; it ends, before its socket is closed.  With too many, one that
 * takes long over a request is hung up on when another begins.
 */
struct conn *patience_add(struct patience *, int fd);
void patience_phase(struct patience *, struct conn *, enum phase);
void patience_drop(struct patience *, struct conn *);

/* While RECEIVING: PATIENCE_STEP bytes more have come.  That says how slow it is when room is short; receiving_ms goes on. */
enum { PATIENCE_STEP = 16 << 10 };
void patience_moved(struct conn *);

/* Whether it is beyond the bounds, so that only probes are answered. */
bool patience_is_spare(struct patience *, struct conn *);

/*
 * While WORKING: something is there for the client to read, or nothing any more.  It has sending_ms for that.  The only one
 * that may be called under locks that `left` or `beat` take.
 */
void patience_unread(struct conn *, bool);

/*
 * Call `left` once, on the thread, when the peer hangs up (or says that it sends no more) before the next phase.
 * It must not call this module.
 */
void patience_watch(struct patience *, struct conn *, void (*left)(void *), void *arg);
#endif
