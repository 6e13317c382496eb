#ifndef PROTO_PROCESS_PROGRESS_H
#define PROTO_PROCESS_PROGRESS_H
/*
 * What is being indexed, on standard error: bars with files, MB/s and time left on a terminal, a
 * line per step otherwise (also with TERM=dumb).  No line is longer than the terminal is wide.
 * One thread.
 */

#include <stdint.h>

struct progress;

struct progress *progress_new(void);
void progress_free(struct progress *);	/* NULL is fine */

/* How far it is; `total` or `total_bytes` 0: it is not known how much there is to do. */
struct progress_amount {
	uint64_t done, total;		/* files */
	uint64_t bytes, total_bytes;
};

/*
 * The state of the repository that `key` stands for, shown as `name`, which may become another;
 * `state` is a word or two.
 */
void progress_update(struct progress *, const char *key, const char *name, const char *state,
    struct progress_amount);

/* All were put: draw what changed. */
void progress_draw(struct progress *);

/* The start is over: from here on a line for each change, below what else was printed. */
void progress_use_lines(struct progress *);
#endif
