#ifndef COORDINATOR_REGISTRY_REPLICATION_INTERNAL_H
#define COORDINATOR_REGISTRY_REPLICATION_INTERNAL_H
/*
 * What replication.c (what this one writes), replication_watch.c (what others write) and
 * replication_lease.c (this one among them) have in common.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "coordinator/registry/registry_internal.h"
#include "coordinator/registry/replication.h"

struct replication {
	struct registry *r;
	struct replication_options o;
	struct etcd *etcd;
	const struct shared_tables *tables;
	pthread_mutex_t lock;		/* guards what follows */
	pthread_cond_t wake;
	bool loaded;			/* all of it was read once, and since then watched */
	bool ready;			/* etcd answers */
	bool stopping, wake_lease;		/* look: the keeper shall, at once */
	int64_t since, seen;		/* in this state, monotonic; revision */
	int64_t conflict_revision;			/* revision of the last conflict */
	int64_t lease, alive_until;	/* monotonic */
	char message[240];
	uint64_t commits, conflicts, failures;
	size_t watched_endpoint;
	atomic_bool cancel_watch;		/* of the watch */
	pthread_mutex_t news_lock;	/* held while `news` runs */
	void (*news)(void *, const struct shared_changes *);
	void *ctx;
	/* not told yet; this and its strings are the watcher's */
	struct shared_changes pending_changes;
	struct arena *pending_arena;
	pthread_t watcher, lease_thread;
	bool threads;
};

/* Whether etcd answers, and if not why. */
void replication_set_ready(struct replication *, bool ready, const char *why);

bool replication_is_ready(struct replication *);
bool replication_stopping(struct replication *);

/* The keeper shall look at once. */
void replication_wake_lease(struct replication *);

/* Until the keeper shall look, or something ends. */
void replication_sleep(struct replication *, int64_t ms, bool keeper);

/* Read all that is shared into the copy.  INVALID_INPUT: the file is that of another registry. */
int replication_load(struct replication *, struct err *);

/* Keep the lease of this coordinator, and lead when nobody does. */
void replication_renew_lease(struct replication *);

/* Who schedules, in `out`; "": nobody. */
void replication_get_leader(struct registry *, char out[40]);

/* Threads; each takes the sharing. */
void *replication_watch_thread(void *);
void *replication_lease_thread(void *);
#endif
