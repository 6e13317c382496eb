#ifndef COORDINATOR_REGISTRY_REGISTRY_H
#define COORDINATOR_REGISTRY_REGISTRY_H
/*
 * The registry, DATA/registry.db: repositories and the shards last seen for them.  With several
 * coordinators the file is each one's copy, and replication.h keeps the copies equal.  groups.h
 * (groups, sources), contract_tables.h (facts, contracts, links) and tokens.h store their tables
 * in the same file.  Any thread may call; a mutex serializes writers.  Groups are read from a copy
 * in memory (groups_cache.c).
 */

#include <stdbool.h>
#include <stddef.h>

#include "proto/record/record.h"

struct arena;
struct db;
struct err;
struct registry;
struct stmt;

/*
 * Open or create DATA/registry.db and apply missing migrations (coordinator/schema/).  NULL with
 * UNAVAILABLE if another coordinator runs on the directory, with DB_ERROR, or with SCHEMA_MISMATCH
 * if a newer version wrote the file.
 */
struct registry *registry_open(const char *dir, struct err *e);

/*
 * A private, empty registry that is deleted when it is closed, for tables that are derived from
 * others.  NULL with DB_ERROR.
 */
struct registry *registry_open_temporary(struct err *);

void registry_close(struct registry *);		/* NULL is fine */

/* The last known state of a repository. */
struct registered_repo {
	const char *repo_uri, *name, *default_branch, *visibility, *source;
	struct bytes stamp, status;	/* msgpack of freshness and status_res; empty: never seen */
	struct registered_endpoint {
		const char *replica, *url;
	} *endpoints;
	size_t nendpoints;
};

/* All repositories, by repo_uri. */
int registry_repos(
    struct registry *, struct registered_repo **v, size_t *n, struct arena *, struct err *);

/*
 * Add or update a repository and the endpoint of the shard that announced itself.  FORBIDDEN if it
 * was removed and has not been added `again` (tombstones.h).
 */
int registry_repo_put(struct registry *, const struct hello *, bool again, struct err *);

/*
 * Store the last state of a repository: the encoded records, and for repo_index_metadata the
 * freshness (or NULL) and the status.
 */
int registry_index_put(struct registry *, const char *repo_uri, struct bytes stamp,
    struct bytes status, const struct freshness *, const char *status_word, struct err *);

int registry_visibility_put(
    struct registry *, const char *repo_uri, const char *visibility, struct err *);

/*
 * Delete a repository with its endpoints, memberships, facts, metadata and source.  Its shards are
 * refused from now on (tombstones.h).
 */
int registry_repo_remove(struct registry *, const char *repo_uri, struct err *);

/* A number that changes when repositories, members of groups or visibilities change. */
int64_t registry_scope_version(struct registry *);

/* ---- for the modules that store tables in the same file ---- */

/*
 * INVALID_INPUT, naming `field`, unless `name` has 1 to 64 characters and consists of letters,
 * digits, `_`, `-` and `.`.
 */
int registry_check_name(const char *field, const char *name, struct err *e);

/* The first column of all rows of a bound statement. */
int registry_strings(struct stmt *, t_strs *out, struct arena *, struct err *);

/* Take the mutex and begin a transaction; NULL with `e`.  End both with registry_end. */
struct db *registry_begin(struct registry *, struct err *);

/* The same, for a transaction that must survive a power cut once registry_end has returned. */
struct db *registry_begin_durable(struct registry *, struct err *);

/*
 * Commit if `rc` is 0, else roll back.  Returns rc; -1 if the commit failed; or REGISTRY_CONFLICT
 * with `e` if another coordinator has changed the same rows and nothing was written.  Rows of
 * shared tables (shared_tables.def) are committed to etcd first: UNAVAILABLE if it does not
 * answer.
 */
enum { REGISTRY_CONFLICT = -2 };
int registry_end(struct registry *, int rc, struct err *);

/*
 * Whether to repeat a transaction that ended with `rc`: a few times after a conflict, after
 * waiting for the other coordinator's change to arrive.  `*tries` starts at 0.  Call without
 * locks.
 */
bool registry_retry(struct registry *, int rc, int *tries, struct err *);

/* A secret that all coordinators of this registry share, 64 hex digits; created on first use. */
int registry_secret(struct registry *, const char *name, char out[65], struct err *);

/*
 * Begin a short read of the last commit, which waits for no writer.  registry_read_end ends it and
 * returns rc.
 */
struct db *registry_read_begin(struct registry *);
int registry_read_end(struct registry *, int rc);

/*
 * The same for a long read: short reads do not wait for it, and all its statements see the same
 * commit.  NULL with `e`.
 */
struct db *registry_snapshot_begin(struct registry *, struct err *);
int registry_snapshot_end(struct registry *, int rc);

/* A number that changes with each commit that wrote something. */
uint64_t registry_version(struct registry *);
#endif
