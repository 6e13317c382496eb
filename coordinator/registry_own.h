#ifndef COORDINATOR_REGISTRY_OWN_H
#define COORDINATOR_REGISTRY_OWN_H
/* What registry.c and the modules that keep copies of its tables in memory share. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "coordinator/registry.h"

struct groups_copy;

struct registry {
	pthread_mutex_t lock;		/* guards db and writes */
	struct db *db;
	bool firm;			/* the transaction under way */
	int64_t writes;			/* rows that it had written at the last commit */
	atomic_uint_fast64_t version;	/* another one after each commit that wrote */
	_Atomic int64_t scope;		/* as the table has it */
	pthread_mutex_t read_lock;	/* guards what is below; a writer does not hold it */
	struct db *reader;		/* sees the last commit */
	struct groups_copy *groups;	/* NULL: nobody has asked yet */
	int lock_fd;			/* one coordinator per directory */
};

void groups_copy_free(struct groups_copy *);	/* NULL is fine */
#endif
