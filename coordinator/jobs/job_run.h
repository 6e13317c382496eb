#ifndef COORDINATOR_JOBS_JOB_RUN_H
#define COORDINATOR_JOBS_JOB_RUN_H
/*
 * What a kind of job is written with.  job_<kind>(run) is called on a worker and begins something: a question to the shard,
 * a tool, a pause.  It goes on in the continuation, or is called again; a pause holds no thread, and job_<kind> must find
 * from run_memo_get where it was, since the coordinator may have been another process then.  Each call ends with exactly one
 * of the functions below ("how a call ends"), after which the run must not be touched.  The same job may be begun several times, so
 * whatever it does must come to the same when it is done twice.  Cancelling is seen to: REPO kinds have their shard told
 * (RPC cancel with the job's id).
 */

#include <stdint.h>

#include "coordinator/jobs/jobs.h"
#include "proto/record/record.h"

struct call;
struct member;

const struct job *run_job(const struct run *);
struct coordinator *run_co(const struct run *);

/* The arena of this call; empty at the next one. */
struct arena *run_arena(const struct run *);

/* How far it is, for people. */
void run_progress(struct run *, const char *phase, uint64_t done, uint64_t total);

/* What it keeps between its calls: a record, from the zeroed `out` when there is none yet; and kept before this returns. */
void run_memo_get(struct run *, const struct record *, void *out);
void run_memo_put(struct run *, const struct record *, const void *);

/* Tell the other shards of the repository than the one that run_ask asks, without waiting for them; then the call goes on. */
void run_tell(struct run *, enum rpc_id, const void *req);

/* ---- how a call ends ---- */

/* Ask the shard of the job's repository, or end the job when that was removed.  `res` is zeroed when e->code is set. */
void run_ask(struct run *, enum rpc_id, const void *req, int timeout_ms,
    void (*then)(struct run *, const void *res, const struct err *e));

/* Run a tool as the coordinator itself; the call is freed when `then` returns. */
void run_call(struct run *, const char *tool, const char *args, void (*then)(struct run *, const struct call *));

/* Call job_<kind> again after so long, or when its shard says something. */
void run_look(struct run *, int64_t ms);

/* `generation`: of the index that it made or found, or 0. */
void run_done(struct run *, uint64_t generation, const char *note);

/* It failed: tried again later and later, up to --job-tries times. */
void run_failed(struct run *, const struct err *);

/* Whom it needs is away: tried again, however often. */
void run_away(struct run *, const struct err *);

/* It failed, and would again. */
void run_hopeless(struct run *, const struct err *);

/* One function per row. */
#define JOB(name, of, lane, load, again, whose, doc) void job_##name(struct run *);
#include "coordinator/jobs/jobs.def"
#endif
