#ifndef COORDINATOR_BASE_TICKER_H
#define COORDINATOR_BASE_TICKER_H
/* A function that is called again and again, on a thread of its own. */

#include <stdint.h>

struct ticker;

/* Call `tick(arg)` now, and after each `interval_ms` that it did not run.  NULL: no thread. */
struct ticker *ticker_new(int64_t interval_ms, void (*tick)(void *), void *arg);

/* Ends when a call that is under way has returned.  NULL is fine. */
void ticker_free(struct ticker *);
#endif
