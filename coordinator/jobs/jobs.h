#ifndef COORDINATOR_JOBS_JOBS_H
#define COORDINATOR_JOBS_JOBS_H
/*
 * Work that is done in the coordinator's own time and outlives it: jobs.def has the kinds, the
 * registry the jobs. One thread claims what is due, by a lease that it renews; a job whose
 * coordinator died is claimed again when that has expired.  A job holds no thread while it waits
 * for a shard: job_run.h is what a kind is written with.
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

/* Begin to work.  -1: no thread. */
int jobs_start(struct jobs *, struct err *);

/* Begin nothing more; NULL is fine.  What runs stays in the registry. */
void jobs_stop(struct jobs *);

/*
 * When nothing of the pool or of the shards can come any more: give the leases back, free.  NULL
 * is fine.
 */
void jobs_free(struct jobs *);

/*
 * What is wanted.  `of` is a repo_uri or a group's name as the kind has it; the rest may be NULL
 * or 0.
 */
struct job_request {
	const struct job_kind *kind;
	const char *of, *reason, *caller, *base, *head;
	bool force;
	int64_t delay_ms;		/* do not begin before */
};

/*
 * Enqueue, unless a job of that kind and thing is queued (it then wants what both want) or, for
 * SKIP, runs.  `out` is the job that will do it, `*fresh` whether it is a new one.  Any thread.
 */
int jobs_enqueue(struct jobs *, const struct job_request *, struct job *out, bool *fresh,
    struct arena *, struct err *);

/*
 * Why the repository is to be built by the rules (build_policy.h); NULL: it is fresh, or `e` is
 * set.  Any thread.
 */
const char *jobs_build_reason(
    struct jobs *, const struct member *, bool force, struct arena *, struct err *);

/*
 * End a queued job; a running one ends when its shard was told.  NOT_FOUND; INVALID_INPUT: it has
 * ended.
 */
int jobs_cancel(struct jobs *, const char *id, struct err *);

/*
 * Those that are queued (as last seen) and run here, and how many ended since the start, or were
 * put back to be tried again.
 */
struct jobs_counts {
	uint64_t queued, running, done, failed, cancelled, again;
};
struct jobs_counts jobs_counts(struct jobs *);

/*
 * Others have changed jobs: look at what is due, and whether those that run here shall end.  Any
 * thread.
 */
void jobs_changed(struct jobs *);

/* Put over a running job how far it is, when it runs in this process. */
void jobs_add_progress(struct jobs *, struct job *, struct arena *);

/* A shard of this repository is reached again: what waits for that is due.  Any thread. */
void jobs_shard_reachable(struct jobs *, const char *repo_uri);

/* A shard of this repository has said something: what waits for it looks at once.  Any thread. */
void jobs_shard_spoke(struct jobs *, const char *repo_uri);
#endif
