#ifndef COORDINATOR_REGISTRY_ETCD_ETCD_H
#define COORDINATOR_REGISTRY_ETCD_ETCD_H
/*
 * A client for the part of etcd that several coordinators need: its v3 API as JSON over HTTP.  Any
 * thread.  It uses one address until that fails, then the next.  All keys are relative to the
 * prefix of the URL.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct etcd;

struct etcd_options {
	const char *url;		/* etcd://HOST:PORT,HOST:PORT/PREFIX, or tls+etcd:// */
	const char *ca, *cert, *key;	/* PEM files; "": the system's CAs, none, none */
	const char *user, *password;	/* "": no login */
};

/*
 * Create a client without connecting.  NULL with INVALID_INPUT, naming the option.  The strings of
 * the options must outlive the client.
 */
struct etcd *etcd_new(const struct etcd_options *, struct err *);
void etcd_free(struct etcd *);		/* NULL is fine */

/* The addresses as in the URL, to be shown. */
const char *etcd_addresses(const struct etcd *);
const char *etcd_prefix(const struct etcd *);

/* A number that changes when another address is used. */
size_t etcd_endpoint_index(const struct etcd *);

/* A key with its value; `value` is NULL if the key was deleted. */
struct etcd_kv {
	const char *key, *value;
	int64_t rev;			/* of its last change */
};

/* A condition of a transaction. */
struct etcd_guard {
	enum { ETCD_REV_IS, ETCD_EXISTS, ETCD_NONE_AFTER } what;
	const char *key;		/* NONE_AFTER: the prefix of the keys */
	int64_t rev;			/* REV_IS: 0 = the key does not exist */
};

/*
 * If all guards hold, put (with the lease, unless that is 0) or delete all of `ops`.  1: done;
 * 0: a guard does not hold; both set `*rev` to the revision.  -1: FORBIDDEN, INVALID_INPUT, or
 * UNAVAILABLE; `*unsent` is true if the transaction cannot have been executed.
 */
int etcd_txn(struct etcd *, const struct etcd_guard *, size_t nguards, const struct etcd_kv *ops,
    size_t nops, int64_t lease, int64_t *rev, bool *unsent, struct err *);

/* Read all keys, as of one revision; they live in `a`. */
int etcd_get_all(
    struct etcd *, struct etcd_kv **v, size_t *n, int64_t *rev, struct arena *a, struct err *);

/*
 * Call `each` for the changes since a revision, those of one revision together, and with n 0 at
 * the end of each batch.  Returns 0 when the connection ends, which it does after a minute without
 * changes; -1 with UNAVAILABLE, also soon after `*stop` is set, or NOT_FOUND if etcd has compacted
 * the revision.
 */
int etcd_watch(struct etcd *, int64_t from,
    void (*each)(void *arg, const struct etcd_kv *, size_t n, int64_t rev), void *arg,
    atomic_bool *stop, struct err *);

/*
 * Obtain, renew and release a lease.  etcd_keep_alive returns 1, or 0 if the lease has expired, and
 * sets `*rev` to the current revision.
 */
int etcd_grant(struct etcd *, int64_t seconds, int64_t *lease, struct err *);
int etcd_keep_alive(struct etcd *, int64_t lease, int64_t *rev, struct err *);
int etcd_revoke(struct etcd *, int64_t lease, struct err *);
#endif
