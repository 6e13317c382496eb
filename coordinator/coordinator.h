#ifndef COORDINATOR_COORDINATOR_H
#define COORDINATOR_COORDINATOR_H
/* The coordinator as a process: it owns everything that lives as long. */

#include "coordinator/calls/context.h"

/*
 * Open everything and start to answer; `o.http` empty: without HTTP, for tests; `o.offline`:
 * without HTTP and shards.  Blocks SIGTERM and SIGINT for coordinator_serve.  NULL with `e` set.
 */
struct coordinator *coordinator_open(const struct coordinator_config *, struct err *);

/*
 * Instead of serving: run the tool that `o.offline` names, arguments as JSON on standard input,
 * and print its answer, which may be a failure.  -1 with `e`: INVALID_INPUT for the name.
 */
int coordinator_offline(struct coordinator *, struct err *);

/* Answer until SIGTERM or SIGINT. */
void coordinator_serve(struct coordinator *);

/*
 * Fail what is under way and free everything; ends the process when that takes longer than 1.5 s.
 * NULL is fine.
 */
void coordinator_close(struct coordinator *);
#endif
