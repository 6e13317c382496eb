#ifndef COORDINATOR_REGISTRY_REGISTRY_INTERNAL_H
#define COORDINATOR_REGISTRY_REGISTRY_INTERNAL_H
/* What registry.c and the modules that keep copies of its tables in memory share. */

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
	bool durable;			/* the transaction under way */
	int64_t writes;			/* rows that it had written at the last commit */
	atomic_uint_fast64_t version;	/* another one after each commit that wrote */
	_Atomic int64_t scope;		/* as the table has it */
	pthread_mutex_t read_lock;	/* guards what is below; a writer does not hold it */
	struct db *reader;		/* sees the last commit */
	struct groups_cache *groups;	/* NULL: nobody has asked yet */
	pthread_mutex_t view_lock;	/* guards what is below */
	struct db *snapshot_db;		/* NULL: `db` is, under its lock */
	int lock_fd;			/* one coordinator per directory */
	char self[40];			/* this process, among the coordinators of a registry */
	/* that others would have too; empty until registry_tables */
	struct shared_tables tables;
	struct arena *tables_arena;
	struct replication *sharing;	/* NULL: with nobody */
	struct db_changes *changes;	/* of the transaction under way; NULL: they are not shared */
};

void groups_cache_free(struct groups_cache *);	/* NULL is fine */

/* The transaction without its changes being noted: what it writes is known elsewhere. */
struct db *registry_begin_untracked(struct registry *, struct err *);

/* With the lock held: the shared tables, made ready the first time. */
const struct shared_tables *registry_tables(struct registry *, struct err *);

/*
 * replication.c.  With the lock held: note the changes from now on; commit them for everybody: 0,
 * -1 or REGISTRY_CONFLICT.
 */
struct db_changes *replication_begin(struct replication *, struct err *);
int replication_commit(struct replication *, struct db_changes *, struct err *);

/* What was committed there is not here. */
void replication_mark_stale(struct replication *);
void replication_wait_conflict(struct replication *);
void replication_close(struct replication *);	/* NULL is fine */
#endif
