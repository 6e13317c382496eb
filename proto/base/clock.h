#ifndef PROTO_BASE_CLOCK_H
#define PROTO_BASE_CLOCK_H
/* Time: monotonic for deadlines, real for timestamps. */

#include <pthread.h>
#include <stdint.h>
#include <time.h>

int64_t clock_ms(void);			/* monotonic, milliseconds */
int64_t clock_us(void);			/* monotonic, microseconds */
void clock_sleep(int64_t ms);

/* Initialize a condition variable whose timed waits use the monotonic clock. */
void clock_init_cond(pthread_cond_t *);
/* When `ms` milliseconds from now have passed, for such a wait. */
struct timespec clock_deadline(int64_t ms);

int64_t clock_real_ms(void);		/* real, milliseconds since 1970 */

enum { CLOCK_ISO = 25 };
/* Real time as `2026-11-21T00:04:49.123Z`; `out` holds CLOCK_ISO bytes. */
void clock_iso(char out[CLOCK_ISO]);
void clock_iso_in(int64_t seconds, char out[CLOCK_ISO]);	/* that long from now */
void clock_iso_at(int64_t real_ms, char out[CLOCK_ISO]);
#endif
