#ifndef COORDINATOR_BASE_TICKER_H
#define COORDINATOR_BASE_TICKER_H
/* Calls a function periodically on a separate thread. */

#include <stdint.h>

struct ticker;

/* Call `tick(arg)` now, and `interval_ms` after each return.  NULL if no thread can be started. */
struct ticker *ticker_new(int64_t interval_ms, void (*tick)(void *), void *arg);

/* Waits for a running call to return.  NULL is fine. */
void ticker_free(struct ticker *);
#endif
