#ifndef COORDINATOR_REGISTRY_ETCD_ETCD_H
#define COORDINATOR_REGISTRY_ETCD_ETCD_H
/*
 * etcd, as much of it as several coordinators need: its v3 API as JSON over HTTP.  Any thread may
 * ask; one address is asked until it fails, then the next.  Keys are given and told below the
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
	const char *user, *password;	/* ""; without */
};

/*
 * Does not connect.  NULL with INVALID_INPUT, naming the option.  The strings of the options must
 * live as long.
 */
struct etcd *etcd_new(const struct etcd_options *, struct err *);
void etcd_free(struct etcd *);		/* NULL is fine */

/* The addresses, for people: as in the URL. */
const char *etcd_addresses(const struct etcd *);
const char *etcd_prefix(const struct etcd *);

/* Which of them is asked, as a number that changes with it. */
size_t etcd_endpoint_index(const struct etcd *);

/* A row as it is kept; `value` NULL: it is gone. */
struct etcd_kv {
	const char *key, *value;
	int64_t rev;			/* of its last change */
};

/* What must hold for a transaction to happen. */
struct etcd_guard {
	enum { ETCD_REV_IS, ETCD_EXISTS, ETCD_NONE_AFTER } what;
	const char *key;		/* NONE_AFTER: what all the keys begin with */
	int64_t rev;			/* REV_IS: 0, it does not exist */
};

/*
 * Put (with the lease, unless that is 0) or delete all of `ops` when all guards hold.  1: done; 0:
 * a guard does not hold; both with `*rev`, the revision at which that is so; -1: UNAVAILABLE, and
 * `*unsent` says whether it cannot have happened; or FORBIDDEN, INVALID_INPUT.
 */
int etcd_txn(struct etcd *, const struct etcd_guard *, size_t nguards, const struct etcd_kv *ops,
    size_t nops, int64_t lease, int64_t *rev, bool *unsent, struct err *);

/* Everything, as of one revision; it lives in `a`. */
int etcd_get_all(
    struct etcd *, struct etcd_kv **v, size_t *n, int64_t *rev, struct arena *a, struct err *);

/*
 * Call `each` for what has changed from a revision on, what happened at one revision together,
 * until `*stop`, or the connection ends (0; it does when nothing happens for a minute), or with an
 * error: UNAVAILABLE; NOT_FOUND when that revision is forgotten there.  `each` with n 0: that was
 * all for now.
 */
int etcd_watch(struct etcd *, int64_t from,
    void (*each)(void *arg, const struct etcd_kv *, size_t n, int64_t rev), void *arg,
    atomic_bool *stop, struct err *);

/*
 * A lease of so many seconds, kept alive, given back.  etcd_keep_alive: 1; 0 when it has expired;
 * also tells the revision of now.
 */
int etcd_grant(struct etcd *, int64_t seconds, int64_t *lease, struct err *);
int etcd_keep_alive(struct etcd *, int64_t lease, int64_t *rev, struct err *);
int etcd_revoke(struct etcd *, int64_t lease, struct err *);
#endif
