#ifndef COORDINATOR_REGISTRY_JOB_TABLE_H
#define COORDINATOR_REGISTRY_JOB_TABLE_H
/*
 * The jobs in the registry, and what moves them from state to state, each in one transaction: so
 * several coordinators may share a registry; what is put in, ended or cancelled outlives a power
 * cut.  `now` is real time in milliseconds.  Any thread.
 */

#include "coordinator/registry/job_record.h"

struct arena;
struct err;
struct registry;

/* Whose leases, how long, and how many at once. */
struct job_lease_terms {
	const char *holder;
	int64_t lease_ms, most, most_per_host;
	/* with other machines, whose clocks may be others: a lease is its holder's in the registry */
	bool shared;
};

/*
 * Put in the queue as jobs_enqueue says; `j` has what is wanted, and gets the job that will do it.
 */
int job_enqueue(struct registry *, const struct job_kind *, struct job *j, bool *fresh, int64_t now,
    struct arena *, struct err *);

/*
 * Take back what has an expired lease, then claim the first that is due and may run.  1: `out` is
 * this holder's; 0: none.
 */
int job_claim(struct registry *, const struct job_lease_terms *, int64_t now, struct job *out,
    struct arena *, struct err *);

/*
 * How far it is; renews the lease.  1: go on; 0: it is not this holder's any more, or shall be
 * cancelled (`*cancelled`).
 */
int job_renew_lease(struct registry *, const struct job_lease_terms *, const struct job *,
    int64_t now, bool *cancelled, struct err *);

/*
 * It ends: with `state` done or failed, or goes back (queued) until due_ms.  tries, waits, note,
 * code, message, cancelled are kept as `j` has them.  A job that goes back while another of its
 * key is queued leaves it to that one. 1, or 0 when it is not this holder's any more: then nothing
 * was changed.
 */
int job_end(struct registry *, const struct job_lease_terms *, const struct job *j, int64_t now,
    struct err *);

/*
 * Cancel: a queued one is over, a running one is marked.  `*running` tells which.  NOT_FOUND;
 * INVALID_INPUT.
 */
int job_cancel(struct registry *, const char *id, int64_t now, bool *running, struct err *);

/* Take back what the holder is said to run, and is not among `running`, a JSON array of ids. */
int job_requeue_orphans(struct registry *, const struct job_lease_terms *, const char *running,
    int64_t now, struct err *);

/* Others have changed this job: what is known of its index follows.  Within a transaction. */
struct db;
int job_update_index_status(struct db *, const char *id, struct err *);

/* Give all leases of a holder back at once. */
int job_release_leases(struct registry *, const char *holder, struct err *);

/* One job, or NOT_FOUND. */
int job_get(struct registry *, const char *id, struct job *out, struct arena *, struct err *);

/* What happened to a job, in order. */
struct job_log_entry {
	int64_t at_ms;
	const char *state, *phase, *code, *message;
	uint64_t done, total;
};
int job_log(struct registry *, const char *id, struct job_log_entry **v, size_t *n, struct arena *,
    struct err *);

/* Jobs, the newest first; `state`, `kind`, `of` (repo_uri or group) may be NULL. */
int job_find_all(struct registry *, const char *state, const char *kind, const char *of,
    struct job **v, size_t *n, struct arena *, struct err *);

/*
 * Milliseconds until a queued job is due (0: now), or `most` when none is before; `*queued`: how
 * many there are.
 */
int64_t job_next_due_ms(struct registry *, int64_t now, int64_t most, uint64_t *queued);

/* The shard of a repository is back: what waits for it is due. */
int job_wake_waiting(struct registry *, const char *repo_uri, int64_t now, struct err *);

/*
 * Forget those that ended before `before`, and of the others all but the newest `most`; how many,
 * or -1.
 */
int64_t jobs_forget(struct registry *, int64_t before, int64_t most, struct err *);
#endif
