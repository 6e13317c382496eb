#ifndef COORDINATOR_JOBS_JOB_RUN_H
#define COORDINATOR_JOBS_JOB_RUN_H
/*
 * The functions that a kind of job uses.  job_<kind>(run) runs on a worker and starts a request to
 * the shard, a tool or a pause, none of which holds a thread.  The job continues in the
 * continuation, or job_<kind> is called again; then it must find out from run_memo_get where it
 * was, perhaps in another process.  Each step ends with exactly one of the functions under "how a
 * step ends", after which the run must not be used.  Every step may run twice, so it must be
 * idempotent.  Cancelling is handled here: for REPO kinds the shard receives RPC cancel with the
 * job's id.
 */

#include <stdint.h>

#include "coordinator/jobs/jobs.h"
#include "proto/record/record.h"

struct call;
struct member;

const struct job *run_job(const struct job_run *);
struct coordinator *run_coordinator(const struct job_run *);

/* The arena of this step, which is reset before the next one. */
struct arena *run_arena(const struct job_run *);

/* Note the progress, to be shown. */
void run_progress(struct job_run *, const char *phase, uint64_t done, uint64_t total);

/*
 * The state that the job keeps between its steps, a record.  get leaves the zeroed `out` unchanged
 * if there is none yet; put stores it before it returns.
 */
void run_memo_get(struct job_run *, const struct record *, void *out);
void run_memo_put(struct job_run *, const struct record *, const void *);

/* Send a request to the other shards of the repository, ignoring answers; the step continues. */
void run_broadcast(struct job_run *, enum rpc_id, const void *req);

/* ---- how a step ends ---- */

/*
 * Send a request to the shard of the job's repository; fails the job if the repository was removed.
 * `res` is zeroed if e->code is set.
 */
void run_ask(struct job_run *, enum rpc_id, const void *req, int timeout_ms,
    void (*then)(struct job_run *, const void *res, const struct err *e));

/* Run a tool as the coordinator itself; the call is freed when `then` returns. */
void run_tool(struct job_run *, const char *tool, const char *args,
    void (*then)(struct job_run *, const struct call *));

/* Call job_<kind> again after `ms`, or as soon as its shard announces something. */
void run_poll_in(struct job_run *, int64_t ms);

/* The job is done.  `generation` is that of the index that it built or found, or 0. */
void run_done(struct job_run *, uint64_t generation, const char *note);

/* The job failed: retry with growing delays, up to --job-tries times in all. */
void run_retry(struct job_run *, const struct err *);

/* The shard is unavailable: retry without limit. */
void run_defer(struct job_run *, const struct err *);

/* The job failed, and a retry would not help. */
void run_fail(struct job_run *, const struct err *);

/* One function per row. */
#define JOB(name, of, lane, load, again, whose, doc) void job_##name(struct job_run *);
#include "coordinator/jobs/jobs.def"
#endif
