#include "coordinator/base/timers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"

struct timer {
	int64_t at_us;
	void (*ring)(void *);
	void *arg;
};

struct timers {
	pthread_mutex_t lock;		/* guards what follows */
	pthread_cond_t wake;
	struct timer *v;		/* a binary heap by at_us */
	size_t n, cap;
	bool closing;
	pthread_t thread;
};

static void swap(struct timer *x, struct timer *y)
{
	struct timer t = *x;

	*x = *y;
	*y = t;
}

static struct timer take_first(struct timers *s)
{
	struct timer first = s->v[0];

	s->n--;
	s->v[0] = s->v[s->n];
	for (size_t i = 0; 2 * i + 1 < s->n;) {
		size_t child = 2 * i + 1;
		if (child + 1 < s->n && s->v[child + 1].at_us < s->v[child].at_us)
			child++;
		if (s->v[i].at_us <= s->v[child].at_us)
			break;
		swap(&s->v[i], &s->v[child]);
		i = child;
	}
	return first;
}

void timers_add(struct timers *s, int64_t at_us, void (*ring)(void *), void *arg)
{
	pthread_mutex_lock(&s->lock);
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n] = (struct timer){ at_us, ring, arg };
	for (size_t i = s->n; i;) {
		size_t parent = (i - 1) / 2;
		if (s->v[parent].at_us <= s->v[i].at_us)
			break;
		swap(&s->v[i], &s->v[parent]);
		i = parent;
	}
	s->n++;
	if (s->v[0].arg == arg)
		pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
}

static void *watch(void *arg)
{
	struct timers *s = arg;

	pthread_mutex_lock(&s->lock);
	while (!s->closing || s->n) {
		if (!s->n) {
			pthread_cond_wait(&s->wake, &s->lock);
			continue;
		}
		int64_t at = s->v[0].at_us;
		if (!s->closing && clock_us() < at) {
			struct timespec t = { at / 1000000, at % 1000000 * 1000 };
			pthread_cond_timedwait(&s->wake, &s->lock, &t);
			continue;
		}
		struct timer x = take_first(s);
		pthread_mutex_unlock(&s->lock);
		x.ring(x.arg);
		pthread_mutex_lock(&s->lock);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

struct timers *timers_new(void)
{
	struct timers *s = xcalloc(1, sizeof *s);

	pthread_mutex_init(&s->lock, NULL);
	clock_init_cond(&s->wake);
	if (pthread_create(&s->thread, NULL, watch, s))
		die("cannot start a thread");
	return s;
}

void timers_free(struct timers *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->closing = true;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
	free(s->v);
	free(s);
}
