#ifndef COORDINATOR_JOBS_JOBS_H
#define COORDINATOR_JOBS_JOBS_H
/*
 * Background work that survives restarts: jobs.def lists the kinds, the registry stores the jobs.
 * One thread claims due jobs with a lease and renews it; when a coordinator dies, another one can
 * claim its jobs after the lease has expired.  A job holds no thread while it waits for a shard;
 * job_run.h has the functions that a kind uses.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/registry/job_record.h"

struct arena;
struct coordinator;
struct err;
struct jobs;
struct member;
struct registry;

extern const struct job_kind job_kinds[];	/* ends with a NULL name */
const struct job_kind *job_kind(const char *name);	/* or NULL */

struct jobs *jobs_new(struct coordinator *);

/* Start the thread. */
int jobs_start(struct jobs *, struct err *);

/* Stop the thread; running jobs stay in the registry.  NULL is fine. */
void jobs_stop(struct jobs *);

/*
 * Release the leases and free everything, after the thread pool and the members have stopped.  NULL
 * is fine.
 */
void jobs_free(struct jobs *);

/*
 * A requested job.  `of` is a repo_uri or the name of a group, depending on the kind; the other
 * fields may be NULL or 0.
 */
struct job_request {
	const struct job_kind *kind;
	const char *of, *reason, *caller, *base, *head;
	bool force;
	int64_t delay_ms;		/* wait at least so long */
};

/*
 * Enqueue a job.  If one with the same kind and target is queued, the request is merged into it; if
 * one runs, SKIP kinds are not enqueued.  `out` is the job that will do the work, `*fresh` whether
 * it is new.  Any thread.
 */
int jobs_enqueue(struct jobs *, const struct job_request *, struct job *out, bool *fresh,
    struct arena *, struct err *);

/*
 * Why the repository has to be built (build_policy.h); NULL if it is fresh or `e` is set.  Any
 * thread.
 */
const char *jobs_build_reason(
    struct jobs *, const struct member *, bool force, struct arena *, struct err *);

/*
 * Cancel a job: a queued one ends at once, a running one after its shard was notified.  NOT_FOUND,
 * or INVALID_INPUT if it has ended.
 */
int jobs_cancel(struct jobs *, const char *id, struct err *);

/*
 * The number of queued jobs (at the last check) and of jobs running here; and how many ended or
 * were queued again since the start.
 */
struct jobs_counts {
	uint64_t queued, running, done, failed, cancelled, again;
};
struct jobs_counts jobs_counts(struct jobs *);

/*
 * Other coordinators have changed jobs: check the queue, and whether jobs that run here were
 * cancelled.  Any thread.
 */
void jobs_changed(struct jobs *);

/* Update the progress of a running job, if it runs in this process. */
void jobs_add_progress(struct jobs *, struct job *, struct arena *);

/* A shard of this repository is reachable again: jobs that wait for it become due.  Any thread. */
void jobs_shard_reachable(struct jobs *, const char *repo_uri);

/* A shard of this repository has announced something: jobs that poll it do so now.  Any thread. */
void jobs_shard_spoke(struct jobs *, const char *repo_uri);
#endif
