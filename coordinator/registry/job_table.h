#ifndef COORDINATOR_REGISTRY_JOB_TABLE_H
#define COORDINATOR_REGISTRY_JOB_TABLE_H
/*
 * The jobs in the registry and their changes of state.  Each function is one transaction, so
 * several coordinators may share a registry.  Enqueued, ended and cancelled jobs survive a power
 * cut.  `now` is real time in milliseconds.  Any thread.
 */

#include "coordinator/registry/job_record.h"

struct arena;
struct err;
struct registry;

/* The holder of leases, how long they last, and how many heavy jobs may run at once. */
struct job_lease_terms {
	const char *holder;
	int64_t lease_ms, most, most_per_host;
	/*
	 * The registry is shared with other machines, whose clocks may differ: a job's lease lasts as
	 * long as its holder is registered, and lease_ms does not apply.
	 */
	bool shared;
};

/* Enqueue (see jobs_enqueue).  `j` describes the job and receives the one that will do the work. */
int job_enqueue(struct registry *, const struct job_kind *, struct job *j, bool *fresh, int64_t now,
    struct arena *, struct err *);

/*
 * Take back jobs whose lease has expired, then claim the first job that is due and may run.
 * 1: `out` belongs to this holder; 0: there is none.
 */
int job_claim(struct registry *, const struct job_lease_terms *, int64_t now, struct job *out,
    struct arena *, struct err *);

/*
 * Store the progress and renew the lease.  1: continue; 0: the job no longer belongs to this
 * holder, or is to be cancelled (`*cancelled`).
 */
int job_renew_lease(struct registry *, const struct job_lease_terms *, const struct job *,
    int64_t now, bool *cancelled, struct err *);

/*
 * End a job with `state` done or failed, or queue it again until due_ms.  Stores tries, waits,
 * note, code, message and cancelled of `j`.  A job that is queued again is merged into another
 * queued job with the same key, if there is one.  1; or 0, with nothing changed, if the job no
 * longer belongs to this holder.
 */
int job_end(struct registry *, const struct job_lease_terms *, const struct job *j, int64_t now,
    struct err *);

/*
 * Cancel a job: a queued one ends, a running one is marked; `*running` tells which.  NOT_FOUND, or
 * INVALID_INPUT if the job has ended.
 */
int job_cancel(struct registry *, const char *id, int64_t now, bool *running, struct err *);

/* Take back the holder's leased jobs that are not in `running`, a JSON array of ids. */
int job_requeue_orphans(struct registry *, const struct job_lease_terms *, const char *running,
    int64_t now, struct err *);

/*
 * Update the index status of a job's repository after another coordinator has changed the job.
 * Within a transaction.
 */
struct db;
int job_update_index_status(struct db *, const char *id, struct err *);

/* Release all leases of a holder at once. */
int job_release_leases(struct registry *, const char *holder, struct err *);

/* One job, or NOT_FOUND. */
int job_get(struct registry *, const char *id, struct job *out, struct arena *, struct err *);
/* Fail with NOT_FOUND, in the same words for a job that does not exist and a hidden one. */
int job_not_found(const char *id, struct err *);

/* The history of a job, oldest first. */
struct job_log_entry {
	int64_t at_ms;
	const char *state, *phase, *code, *message;
	uint64_t done, total;
};
int job_log(struct registry *, const char *id, struct job_log_entry **v, size_t *n, struct arena *,
    struct err *);

/* Jobs, newest first.  `state`, `kind` and `of` (a repo_uri or group) filter; each may be NULL. */
int job_find_all(struct registry *, const char *state, const char *kind, const char *of,
    struct job **v, size_t *n, struct arena *, struct err *);

/*
 * Milliseconds until the next queued job is due (0: now), at most `max`.  `*queued` receives the
 * number of queued jobs.
 */
int64_t job_next_due_ms(struct registry *, int64_t now, int64_t max, uint64_t *queued);

/* The shard of a repository is back: jobs that wait for it become due. */
int job_wake_waiting(struct registry *, const char *repo_uri, int64_t now, struct err *);

/*
 * Delete the jobs that ended before `before`, and of the other ended ones all but the newest
 * `max`.  Returns how many were deleted, or -1.
 */
int64_t jobs_forget(struct registry *, int64_t before, int64_t max, struct err *);
#endif
