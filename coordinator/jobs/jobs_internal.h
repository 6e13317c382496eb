#ifndef COORDINATOR_JOBS_JOBS_INTERNAL_H
#define COORDINATOR_JOBS_JOBS_INTERNAL_H
/*
 * What jobs.c (the thread: claims, leases, who is next) and job_run.c (a job under way) share;
 * nobody else includes it.
 */

#include <pthread.h>
#include <stdbool.h>

#include "coordinator/jobs/job_run.h"
#include "coordinator/registry/job_table.h"
#include "proto/base/buf.h"

struct map;
struct wire_reply;

/* RESTS: until `at`; WORKS: on a worker; ASKS: an answer is awaited; HEARD: it is there. */
enum run_state { RUN_WAITING, RUN_WORKING, RUN_ASKING, RUN_ANSWERED };

/* A job of this process.  Under the lock of `all`, but what is marked: that is the worker's own. */
struct job_run {
	struct jobs *all;
	struct job_run *next;
	struct arena *a;		/* strings of `j` */
	struct job j;			/* memo, phase, done, total: here, not in `j` */
	const struct job_kind *kind;
	enum run_state state;
	int64_t at;			/* monotonic */
	bool wake_early;			/* while it worked */
	bool cancelled, cancel_sent;		/* shall end; its shard was told */
	bool lost;			/* it is another's */
	struct buf memo;
	char phase[24];
	uint64_t done, total;
	struct arena *step;		/* own: of this call */
	enum rpc_id rpc;		/* own */
	void (*then)(struct job_run *, const void *, const struct err *);	/* own */
	void (*called)(struct job_run *, const struct call *);		/* own */
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
	struct jobs_counts now;		/* but for `running` */
	bool stopping, started;
	bool check_queue;			/* something was queued or ended */
	bool changed;			/* by others: beat at once */
	struct map *reachable_repos;		/* repositories whose shards are reached again */
	int64_t next_prune;		/* the thread's own, as is the next; monotonic */
	uint64_t pruned;		/* jobs that had ended then */
	pthread_t thread;
};

/* On a worker: the next call of a run that is in state WORKS. */
void run_step(void *run);

/* Take it off the list, free it; with the lock held. */
void run_unlink(struct job_run *);

/* job_schedule.c: enqueue what is due by itself. */
void jobs_schedule(struct jobs *);

/* With the lock held. */
void jobs_wake(struct jobs *);
#endif
