#ifndef SHARD_INGEST_INGEST_H
#define SHARD_INGEST_INGEST_H
/*
 * The ingest child: parses and writes one generation, then exits; what it needs of other machines
 * the child before it has fetched (fetch_process.h), so it gives up everything else first
 * (sandbox.h).  It may be killed at any instant. It tells its parent on descriptor INGEST_FD, in
 * lines:
 *   phase DONE TOTAL            phase: wait | fetch | copy | parse | write | publish
 *   published | unchanged | error CODE message
 */

#include "shard/sandbox/sandbox.h"

struct arena;
struct err;
struct options;
struct repo;
struct repo_source;

enum { INGEST_FD = 3 };

/* Be the child.  Returns the exit status: 0 published or unchanged, 1 failed (and `e` says why). */
int ingest_run(const struct options *, struct err *e);

/* ---- for whatever child writes a part of the index ---- */

/* A line to the parent. */
void ingest_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Take the limits of an ingest; wait for one of the host's slots, which is held until the process
 * ends.
 */
void ingest_set_limits(const struct options *);
void ingest_acquire_slot(const struct options *);

/* What it may do: read the repository, if it is open, write where its index is. */
struct sandbox ingest_sandbox(
    const struct options *, const struct repo_source *, struct repo *, struct arena *);
#endif
