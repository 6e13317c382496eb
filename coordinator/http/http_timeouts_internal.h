#ifndef COORDINATOR_HTTP_HTTP_TIMEOUTS_INTERNAL_H
#define COORDINATOR_HTTP_HTTP_TIMEOUTS_INTERNAL_H
/* Shared by http_timeouts.c (time limits) and http_timeouts_eviction.c (making room). */

#include <pthread.h>
#include <stdatomic.h>

#include "coordinator/http/http_timeouts.h"

/* The client's IPv4 address, or the /64 of its IPv6 address; all zero if unknown. */
struct http_peer {
	unsigned char bytes[16];
	bool here;			/* this machine */
};

struct http_conn {
	struct http_conn *prev, *next;
	int fd;
	struct http_peer peer;
	enum http_phase phase;
	bool hung_up;			/* closed by this module */
	bool served;			/* it has sent a complete request */
	bool spare;			/* for probes only */
	int64_t since;			/* start of the phase; of the connection for a first HEADING */
	atomic_int_fast64_t moved;	/* while RECEIVING: the last progress */
	int64_t spared_at;		/* when it was last spared because it was busy; 0 = never */
	int64_t head_began_at;		/* start of the headers of a request; 0 = not yet */
	uint64_t received;		/* bytes at the first scan of this wait */
	bool counted;			/* `received` belongs to this wait */
	atomic_int_fast64_t unread;	/* since when the client has data to read; 0 = it has none */
	void (*on_hangup)(void *);	/* NULL after the call */
	void *arg;
};

struct http_timeouts {
	pthread_t thread;
	pthread_mutex_t lock;		/* guards the ring, n and closing */
	pthread_cond_t wake;
	struct http_conn ring;
	size_t n;			/* connections that are not hung_up */
	bool closing;
	struct http_timeout_rules rules;
};

/* ---- call with the lock held ---- */

void http_timeouts_hang_up(struct http_timeouts *, struct http_conn *);

/*
 * Make room for `c`, which is not in the ring yet: within the limits, by closing another
 * connection, or as a spare one.  False if there is no room.
 */
bool http_timeouts_evict(struct http_timeouts *, struct http_conn *c);

/* Bytes received in the life of the connection; 0 if unknown. */
uint64_t http_conn_bytes_received(const struct http_conn *);

/* ---- call without the lock ---- */

struct http_peer http_conn_peer(int fd);
#endif
