#ifndef PROTO_BASE_THREAD_POOL_H
#define PROTO_BASE_THREAD_POOL_H
/* A fixed number of threads and a bounded queue of work. */

#include <stddef.h>
#include <stdint.h>

struct pool;

/* Start `threads` threads.  At most `queue` jobs wait for one. */
struct pool *pool_new(size_t threads, size_t queue);

/* Run `fn(arg)` on one of the threads.  0, or -1 if the queue is full or the pool is closing. */
int pool_run(struct pool *, void (*fn)(void *), void *arg);

/*
 * The same for one of several clients of the pool.  Keys take turns, however many jobs each has
 * waiting, and a key other than 0 may not occupy more of the queue than it leaves free for the
 * others (A. Choudhury, E. Hahne, Dynamic Queue Length Thresholds, 1998).  pool_run uses key 0.
 */
int pool_run_for(struct pool *, uint64_t key, void (*fn)(void *), void *arg);

/* The number of jobs that are waiting for a thread. */
size_t pool_waiting(struct pool *);

/* The number of jobs started so far.  While jobs wait and this does not grow, the threads hang. */
unsigned long long pool_started_jobs(struct pool *);

/*
 * Refuse new jobs, finish the waiting ones, join the threads, free.  Must not be called from a pool
 * thread.  NULL is fine.
 */
void pool_free(struct pool *);
#endif
