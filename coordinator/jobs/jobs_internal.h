#ifndef COORDINATOR_JOBS_JOBS_INTERNAL_H
#define COORDINATOR_JOBS_JOBS_INTERNAL_H
/* Shared by jobs.c (the thread, claims, leases), job_run.c (a running job) and job_schedule.c. */

#include <pthread.h>
#include <stdbool.h>

#include "coordinator/jobs/job_run.h"
#include "coordinator/registry/job_table.h"
#include "proto/base/buf.h"

struct map;
struct wire_reply;

/* WAITING until `at`; WORKING on a worker; ASKING until an answer arrives; then ANSWERED. */
enum run_state { RUN_WAITING, RUN_WORKING, RUN_ASKING, RUN_ANSWERED };

/* A job that runs in this process; guarded by the lock of `all`, except the worker's fields. */
struct job_run {
	struct jobs *all;
	struct job_run *next;
	struct arena *a;		/* strings of `j` */
	struct job j;			/* without memo, phase, done and total, which follow */
	const struct job_kind *kind;
	enum run_state state;
	int64_t at;			/* monotonic */
	bool wake_early;		/* its shard has announced something while it worked */
	bool cancelled, cancel_sent;	/* it is to end; its shard was notified */
	bool lost;			/* another coordinator runs it */
	struct buf memo;
	char phase[24];
	uint64_t done, total;
	struct arena *step;		/* the worker's own */
	enum rpc_id rpc;		/* the worker's own */
	void (*then)(struct job_run *, const void *, const struct err *);	/* the worker's own */
	void (*called)(struct job_run *, const struct call *);		/* the worker's own */
	struct wire_reply *reply;
	struct call *call;
	struct err e;			/* instead of a reply */
};

struct jobs {
	struct coordinator *co;
	struct job_lease_terms terms;
	char holder[40];
	pthread_mutex_t lock;		/* guards what follows */
	pthread_cond_t wake;
	struct job_run *first;
	struct jobs_counts now;		/* except `running` */
	bool stopping, started;
	bool check_queue;		/* a job was queued or has ended */
	bool changed;			/* other coordinators changed jobs: renew the leases at once */
	struct map *reachable_repos;	/* repositories whose shards are reachable again */
	int64_t next_prune;		/* monotonic; the thread's own, like the next field */
	uint64_t pruned;		/* jobs that had ended at the last prune */
	pthread_t thread;
};

/* The next step of a run in state WORKING, on a worker. */
void run_step(void *run);

/* Call with the lock held.  Copy memo, phase, done and total. */
void run_copy_progress(const struct job_run *, struct job *, struct arena *);

/* Call with the lock held.  Take a run off the list and free it. */
void run_unlink(struct job_run *);

/* job_schedule.c.  Enqueue scheduled jobs. */
void jobs_schedule(struct jobs *);

/* Call with the lock held. */
void jobs_wake(struct jobs *);
#endif
