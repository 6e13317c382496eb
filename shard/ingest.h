#ifndef SHARD_INGEST_H
#define SHARD_INGEST_H
/*
 * The ingest child: parses and writes one generation, then exits; what it needs of other machines the child before it has fetched
 * (fetching.h), so it gives up everything else first (sandbox.h).  It may be killed at any instant.
 * It tells its parent on descriptor INGEST_FD, in lines:
 *   phase DONE TOTAL            phase: wait | fetch | copy | parse | write | publish
 *   published | unchanged | error CODE message
 */

struct err;
struct options;

enum { INGEST_FD = 3 };

/* Be the child.  Returns the exit status: 0 published or unchanged, 1 failed (and `e` says why). */
int ingest_run(const struct options *, struct err *e);
#endif
