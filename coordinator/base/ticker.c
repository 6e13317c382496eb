#include "coordinator/base/ticker.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "proto/base/clock.h"
#include "proto/base/die.h"

struct ticker {
	int64_t interval_ms;
	void (*tick)(void *);
	void *arg;
	pthread_mutex_t lock;		/* guards `stopping` */
	pthread_cond_t wake;
	bool stopping;
	pthread_t thread;
};

/* Waits for the next call; false if there is none because the ticker ends. */
static bool wait_next(struct ticker *t)
{
	int64_t until = clock_ms() + t->interval_ms;
	struct timespec at = { until / 1000, until % 1000 * 1000000 };

	pthread_mutex_lock(&t->lock);
	while (!t->stopping && clock_ms() < until)
		pthread_cond_timedwait(&t->wake, &t->lock, &at);
	bool go_on = !t->stopping;
	pthread_mutex_unlock(&t->lock);
	return go_on;
}

static void *run(void *arg)
{
	struct ticker *t = arg;

	do {
		t->tick(t->arg);
	} while (wait_next(t));
	return NULL;
}

struct ticker *ticker_new(int64_t interval_ms, void (*tick)(void *), void *arg)
{
	struct ticker *t = xcalloc(1, sizeof *t);

	t->interval_ms = interval_ms;
	t->tick = tick;
	t->arg = arg;
	pthread_mutex_init(&t->lock, NULL);
	clock_init_cond(&t->wake);
	if (!pthread_create(&t->thread, NULL, run, t))
		return t;
	free(t);
	return NULL;
}

void ticker_free(struct ticker *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->stopping = true;
	pthread_cond_signal(&t->wake);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	pthread_cond_destroy(&t->wake);
	pthread_mutex_destroy(&t->lock);
	free(t);
}
