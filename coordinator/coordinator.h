#ifndef COORDINATOR_COORDINATOR_H
#define COORDINATOR_COORDINATOR_H
/* The coordinator's process: starts, runs and stops all its parts. */

#include "coordinator/calls/context.h"

/*
 * Open everything and start to serve: without HTTP if `o.http` is empty (for tests), without HTTP
 * and shards if `o.offline` is set.  Blocks SIGTERM and SIGINT for coordinator_serve.  NULL with
 * `e`.
 */
struct coordinator *coordinator_open(const struct coordinator_config *, struct err *);

/*
 * Instead of serving, run the tool named by `o.offline` with arguments as JSON on standard input,
 * and print its answer, which may be an error.  -1 with INVALID_INPUT if there is no such tool.
 */
int coordinator_offline(struct coordinator *, struct err *);

/* Serve until SIGTERM or SIGINT. */
void coordinator_serve(struct coordinator *);

/*
 * Fail pending requests and free everything; ends the process if that takes longer than 2.5 s.
 * NULL is fine.
 */
void coordinator_close(struct coordinator *);
#endif
