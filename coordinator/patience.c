#include "coordinator/patience.h"

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "proto/base/clock.h"

enum { LEFT_MS = 1000, LOOK_MS = 1000, LOOK_WORKING_MS = 250 };

static const int64_t limits_ms[] = {
	[WAITING] = 75000, [RECEIVING] = 20000, [SENDING] = 60000
};

struct conn {
	struct conn *prev, *next;
	int fd;
	enum phase phase;
	int64_t since;
	void (*left)(void *);		/* until it was called */
	void *arg;
};

struct patience {
	pthread_t thread;
	pthread_mutex_t lock;		/* of the ring, and of `closing` */
	pthread_cond_t wake;
	struct conn ring;
	bool closing;
	void (*beat)(void *);
	void *arg;
};

/*
 * Whether the peer has hung up in the middle of a request, which libmicrohttpd 0.9.75 misses under epoll when the end
 * comes together with the last bytes.
 */
static bool is_left(const struct conn *c)
{
	char byte;

	return c->phase < WORKING && !recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
}

/* Nobody waits for the answer any more; libmicrohttpd looks at no socket that is suspended. */
static void check_working(struct conn *c)
{
	struct pollfd p = { c->fd, POLLRDHUP, 0 };
	void (*left)(void *) = c->left;

	if (!left || poll(&p, 1, 0) < 1)
		return;
	c->left = NULL;
	left(c->arg);
}

static void look(struct patience *p, int *next_ms)
{
	int64_t now = clock_ms();

	*next_ms = LOOK_MS;
	for (struct conn *c = p->ring.next; c != &p->ring; c = c->next) {
		if (c->phase == WORKING) {
			check_working(c);
			*next_ms = LOOK_WORKING_MS;
		} else if (now - c->since > limits_ms[c->phase] || (now - c->since > LEFT_MS && is_left(c))) {
			shutdown(c->fd, SHUT_RDWR);
		}
	}
}

static void *watch(void *arg)
{
	struct patience *p = arg;
	int ms = LOOK_MS;
	int64_t beaten = clock_ms();

	pthread_mutex_lock(&p->lock);
	while (!p->closing) {
		struct timespec t;
		clock_gettime(CLOCK_MONOTONIC, &t);
		t.tv_sec += ms / 1000;
		t.tv_nsec += ms % 1000 * 1000000;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&p->wake, &p->lock, &t);
		look(p, &ms);
		if (clock_ms() - beaten >= PATIENCE_BEAT_MS) {
			beaten = clock_ms();
			p->beat(p->arg);
		}
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

struct patience *patience_new(void (*beat)(void *), void *arg)
{
	struct patience *p = calloc(1, sizeof *p);
	pthread_condattr_t monotonic;

	if (!p)
		abort();
	p->ring.prev = p->ring.next = &p->ring;
	p->beat = beat;
	p->arg = arg;
	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&p->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (pthread_create(&p->thread, NULL, watch, p))
		abort();
	return p;
}

void patience_free(struct patience *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->closing = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

struct conn *patience_add(struct patience *p, int fd)
{
	struct conn *c = calloc(1, sizeof *c);

	if (!c)
		abort();
	c->fd = fd;
	c->since = clock_ms();
	pthread_mutex_lock(&p->lock);
	c->prev = p->ring.prev;
	c->next = &p->ring;
	c->prev->next = c->next->prev = c;
	pthread_mutex_unlock(&p->lock);
	return c;
}

void patience_phase(struct patience *p, struct conn *c, enum phase phase)
{
	pthread_mutex_lock(&p->lock);
	c->phase = phase;
	c->since = clock_ms();
	c->left = NULL;
	pthread_mutex_unlock(&p->lock);
}

void patience_watch(struct patience *p, struct conn *c, void (*left)(void *), void *arg)
{
	pthread_mutex_lock(&p->lock);
	c->left = left;
	c->arg = arg;
	pthread_mutex_unlock(&p->lock);
}

void patience_drop(struct patience *p, struct conn *c)
{
	pthread_mutex_lock(&p->lock);
	c->prev->next = c->next;
	c->next->prev = c->prev;
	pthread_mutex_unlock(&p->lock);
	free(c);
}
