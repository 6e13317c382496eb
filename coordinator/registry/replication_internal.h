#ifndef COORDINATOR_REGISTRY_REPLICATION_INTERNAL_H
#define COORDINATOR_REGISTRY_REPLICATION_INTERNAL_H
/* What replication.c (what this one writes), replication_watch.c (what others write) and replication_lease.c (this one among them) have in common. */

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "coordinator/registry/registry_internal.h"
#include "coordinator/registry/replication.h"

struct sharing {
	struct registry *r;
	struct sharing_options o;
	struct etcd *etcd;
	const struct shared *tables;
	pthread_mutex_t lock;		/* guards what follows */
	pthread_cond_t wake;
	bool loaded;			/* all of it was read once, and since then watched */
	bool ready;			/* etcd answers */
	bool stopping, look;		/* look: the keeper shall, at once */
	int64_t since, seen;		/* in this state, monotonic; revision */
	int64_t wanted;			/* revision of the last conflict */
	int64_t lease, alive_until;	/* monotonic */
	char message[240];
	uint64_t commits, conflicts, failures;
	size_t watched_at;
	atomic_bool hang_up;		/* of the watch */
	pthread_mutex_t news_lock;	/* held while `news` runs */
	void (*news)(void *, const struct shared_news *);
	void *ctx;
	struct shared_news heard;	/* not told yet; this and its strings are the watcher's */
	struct arena *heard_a;
	pthread_t watcher, keeper;
	bool threads;
};

/* Whether etcd answers, and if not why. */
void sharing_set_ready(struct sharing *, bool ready, const char *why);

bool sharing_is_ready(struct sharing *);
bool sharing_stopping(struct sharing *);

/* The keeper shall look at once. */
void sharing_look(struct sharing *);

/* Until the keeper shall look, or something ends. */
void sharing_rest(struct sharing *, int64_t ms, bool keeper);

/* Read all that is shared into the copy.  INVALID_INPUT: the file is that of another registry. */
int sharing_load(struct sharing *, struct err *);

/* Keep the lease of this coordinator, and lead when nobody does. */
void sharing_keep(struct sharing *);

/* Who schedules, in `out`; "": nobody. */
void sharing_leader(struct registry *, char out[40]);

/* Threads; each takes the sharing. */
void *sharing_watch(void *);
void *sharing_keeper(void *);
#endif
