#ifndef COORDINATOR_REGISTRY_TOMBSTONES_H
#define COORDINATOR_REGISTRY_TOMBSTONES_H
/*
 * Records what was removed: a repository, or the shards of it on one host.  A shard that still
 * announces itself is refused until its source is added again.  Stored in the registry (table
 * `removed`), so restarts do not matter and all coordinators know.
 */

#include <stdbool.h>

struct arena;
struct db;
struct err;
struct hello;
struct registry;

/*
 * Within a transaction: record that a repository is removed; or, if `host` or `replica` is not
 * NULL, only its shards there.
 */
int tombstone_put(
    struct db *, const char *repo_uri, const char *host, const char *replica, struct err *);

/* Within a transaction: delete the tombstones that apply to the announcing shard. */
int tombstone_delete(struct db *, const struct hello *, struct err *);

/* Within a transaction: FORBIDDEN, with a hint, if the announcing shard was removed. */
int tombstone_refuse(struct db *, const struct hello *, struct err *);

/*
 * Whether the announcing shard may join: 0 if it was not removed; 0 with `*again` if it was, but
 * its source was added again; else FORBIDDEN, with a hint.  A source that names no host belongs to
 * the host `own`.
 */
int tombstone_check(struct registry *, const struct hello *, const char *own, bool *again,
    struct arena *, struct err *);
#endif
