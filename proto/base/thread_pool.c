#include "proto/base/thread_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "proto/base/die.h"

/* Bytes of a thread's stack; its thread-local variables, and what a sanitizer adds to them, lie in it. */
enum { STACK = 2 << 20 };

struct pool_job {
	void (*fn)(void *);
	void *arg;
	struct pool_job *next;	/* in its queue, or in the free list */
};

/* The waiting jobs of one key. */
struct pool_queue {
	uint64_t key;
	struct pool_job *first, **end;
	size_t n;
	struct pool_queue *next;	/* the queue whose turn is next, or in the free list */
};

struct pool {
	pthread_mutex_t lock;		/* guards the fields below */
	pthread_cond_t more;
	struct pool_job *jobs, *free_jobs;	/* array of `cap`; the unused ones */
	struct pool_queue *queues, *free_queues;	/* array of `cap`; the unused ones */
	struct pool_queue *turn, **last;	/* the queues with waiting jobs, in order of turn */
	size_t cap, n;
	unsigned long long taken;
	bool closing;
	pthread_t *threads;
	size_t nthreads;
};

/* With the lock: takes the job whose turn it is.  Its queue moves behind the others. */
static struct pool_job take(struct pool *p)
{
	struct pool_queue *q = p->turn;
	struct pool_job *j = q->first, out = *j;

	p->turn = q->next;
	if (!p->turn)
		p->last = &p->turn;
	q->first = j->next;
	q->next = NULL;
	q->n--;
	if (q->n) {
		*p->last = q;
		p->last = &q->next;
	} else {
		q->next = p->free_queues;
		p->free_queues = q;
	}
	j->next = p->free_jobs;
	p->free_jobs = j;
	p->n--;
	p->taken++;
	return out;
}

static void *worker_main(void *arg)
{
	struct pool *p = arg;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (!p->n && !p->closing)
			pthread_cond_wait(&p->more, &p->lock);
		if (!p->n)
			break;
		struct pool_job j = take(p);
		pthread_mutex_unlock(&p->lock);
		j.fn(j.arg);
		pthread_mutex_lock(&p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void make_queues(struct pool *p, size_t cap)
{
	p->cap = cap;
	p->jobs = xcalloc(cap, sizeof *p->jobs);
	p->queues = xcalloc(cap, sizeof *p->queues);
	for (size_t i = cap; i--;) {
		p->jobs[i].next = p->free_jobs;
		p->free_jobs = &p->jobs[i];
		p->queues[i].next = p->free_queues;
		p->free_queues = &p->queues[i];
	}
	p->last = &p->turn;
}

struct pool *pool_new(size_t threads, size_t queue)
{
	struct pool *p = xcalloc(1, sizeof *p);
	pthread_attr_t attr;
	sigset_t all, old;

	p->threads = xcalloc(threads, sizeof *p->threads);
	make_queues(p, queue);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->more, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);	/* the main thread handles signals */
	for (; p->nthreads < threads; p->nthreads++)
		if (pthread_create(&p->threads[p->nthreads], &attr, worker_main, p))
			die("cannot start a thread");
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return p;
}

/* With the lock: the queue with waiting jobs of this key, or NULL. */
static struct pool_queue *find_queue(const struct pool *p, uint64_t key)
{
	struct pool_queue *q = p->turn;

	while (q && q->key != key)
		q = q->next;
	return q;
}

/* With the lock: the queue of a key, a new one if it has none.  There must be a free one. */
static struct pool_queue *queue_of_key(struct pool *p, uint64_t key)
{
	struct pool_queue *q = find_queue(p, key);

	if (q)
		return q;
	q = p->free_queues;
	p->free_queues = q->next;
	*q = (struct pool_queue){ .key = key };
	q->end = &q->first;
	*p->last = q;
	p->last = &q->next;
	return q;
}

/* With the lock.  A key other than 0 may not use more space than it leaves for the others. */
static bool has_room(const struct pool *p, uint64_t key)
{
	if (p->n >= p->cap)
		return false;
	if (!key)
		return true;
	const struct pool_queue *q = find_queue(p, key);
	return !q || q->n <= p->cap - p->n;
}

/* With the lock: appends a job to the queue of its key.  There must be room. */
static void add_job(struct pool *p, uint64_t key, void (*fn)(void *), void *arg)
{
	struct pool_queue *q = queue_of_key(p, key);
	struct pool_job *j = p->free_jobs;

	p->free_jobs = j->next;
	*j = (struct pool_job){ fn, arg, NULL };
	if (!q->n)
		q->end = &q->first;
	q->n++;
	*q->end = j;
	q->end = &j->next;
	p->n++;
	pthread_cond_signal(&p->more);
}

int pool_run_for(struct pool *p, uint64_t key, void (*fn)(void *), void *arg)
{
	int rc = -1;

	pthread_mutex_lock(&p->lock);
	if (!p->closing && has_room(p, key)) {
		add_job(p, key, fn, arg);
		rc = 0;
	}
	pthread_mutex_unlock(&p->lock);
	return rc;
}

int pool_run(struct pool *p, void (*fn)(void *), void *arg)
{
	return pool_run_for(p, 0, fn, arg);
}

size_t pool_waiting(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	size_t n = p->n;
	pthread_mutex_unlock(&p->lock);
	return n;
}

unsigned long long pool_started_jobs(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	unsigned long long n = p->taken;
	pthread_mutex_unlock(&p->lock);
	return n;
}

void pool_free(struct pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->closing = true;
	pthread_cond_broadcast(&p->more);
	pthread_mutex_unlock(&p->lock);
	for (size_t i = 0; i < p->nthreads; i++)
		pthread_join(p->threads[i], NULL);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->more);
	free(p->jobs);
	free(p->queues);
	free(p->threads);
	free(p);
}
