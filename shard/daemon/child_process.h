#ifndef SHARD_DAEMON_CHILD_PROCESS_H
#define SHARD_DAEMON_CHILD_PROCESS_H
/*
 * The parent's side of a child that fetches, ingests or makes vectors (ingest.h): starts it, reads
 * its reports, ends it. Used by one thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proto/process/progress.h"

struct err;
struct options;

enum child_kind {
	CHILD_FETCH,			/* updates a mirror, copies an index; has the network */
	CHILD_INGEST,			/* parses, without network */
	CHILD_VECTORS			/* embeds; has no deadline */
};

struct child {
	enum child_kind kind;
	pid_t pid;			/* 0 if it does not run */
	int fd;				/* to poll for reading while pid is set */
	int64_t deadline_ms;		/* when it is killed; monotonic */
	bool killed;			/* because of the deadline */
	bool published;			/* it has published, but may still clean up */
	char phase[16];
	struct progress_amount amount;
	char line[512];			/* the line that is being read, `n` bytes so far */
	char result[512];		/* the child's final report */
	size_t n;
};

enum child_outcome { CHILD_RUNS, CHILD_PUBLISHED, CHILD_UNCHANGED, CHILD_FAILED, CHILD_CRASHED };

/*
 * Starts this program as a child, with those of the options that such a child needs and `threads`
 * parser threads. `variable` (or NULL) is `NAME=value`, one more variable of its environment.
 */
int child_start(struct child *, enum child_kind, const struct options *, bool force, int threads,
    const char *variable, struct err *e);

/* Reads its reports. Returns the outcome, with `e` set for CHILD_FAILED and CHILD_CRASHED. */
enum child_outcome child_read(struct child *, struct err *e);

/* Kills it and everything that it started, and reaps it. */
void child_kill(struct child *);
#endif
