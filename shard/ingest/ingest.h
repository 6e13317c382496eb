#ifndef SHARD_INGEST_INGEST_H
#define SHARD_INGEST_INGEST_H
/*
 * The ingest child: parses and writes one generation, then exits. What it needs from other machines
 * was fetched by the child before it (fetch_process.h), so it gives up all other access first
 * (sandbox.h). It may be killed at any instant.
 *
 * It reports to its parent on descriptor INGEST_FD, in lines:
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

/* Runs as the child. Returns the exit status: 0 published or unchanged, 1 failed (with `e`). */
int ingest_run(const struct options *, struct err *e);

/* ---- for every child that writes a part of the index ---- */

/* Writes a line to the parent. */
void ingest_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Sets the resource limits of an ingest; waits for one of the host's slots, which is held until the
 * process ends.
 */
void ingest_set_limits(const struct options *);
void ingest_acquire_slot(const struct options *);

/*
 * The sandbox of the child: it may read the repository, unless that is NULL, and write the folder
 * of its index.
 */
struct sandbox ingest_sandbox(
    const struct options *, const struct repo_source *, struct repo *, struct arena *);
#endif
