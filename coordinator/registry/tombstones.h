#ifndef COORDINATOR_REGISTRY_TOMBSTONES_H
#define COORDINATOR_REGISTRY_TOMBSTONES_H
/*
 * Who was removed: a repository, or what one host ran of it.  A shard that goes on announcing
 * itself is refused, whoever was started again meanwhile, until what it serves is on the list of
 * sources again.  Rows of the registry (`removed`), so that all coordinators of one know them.
 */

#include <stdbool.h>

struct arena;
struct db;
struct err;
struct hello;
struct registry;

/*
 * Within a transaction: a repository is removed; or what `host` ran of it, or its shard `replica`
 * there, each NULL when it is not meant.
 */
int tombstone_put(
    struct db *, const char *repo_uri, const char *host, const char *replica, struct err *);

/* Within a transaction: what says `hello` is removed no more. */
int tombstone_delete(struct db *, const struct hello *, struct err *);

/* Within a transaction: 0, or FORBIDDEN when what says `hello` is removed, with the remedy. */
int tombstone_refuse(struct db *, const struct hello *, struct err *);

/*
 * Whether what says `hello` may join: 0 when it is not removed, or with `*again` when it is, but
 * was added again; a source without a host is for `own`.  -1 with FORBIDDEN, and the remedy.
 */
int tombstone_check(struct registry *, const struct hello *, const char *own, bool *again,
    struct arena *, struct err *);
#endif
