#ifndef PROTO_BASE_THREAD_POOL_H
#define PROTO_BASE_THREAD_POOL_H
/* A fixed number of threads and a bounded queue of work. */

#include <stddef.h>
#include <stdint.h>

struct pool;

/* `threads` threads; at most `queue` jobs wait. */
struct pool *pool_new(size_t threads, size_t queue);

/* Run `fn(arg)` on some thread.  0, or -1 when the queue is full or the pool is closing. */
int pool_run(struct pool *, void (*fn)(void *), void *arg);

/*
 * The same for one of those who share the pool: keys take turns, whatever waits for each; and none
 * but key 0 may have more of the queue than what is left of it for others (A. Choudhury, E. Hahne,
 * Dynamic Queue Length Thresholds, 1998).  pool_run is key 0.
 */
int pool_run_for(struct pool *, uint64_t key, void (*fn)(void *), void *arg);

/* Jobs that wait for a thread at this moment. */
size_t pool_waiting(struct pool *);

/* Jobs that threads have taken, ever: while some wait and this stands still, the threads hang. */
unsigned long long pool_started_jobs(struct pool *);

/*
 * Refuse new work, finish what waits, join the threads, free.  Not from a pool thread.  NULL is
 * fine.
 */
void pool_free(struct pool *);
#endif
