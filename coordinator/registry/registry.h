#ifndef COORDINATOR_REGISTRY_REGISTRY_H
#define COORDINATOR_REGISTRY_REGISTRY_H
/*
 * What is registered, in DATA/registry.db: repositories and the shards that were last seen for
 * them.  With several coordinators that file is the copy of each, and replication.h keeps the
 * copies together. groups.h (groups, desired sources) and contract_tables.h (facts, contracts,
 * links) and tokens.h keep theirs in the same file. Any thread may call; one mutex admits one at a
 * time.  Groups are read from a copy in memory (groups_cache.c).
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
 * Open or create DATA/registry.db and apply the migrations that it lacks (coordinator/schema/).
 * NULL with `e`: UNAVAILABLE when another coordinator runs on the directory, DB_ERROR,
 * SCHEMA_MISMATCH (newer file).
 */
struct registry *registry_open(const char *dir, struct err *e);

/*
 * An empty one that nobody else has and that goes when it is closed, for tables that follow from
 * others.  NULL with DB_ERROR.
 */
struct registry *registry_open_temporary(struct err *);

void registry_close(struct registry *);		/* NULL is fine */

/* A repository as it was last known. */
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
 * Add or update a repository and the endpoint of the shard that says `hello`.  FORBIDDEN when it
 * was removed and is not added `again` (tombstones.h).
 */
int registry_repo_put(struct registry *, const struct hello *, bool again, struct err *);

/* Keep the last state of a repository: encoded records, and their gist for repo_index_metadata. */
int registry_index_put(struct registry *, const char *repo_uri, struct bytes stamp,
    struct bytes status, const struct freshness *, const char *status_word, struct err *);

int registry_visibility_put(
    struct registry *, const char *repo_uri, const char *visibility, struct err *);

/*
 * Forget a repository: its endpoints, memberships, facts, metadata, and the source that it came
 * from.  Its shards are refused (tombstones.h).
 */
int registry_repo_remove(struct registry *, const char *repo_uri, struct err *);

/*
 * Another number when other repositories are there, or other members of groups, or what is public.
 */
int64_t registry_scope_version(struct registry *);

/* ---- for the modules that keep tables in the same file ---- */

/*
 * INVALID_INPUT unless `name`, which is `field`, is one: letters, digits, `_`, `-`, `.`; at most
 * 64.
 */
int registry_check_name(const char *field, const char *name, struct err *e);

/* The first column of every row of a statement that is already bound. */
int registry_strings(struct stmt *, t_strs *out, struct arena *, struct err *);

/* Take the mutex and begin a transaction; NULL with `e`.  registry_end gives both back. */
struct db *registry_begin(struct registry *, struct err *);

/*
 * The same for what must outlive a power cut, not only the process, once registry_end has
 * returned.
 */
struct db *registry_begin_durable(struct registry *, struct err *);

/*
 * Commit when `rc` is 0, else roll back; returns rc, or -1 when the commit failed; or
 * REGISTRY_CONFLICT with `e`: another coordinator has changed the same rows meanwhile, nothing was
 * written.  What is shared (shared_tables.def) is committed in etcd first: UNAVAILABLE when that
 * does not answer.
 */
enum { REGISTRY_CONFLICT = -2 };
int registry_end(struct registry *, int rc, struct err *);

/*
 * Whether to begin once more what has ended with `rc`: after a conflict, once what the other one
 * did is known here; a few times.  `*tries` is 0 at first.  Not with a lock held.
 */
bool registry_retry(struct registry *, int rc, int *tries, struct err *);

/* A secret of all coordinators of this registry, 64 hex digits, made when there is none yet. */
int registry_secret(struct registry *, const char *name, char out[65], struct err *);

/*
 * The way of those who only read: they see the last commit, and wait for no writer.
 * registry_read_end gives it back, returns rc.
 */
struct db *registry_read_begin(struct registry *);
int registry_read_end(struct registry *, int rc);

/*
 * The same for those who read much: nobody who reads little waits for them, and all that they see
 * is of one commit.  NULL with `e`.
 */
struct db *registry_snapshot_begin(struct registry *, struct err *);
int registry_snapshot_end(struct registry *, int rc);

/* Another number after each commit that wrote. */
uint64_t registry_version(struct registry *);
#endif
