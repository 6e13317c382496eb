#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
/* What is being indexed, on standard error: bars on a terminal, a line per step otherwise.  One thread. */

#include <stdint.h>

struct progress;

struct progress *progress_new(void);
void progress_free(struct progress *);

/*
 * The state of the repository that `key` stands for, shown as `name`, which may become another; `state` is a word or
 * two.  `total` 0: it is not known how much there is to do.
 */
void progress_put(struct progress *, const char *key, const char *name, const char *state, uint64_t done,
    uint64_t total);

/* All were put: draw what changed. */
void progress_draw(struct progress *);

/* The start is over: from here on a line for each change, below what else was printed. */
void progress_plain(struct progress *);
#endif
