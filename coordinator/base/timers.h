#ifndef COORDINATOR_BASE_TIMERS_H
#define COORDINATOR_BASE_TIMERS_H
/* Calls functions at given times on a separate thread. */

#include <stdint.h>

struct timers;

struct timers *timers_new(void);

/* Call `ring(arg)` at `at_us` (monotonic) or soon after; it must not block.  Any thread. */
void timers_add(struct timers *, int64_t at_us, void (*ring)(void *), void *arg);

/* Ring all pending timers at once, then free.  NULL is fine. */
void timers_free(struct timers *);
#endif
