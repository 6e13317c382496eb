#ifndef COORDINATOR_REGISTRY_REGISTRY_INTERNAL_H
#define COORDINATOR_REGISTRY_REGISTRY_INTERNAL_H
/* Shared by registry.c, groups_cache.c and replication*.c. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "coordinator/registry/registry.h"
#include "coordinator/registry/shared_tables.h"

struct db_changes;
struct groups_cache;
struct replication;

struct registry {
	pthread_mutex_t lock;		/* guards db and writes */
	struct db *db;
	bool durable;			/* the current transaction */
	int64_t writes;			/* db_total_changes at the last commit */
	atomic_uint_fast64_t version;	/* changes with each commit that wrote something */
	_Atomic int64_t scope;		/* a copy of the table's value */
	pthread_mutex_t read_lock;	/* guards reader and groups; writers do not take it */
	struct db *reader;		/* sees the last commit */
	struct groups_cache *groups;	/* NULL before the first read */
	pthread_mutex_t view_lock;	/* guards snapshot_db */
	struct db *snapshot_db;		/* NULL: `db` is used instead, under `lock` */
	int lock_fd;			/* admits one coordinator per directory */
	char self[40];			/* identifies this process among the coordinators of a registry */
	struct shared_tables tables;	/* empty before registry_tables */
	struct arena *tables_arena;
	struct replication *sharing;	/* NULL if the registry is not shared */
	struct db_changes *changes;	/* of the current transaction; NULL if it is not shared */
};

void groups_cache_free(struct groups_cache *);	/* NULL is fine */

/* A transaction whose changes are not sent to etcd, because they came from there. */
struct db *registry_begin_untracked(struct registry *, struct err *);

/* The shared tables, prepared on first use.  Call with the lock held. */
const struct shared_tables *registry_tables(struct registry *, struct err *);

/*
 * replication.c.  Call with the lock held.  Begin records the changes; commit writes them to etcd:
 * 0, -1 or REGISTRY_CONFLICT.
 */
struct db_changes *replication_begin(struct replication *, struct err *);
int replication_commit(struct replication *, struct db_changes *, struct err *);

/* The copy lacks something that etcd has: load everything again. */
void replication_mark_stale(struct replication *);

/* Wait a moment until the change that caused the last conflict has arrived. */
void replication_wait_conflict(struct replication *);
void replication_close(struct replication *);	/* NULL is fine */
#endif
