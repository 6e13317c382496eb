#ifndef PROTO_PROCESS_PROGRESS_H
#define PROTO_PROCESS_PROGRESS_H
/*
 * Progress of indexing on standard error: bars with files, MB/s and time left on a terminal, a line
 * per step otherwise (also with TERM=dumb).  No line is longer than the terminal is wide.  Not
 * thread-safe.
 */

#include <stdint.h>

struct progress;

struct progress *progress_new(void);
void progress_free(struct progress *);	/* NULL is fine */

/* How much is done; `total` or `total_bytes` is 0 while the amount of work is unknown. */
struct progress_amount {
	uint64_t done, total;		/* files */
	uint64_t bytes, total_bytes;
};

/*
 * Set the state, a word or two, and the progress of the repository with this key.  It is shown as
 * `name`, which may change.
 */
void progress_update(struct progress *, const char *key, const char *name, const char *state,
    struct progress_amount);

/* Redraw the bars, after progress_update of each repository.  Does nothing without a terminal. */
void progress_draw(struct progress *);

/* Stop drawing bars: from now on print a line for each change, below other output. */
void progress_use_lines(struct progress *);
#endif
