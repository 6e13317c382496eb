#ifndef COORDINATOR_HTTP_HTTP_TIMEOUTS_INTERNAL_H
#define COORDINATOR_HTTP_HTTP_TIMEOUTS_INTERNAL_H
/*
 * What the files of patience share: how long connections may take, http_timeouts.c; which of them
 * make room, http_timeouts_eviction.c.
 */

#include <pthread.h>
#include <stdatomic.h>

#include "coordinator/http/http_timeouts.h"

/*
 * Whose connection it is: an IPv4 address, or the half of an IPv6 address that one site has.
 * Zeros: not known.
 */
struct http_peer {
	unsigned char bytes[16];
	bool here;			/* this machine */
};

struct http_conn {
	struct http_conn *prev, *next;
	int fd;
	struct http_peer peer;
	enum http_phase phase;
	bool hung_up, served;		/* it has brought a whole request */
	bool spare;			/* beyond the bounds: for probes alone */
	/* of the phase; HEADING of a first request counts from the connection's begin */
	int64_t since;
	atomic_int_fast64_t moved;	/* while RECEIVING: when HTTP_PROGRESS_BYTES bytes more had come */
	/* when it was nearly made to go, but had sent something; 0: never */
	int64_t spared_at;
	int64_t head_began_at;			/* when the head of a request was seen to begin; 0: not */
	uint64_t received;		/* bytes, when it was first seen to wait */
	bool counted;			/* `received` is of this wait */
	/* since when the client has something to read while WORKING; 0: nothing */
	atomic_int_fast64_t unread;
	void (*on_hangup)(void *);		/* until it was called */
	void *arg;
};

struct http_timeouts {
	pthread_t thread;
	pthread_mutex_t lock;		/* of the ring, and of `closing` */
	pthread_cond_t wake;
	struct http_conn ring;
	size_t n;			/* of those that are not hung up on */
	bool closing;
	struct http_timeout_rules rules;
};

/* ---- all under the lock ---- */

void http_timeouts_hang_up(struct http_timeouts *, struct http_conn *);

/*
 * Room for `c`, which is not in the ring yet: within the bounds, by hanging up on another, or as a
 * spare one. False: there is none.
 */
bool http_timeouts_evict(struct http_timeouts *, struct http_conn *c);

/* Bytes of the connection, in its life; 0 when the kernel does not say. */
uint64_t http_conn_bytes_received(const struct http_conn *);

/* ---- without ---- */

struct http_peer http_conn_peer(int fd);
#endif
