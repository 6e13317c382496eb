#ifndef COORDINATOR_REGISTRY_ETCD_ETCD_INTERNAL_H
#define COORDINATOR_REGISTRY_ETCD_ETCD_INTERNAL_H
/* Shared by etcd_request.c (one request) and etcd.c (keys, transactions, watches, leases). */

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "coordinator/registry/etcd/etcd.h"

struct arena;
struct err;
struct fetch_response;

enum { ETCD_ADDRESSES = 16, ETCD_ANSWER_MS = 2000 };

struct etcd {
	struct etcd_options o;
	struct arena *a;
	const char *shown, *prefix, *urls[ETCD_ADDRESSES];
	size_t nurls;
	atomic_size_t at;
	pthread_mutex_t lock;		/* guards pass */
	char *pass;			/* the session token; NULL before the first login */
};

struct etcd_call {
	const char *path, *body;
	int timeout_ms;
	void (*data)(void *, const char *, size_t);	/* NULL: the body goes to `out` */
	void *arg;
	atomic_bool *stop;
};

/*
 * Try one address after the other until one answers, as long as the request cannot be executed
 * twice.  -1 with `e`; out->unsent is true if no server has received it.
 */
int etcd_call(struct etcd *, const struct etcd_call *, struct fetch_response *out, struct arena *,
    struct err *);

/* The same with one address. */
int etcd_call_at(struct etcd *, const struct etcd_call *, const char *url,
    struct fetch_response *out, struct arena *, struct err *);
#endif
