#ifndef SHARD_DAEMON_SHARD_H
#define SHARD_DAEMON_SHARD_H
/*
 * The process of one repository: it keeps its index current, answers requests, and announces
 * itself. The main thread alone changes the state; requests see copies of it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "shard/git/repo_source.h"
#include "shard/server/shard_state.h"

struct arena;
struct err;
struct hello;
struct options;
struct rpc_handlers;
struct rpc_load;
struct shard;

/*
 * Locks the data directory, checks its index and listens. Returns NULL with `e`: INVALID_INPUT;
 * NOT_FOUND; UNAVAILABLE if the address is taken, or another process serves this repository from
 * this data directory. `o` must outlive the shard. `handlers` answer its requests (rpc_server.h).
 */
struct shard *shard_open(
    const struct options *o, const struct rpc_handlers *handlers, struct err *e);

/* Serves until SIGTERM or SIGINT. */
void shard_serve(struct shard *);

/* For --once: brings the index up to date, then prints its summary. */
int shard_run_once(struct shard *, struct err *e);

/* Ends the child process and frees the shard. NULL is fine. */
void shard_close(struct shard *);

/* For --probe: asks the shard at o->probe; 0 if it serves an index. */
int shard_probe(const struct options *o, struct err *e);

/* ---- for handlers of RPCs, on any thread ---- */

const struct options *shard_options(const struct shard *);
const struct repo_source *shard_source(const struct shard *);
int64_t shard_started_ms(const struct shard *);	/* monotonic, milliseconds */
void shard_state(struct shard *, struct shard_status *out);

/* Describes this shard; strings live in `a` or as long as the shard. */
void shard_hello(struct shard *, struct hello *out, struct arena *a);

/* The origins of its secrets; valid as long as the shard. */
struct secrets *shard_secrets(const struct shard *);

/* A random number that identifies this process. */
uint64_t shard_process_number(const struct shard *);

/*
 * Requests an ingest, after the running one if there is one; shard_cancel stops it by `job` (may be
 * NULL). Returns its number: it has ended when state.ended has reached that.
 */
uint64_t shard_request_ingest(struct shard *, bool force, const char *job);

/* Requests the missing vectors, however often that has failed. */
void shard_request_vectors(struct shard *);

/* The load (rpc_server.h); cancels a request (rpc_server.h), or the ingest of a job. */
struct rpc_load shard_load(struct shard *);
bool shard_cancel(struct shard *, const char *req);

/* Reports that this index failed during a request: it is set aside and rebuilt. */
void shard_report_bad_index(struct shard *, const char *file, const char *message);
#endif
