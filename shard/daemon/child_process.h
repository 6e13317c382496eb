#ifndef SHARD_DAEMON_CHILD_PROCESS_H
#define SHARD_DAEMON_CHILD_PROCESS_H
/*
 * The parent's end of a child that fetches, ingests or makes vectors (ingest.h): start it, hear
 * it, end it.  Used by one thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proto/process/progress.h"

struct err;
struct options;

enum child_kind {
	CHILD_FETCH,			/* brings a mirror up to date, copies an index; has the network */
	CHILD_INGEST,			/* parses, without network */
	CHILD_VECTORS			/* embeds; has no deadline */
};

struct child {
	enum child_kind kind;
	pid_t pid;			/* 0: none */
	int fd;				/* to poll for reading while pid is set */
	int64_t deadline_ms;		/* when it is killed; monotonic */
	bool killed;			/* because of that */
	bool published;			/* it said so; it may run on, to tidy up */
	char phase[16];
	struct progress_amount amount;
	char line[512], result[512];	/* being read; the last word of the child */
	size_t n;
};

enum child_outcome { CHILD_RUNS, CHILD_PUBLISHED, CHILD_UNCHANGED, CHILD_FAILED, CHILD_CRASHED };

/*
 * Start this program again with those of the options that such a child needs.  `threads`: how
 * many parse.
 */
int child_start(struct child *, enum child_kind, const struct options *, bool force, int threads,
    struct err *e);

/* Read what it said; how it ended, if it has, with `e` set for CHILD_FAILED and CHILD_CRASHED. */
enum child_outcome child_read(struct child *, struct err *e);

/* Kill it and what it started, and reap it. */
void child_kill(struct child *);
#endif
