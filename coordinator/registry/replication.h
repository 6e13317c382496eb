#ifndef COORDINATOR_REGISTRY_REPLICATION_H
#define COORDINATOR_REGISTRY_REPLICATION_H
/*
 * One registry for several coordinators.  It lives in etcd, and each coordinator has a copy in its
 * file.  A write is committed to etcd in the same transaction, unless another coordinator has
 * changed the same rows; the writes of others arrive through a watch.  While etcd is unavailable,
 * reads are answered from the copy, and shared tables cannot be written.
 */

#include <stdbool.h>
#include <stdint.h>

#include "coordinator/registry/etcd/etcd.h"
#include "coordinator/registry/shared_tables.h"
#include "proto/record/record.h"

struct arena;
struct registry;

struct replication_options {
	struct etcd_options etcd;
	int64_t lease_ms;		/* a coordinator that is silent for so long counts as gone */
	const char *host, *http;	/* of this coordinator, shown to people */
};

/*
 * Share the registry from now on.  The strings of the options must live as long as the registry.
 * An etcd that does not answer is logged and retried.  INVALID_INPUT if the file has a registry of
 * its own, or is a copy of another one.
 */
int registry_replicate(struct registry *, const struct replication_options *, struct err *);

/* INVALID_INPUT if the file is a copy of a shared registry. */
int registry_check_standalone(struct registry *, struct err *);

/*
 * Call `news` on a separate thread after other coordinators have changed something.  NULL stops
 * the calls and the threads, and releases the lease.
 */
void registry_set_listener(
    struct registry *, void (*news)(void *ctx, const struct shared_changes *), void *ctx);

/* Identifies this process among the coordinators of the registry. */
const char *registry_instance_id(const struct registry *);

bool registry_is_shared(const struct registry *);

/* Whether shared tables can probably be written; true if the registry is not shared. */
bool registry_is_ready(struct registry *);

/* Whether the other coordinators consider this one alive; true if the registry is not shared. */
bool registry_lease_is_valid(struct registry *);

/* Whether this coordinator does the work that only one of them does; true if it is not shared. */
bool registry_is_leader(struct registry *);

struct registry_sync_state {
	const char *kind;		/* sqlite | etcd */
	const char *at, *state, *message;	/* state: ready | away; message: why */
	int64_t since_ms;		/* milliseconds in that state */
	int64_t revision;		/* the last etcd revision that the copy contains */
	const char *self, *leader;	/* leader: NULL if there is none */
	uint64_t commits, conflicts, failures;
};
void registry_sync_state(struct registry *, struct registry_sync_state *, struct arena *);

/* The live coordinators, including this one, sorted by id; none if the registry is not shared. */
struct registry_peer {
	const char *id, *host, *http, *started_at;
};
int registry_peers(
    struct registry *, struct registry_peer **v, size_t *n, struct arena *, struct err *);

/* ---- moving a registry (registry_export.c) ---- */

/*
 * The shared tables as lines of JSON {"table":…,"row":…}, parents before children, without
 * secrets: at most `limit` lines after the key `after` (NULL: from the beginning).  `*next` is the
 * key at which to continue; NULL at the end.
 */
int registry_export(struct registry *, const char *after, size_t limit, t_strs *lines,
    const char **next, struct arena *, struct err *);

/*
 * Import such lines in one transaction.  Existing rows are overwritten, except jobs.  Rows that
 * cannot be written, for example because a parent is missing, go to `left_out` with the reason.
 * `importer` is the token that imported sources belong to from now on; if it is NULL, they keep
 * their owner.  INVALID_INPUT if a line is not a line of an export.
 */
int registry_import(struct registry *, const char *importer, const t_strs *lines, uint64_t *written,
    t_strs *left_out, struct arena *, struct err *);
#endif
