#ifndef COORDINATOR_REGISTRY_REPLICATION_H
#define COORDINATOR_REGISTRY_REPLICATION_H
/*
 * One registry for several coordinators: it is in etcd, each has a copy in its file.  What one
 * writes is committed there in the same transaction, if nobody has changed the same rows
 * meanwhile; what others write comes by a watch.  Without etcd everything is read from the copy,
 * and nothing shared is written.
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
	int64_t lease_ms;		/* a coordinator that says nothing for so long is gone */
	const char *host, *http;	/* of this one, for people */
};

/*
 * Share the registry from now on; options must live as long.  When etcd does not answer that is
 * logged, and tried again and again. INVALID_INPUT: the file has a registry of its own, or is a
 * copy of another one.
 */
int registry_replicate(struct registry *, const struct replication_options *, struct err *);

/* INVALID_INPUT when the file is a copy of a shared registry. */
int registry_check_standalone(struct registry *, struct err *);

/*
 * Call `news` when others have changed something, on a thread of its own; NULL: no more, and give
 * the lease back.
 */
void registry_set_listener(
    struct registry *, void (*news)(void *ctx, const struct shared_changes *), void *ctx);

/* This process, among the coordinators of the registry. */
const char *registry_instance_id(const struct registry *);

bool registry_is_shared(const struct registry *);

/* Whether what is shared can be written, as far as is known. */
bool registry_is_ready(struct registry *);

/* Whether others take this coordinator for alive; without others: true. */
bool registry_lease_is_valid(struct registry *);

/* Whether this one does what one of them does for all. */
bool registry_is_leader(struct registry *);

struct registry_sync_state {
	const char *kind;		/* sqlite | etcd */
	const char *at, *state, *message;	/* state: ready | away; message: why */
	int64_t since_ms;		/* in that state */
	int64_t revision;		/* up to which all is known here */
	const char *self, *leader;	/* leader NULL: nobody yet */
	uint64_t commits, conflicts, failures;
};
void registry_sync_state(struct registry *, struct registry_sync_state *, struct arena *);

/* The coordinators that are there, this one too, by id; none without others. */
struct registry_peer {
	const char *id, *host, *http, *started_at;
};
int registry_peers(
    struct registry *, struct registry_peer **v, size_t *n, struct arena *, struct err *);

/* ---- moving a registry (registry_export.c) ---- */

/*
 * What is shared, as lines of JSON {"table":…,"row":…}, parents before children, without secrets;
 * at most `limit` behind the key `after` (NULL: from the beginning).  `*next` is where to go on;
 * NULL: that was all.
 */
int registry_export(struct registry *, const char *after, size_t limit, t_strs *lines,
    const char **next, struct arena *, struct err *);

/*
 * Take such lines in, in one transaction.  Rows that are there are written anew, but jobs: those
 * stay.  What cannot be (parents that are missing, words that are not known) is in `left_out`,
 * with the reason.  `importer`: the token whose sources they are from now on; NULL: the
 * operator's, as far as they say no other.  INVALID_INPUT when a line is no such line.
 */
int registry_import(struct registry *, const char *importer, const t_strs *lines, uint64_t *written,
    t_strs *left_out, struct arena *, struct err *);
#endif
