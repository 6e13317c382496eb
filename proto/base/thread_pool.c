#include "proto/base/thread_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "proto/base/die.h"

struct pool_job {
	void (*fn)(void *);
	void *arg;
	struct pool_job *next;	/* in its line, or among the free ones */
};

/* What waits for one of those who take turns. */
struct pool_queue {
	uint64_t key;
	struct pool_job *first, **end;
	size_t n;
	struct pool_queue *next;	/* whose turn is next, or among the free ones */
};

struct pool {
	pthread_mutex_t lock;		/* guards what follows */
	pthread_cond_t more;
	struct pool_job *jobs, *free_jobs;	/* memory of `cap`; those that nobody has */
	struct pool_queue *lines, *free_lines;
	struct pool_queue *turn, **last;	/* lines in which something waits */
	size_t cap, n;
	unsigned long long taken;
	bool closing;
	pthread_t *threads;
	size_t nthreads;
};

/* With the lock: the job whose turn it is.  Its line goes behind the others. */
static struct pool_job take(struct pool *p)
{
	struct pool_queue *l = p->turn;
	struct pool_job *j = l->first, out = *j;

	if (!(p->turn = l->next))
		p->last = &p->turn;
	l->first = j->next;
	l->next = NULL;
	if (--l->n) {
		*p->last = l;
		p->last = &l->next;
	} else {
		l->next = p->free_lines;
		p->free_lines = l;
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

static void make_queue(struct pool *p, size_t queue)
{
	p->cap = queue;
	p->jobs = xcalloc(queue, sizeof *p->jobs);
	p->lines = xcalloc(queue, sizeof *p->lines);
	for (size_t i = queue; i--;) {
		p->jobs[i].next = p->free_jobs;
		p->free_jobs = &p->jobs[i];
		p->lines[i].next = p->free_lines;
		p->free_lines = &p->lines[i];
	}
	p->last = &p->turn;
}

struct pool *pool_new(size_t threads, size_t queue)
{
	struct pool *p = calloc(1, sizeof *p);
	pthread_attr_t attr;
	sigset_t all, old;

	if (!p || !(p->threads = calloc(threads, sizeof *p->threads)))
		die("out of memory");
	make_queue(p, queue);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->more, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 20);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);	/* signals are the main thread's */
	for (; p->nthreads < threads; p->nthreads++)
		if (pthread_create(&p->threads[p->nthreads], &attr, worker_main, p))
			die("cannot start a thread");
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return p;
}

/* With the lock: the line of a key, made when there is none.  There is room for one. */
static struct pool_queue *queue_of_key(struct pool *p, uint64_t key)
{
	struct pool_queue *l = p->turn;

	while (l && l->key != key)
		l = l->next;
	if (l)
		return l;
	l = p->free_lines;
	p->free_lines = l->next;
	*l = (struct pool_queue){ .key = key };
	l->end = &l->first;
	*p->last = l;
	p->last = &l->next;
	return l;
}

/* With the lock.  As much room as a line has taken must stay for others. */
static bool has_room(const struct pool *p, uint64_t key)
{
	const struct pool_queue *l = p->turn;

	while (l && l->key != key)
		l = l->next;
	return p->n < p->cap && (!key || !l || l->n <= p->cap - p->n);
}

int pool_run_for(struct pool *p, uint64_t key, void (*fn)(void *), void *arg)
{
	pthread_mutex_lock(&p->lock);
	bool runs = !p->closing && has_room(p, key);
	if (runs) {
		struct pool_queue *l = queue_of_key(p, key);
		struct pool_job *j = p->free_jobs;
		p->free_jobs = j->next;
		*j = (struct pool_job){ fn, arg, NULL };
		if (!l->n++)
			l->end = &l->first;
		*l->end = j;
		l->end = &j->next;
		p->n++;
		pthread_cond_signal(&p->more);
	}
	pthread_mutex_unlock(&p->lock);
	return runs ? 0 : -1;
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
	free(p->lines);
	free(p->threads);
	free(p);
}
