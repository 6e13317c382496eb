#ifndef COORDINATOR_HTTP_HTTP_TIMEOUTS_INTERNAL_H
#define COORDINATOR_HTTP_HTTP_TIMEOUTS_INTERNAL_H
/* What the files of patience share: how long connections may take, http_timeouts.c; which of them make room, http_timeouts_eviction.c. */

#include <pthread.h>
#include <stdatomic.h>

#include "coordinator/http/http_timeouts.h"

/* Whose connection it is: an IPv4 address, or the half of an IPv6 address that one site has.  Zeros: not known. */
struct peer {
	unsigned char bytes[16];
	bool here;			/* this machine */
};

struct conn {
	struct conn *prev, *next;
	int fd;
	struct peer peer;
	enum phase phase;
	bool hung_up, served;		/* it has brought a whole request */
	bool spare;			/* beyond the bounds: for probes alone */
	int64_t since;			/* of the phase; HEADING of a first request counts from the connection's begin */
	atomic_int_fast64_t moved;	/* while RECEIVING: when PATIENCE_STEP bytes more had come */
	int64_t spared;			/* when it was nearly made to go, but had sent something; 0: never */
	int64_t begun;			/* when the head of a request was seen to begin; 0: not */
	uint64_t received;		/* bytes, when it was first seen to wait */
	bool counted;			/* `received` is of this wait */
	atomic_int_fast64_t unread;	/* since when the client has something to read while WORKING; 0: nothing */
	void (*left)(void *);		/* until it was called */
	void *arg;
};

struct patience {
	pthread_t thread;
	pthread_mutex_t lock;		/* of the ring, and of `closing` */
	pthread_cond_t wake;
	struct conn ring;
	size_t n;			/* of those that are not hung up on */
	bool closing;
	struct patience_rules rules;
};

/* ---- all under the lock ---- */

void patience_hang_up(struct patience *, struct conn *);

/*
 * Room for `c`, which is not in the ring yet: within the bounds, by hanging up on another, or as a spare one.
 * False: there is none.
 */
bool patience_make_room(struct patience *, struct conn *c);

/* Bytes of the connection, in its life; 0 when the kernel does not say. */
uint64_t patience_received(const struct conn *);

/* ---- without ---- */

struct peer patience_peer(int fd);
#endif
