#ifndef COORDINATOR_JOBS_JOB_RUN_H
#define COORDINATOR_JOBS_JOB_RUN_H
/*
 * What a kind of job is written with.  job_<kind>(run) is called on a worker and begins something:
 * a question to the shard, a tool, a pause.  It goes on in the continuation, or is called again; a
 * pause holds no thread, and job_<kind> must find from run_memo_get where it was, since the
 * coordinator may have been another process then.  Each call ends with exactly one of the
 * functions below ("how a call ends"), after which the run must not be touched.  The same job may
 * be begun several times, so whatever it does must come to the same when it is done twice.
 * Cancelling is seen to: REPO kinds have their shard told (RPC cancel with the job's id).
 */

#include <stdint.h>

#include "coordinator/jobs/jobs.h"
#include "proto/record/record.h"

struct call;
struct member;

const struct job *run_job(const struct job_run *);
struct coordinator *run_coordinator(const struct job_run *);

/* The arena of this call; empty at the next one. */
struct arena *run_arena(const struct job_run *);

/* How far it is, for people. */
void run_progress(struct job_run *, const char *phase, uint64_t done, uint64_t total);

/*
 * What it keeps between its calls: a record, from the zeroed `out` when there is none yet; and
 * kept before this returns.
 */
void run_memo_get(struct job_run *, const struct record *, void *out);
void run_memo_put(struct job_run *, const struct record *, const void *);

/*
 * Tell the other shards of the repository than the one that run_ask asks, without waiting for
 * them; then the call goes on.
 */
void run_broadcast(struct job_run *, enum rpc_id, const void *req);

/* ---- how a call ends ---- */

/*
 * Ask the shard of the job's repository, or end the job when that was removed.  `res` is zeroed
 * when e->code is set.
 */
void run_ask(struct job_run *, enum rpc_id, const void *req, int timeout_ms,
    void (*then)(struct job_run *, const void *res, const struct err *e));

/* Run a tool as the coordinator itself; the call is freed when `then` returns. */
void run_tool(struct job_run *, const char *tool, const char *args,
    void (*then)(struct job_run *, const struct call *));

/* Call job_<kind> again after so long, or when its shard says something. */
void run_poll_in(struct job_run *, int64_t ms);

/* `generation`: of the index that it made or found, or 0. */
void run_done(struct job_run *, uint64_t generation, const char *note);

/* It failed: tried again later and later, up to --job-tries times. */
void run_retry(struct job_run *, const struct err *);

/* Whom it needs is away: tried again, however often. */
void run_defer(struct job_run *, const struct err *);

/* It failed, and would again. */
void run_fail(struct job_run *, const struct err *);

/* One function per row. */
#define JOB(name, of, lane, load, again, whose, doc) void job_##name(struct job_run *);
#include "coordinator/jobs/jobs.def"
#endif
