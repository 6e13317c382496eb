#ifndef SHARD_DAEMON_SHARD_H
#define SHARD_DAEMON_SHARD_H
/*
 * One repository's process: keeps its index current, answers requests, says that it is there.
 * The main thread does everything that changes the state; requests see copies of it.
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
 * Lock the data directory, look at its index and listen.  NULL with `e` (INVALID_INPUT; NOT_FOUND;
 * UNAVAILABLE: the address is taken, or another process serves this repository from this data
 * directory).  `o` must outlive the shard. `handlers` answer what it is asked (rpc_server.h).
 */
struct shard *shard_open(
    const struct options *o, const struct rpc_handlers *handlers, struct err *e);

/* Serve until SIGTERM or SIGINT. */
void shard_serve(struct shard *);

/* With --once: bring the index up to date, then print what it holds. */
int shard_run_once(struct shard *, struct err *e);

/* End the child, free.  NULL is fine. */
void shard_close(struct shard *);

/* With --probe: ask the shard at o->probe; 0 when it serves an index. */
int shard_probe(const struct options *o, struct err *e);

/* ---- for the RPCs; any thread ---- */

const struct options *shard_options(const struct shard *);
const struct repo_source *shard_source(const struct shard *);
int64_t shard_started_ms(const struct shard *);	/* monotonic, milliseconds */
void shard_state(struct shard *, struct shard_status *out);

/* Who this shard is; strings live in `a` or as long as the shard. */
void shard_hello(struct shard *, struct hello *out, struct arena *a);

/* Where its secrets are from; as long as the shard. */
struct secrets *shard_secrets(const struct shard *);

/* Number of this process, which no other has. */
uint64_t shard_process_number(const struct shard *);

/*
 * Ask for an ingest, behind the running one if there is one; shard_cancel stops it by `job` (or
 * NULL).  Its number: it is over when state.ended has reached that.
 */
uint64_t shard_request_ingest(struct shard *, bool force, const char *job);

/* Ask for the vectors that are missing, however often that has failed. */
void shard_request_vectors(struct shard *);

/* How much it is asked (rpc_server.h); and stop one (rpc_server.h), or the ingest of a job. */
struct rpc_load shard_load(struct shard *);
bool shard_cancel(struct shard *, const char *req);

/* Tell that this index failed under a request: it is set aside and rebuilt. */
void shard_report_bad_index(struct shard *, const char *file, const char *message);
#endif
