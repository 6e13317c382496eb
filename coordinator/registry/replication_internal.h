#ifndef COORDINATOR_REGISTRY_REPLICATION_INTERNAL_H
#define COORDINATOR_REGISTRY_REPLICATION_INTERNAL_H
/*
 * Shared by replication.c (this coordinator's writes), replication_watch.c (the writes of others)
 * and replication_lease.c (lease and leader).
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
	pthread_mutex_t lock;		/* guards what follows, up to news_lock */
	pthread_cond_t wake;
	bool loaded;			/* everything was read once and has been watched since */
	bool ready;			/* etcd answers */
	bool stopping, wake_lease;	/* wake_lease: the lease thread is to act at once */
	int64_t since, seen;		/* start of this state, monotonic; last applied revision */
	int64_t conflict_revision;	/* revision of the last conflict */
	int64_t lease, alive_until;	/* etcd's id, 0 = none; end of the lease, monotonic */
	char message[240];
	uint64_t commits, conflicts, failures;
	size_t watched_endpoint;
	atomic_bool cancel_watch;
	pthread_mutex_t news_lock;	/* held while `news` runs */
	void (*news)(void *, const struct shared_changes *);
	void *ctx;
	/* changes not reported yet; used by the watcher thread only */
	struct shared_changes pending_changes;
	struct arena *pending_arena;
	pthread_t watcher, lease_thread;
	bool threads;
};

/* Note whether etcd answers, and if it does not, why. */
void replication_set_ready(struct replication *, bool ready, const char *why);

bool replication_is_ready(struct replication *);
bool replication_stopping(struct replication *);

/* Wake the lease thread. */
void replication_wake_lease(struct replication *);

/* Sleep `ms`, less if the replication stops or the lease thread is woken. */
void replication_sleep(struct replication *, int64_t ms, bool lease_thread);

/* Read all shared rows into the copy.  INVALID_INPUT if the file belongs to another registry. */
int replication_load(struct replication *, struct err *);

/* Renew the lease of this coordinator, and become the leader if there is none. */
void replication_renew_lease(struct replication *);

/* The id of the leader, which schedules jobs; empty if there is none. */
void replication_get_leader(struct registry *, char out[40]);

/* Thread functions; the argument is a struct replication. */
void *replication_watch_thread(void *);
void *replication_lease_thread(void *);
#endif
