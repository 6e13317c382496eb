#include "proto/base/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

struct job {
	void (*fn)(void *);
	void *arg;
};

struct pool {
	pthread_mutex_t lock;		/* guards what follows */
	pthread_cond_t more;
	struct job *ring;
	size_t cap, head, n;
	unsigned long long taken;
	bool closing;
	pthread_t *threads;
	size_t nthreads;
};

static void *work(void *arg)
{
	struct pool *p = arg;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (!p->n && !p->closing)
			pthread_cond_wait(&p->more, &p->lock);
		if (!p->n)
			break;
		struct job j = p->ring[p->head];
		p->head = (p->head + 1) % p->cap;
		p->n--;
		p->taken++;
		pthread_mutex_unlock(&p->lock);
		j.fn(j.arg);
		pthread_mutex_lock(&p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

struct pool *pool_new(size_t threads, size_t queue)
{
	struct pool *p = calloc(1, sizeof *p);
	pthread_attr_t attr;
	sigset_t all, old;

	if (!p || !(p->ring = calloc(queue, sizeof *p->ring)) ||
	    !(p->threads = calloc(threads, sizeof *p->threads)))
		abort();
	p->cap = queue;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->more, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 20);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);	/* signals are the main thread's */
	for (; p->nthreads < threads; p->nthreads++)
		if (pthread_create(&p->threads[p->nthreads], &attr, work, p))
			abort();
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return p;
}

int pool_run(struct pool *p, void (*fn)(void *), void *arg)
{
	int rc = -1;

	pthread_mutex_lock(&p->lock);
	if (p->n < p->cap && !p->closing) {
		p->ring[(p->head + p->n++) % p->cap] = (struct job){ fn, arg };
		pthread_cond_signal(&p->more);
		rc = 0;
	}
	pthread_mutex_unlock(&p->lock);
	return rc;
}

size_t pool_waiting(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	size_t n = p->n;
	pthread_mutex_unlock(&p->lock);
	return n;
}

unsigned long long pool_taken(struct pool *p)
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
	free(p->threads);
	free(p->ring);
	free(p);
}
