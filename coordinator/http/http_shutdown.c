#include "coordinator/http/http_internal.h"

#include <stdlib.h>

#include "coordinator/http/http_timeouts.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"

enum { CLOSE_MS = 500 };		/* for the last answers to be sent */

void http_request_reject_closing(struct http_request *x)
{
	struct err e = { 0 };
	struct buf body = { 0 };

	err_set(&e, ERR_UNAVAILABLE, "the coordinator is shutting down");
	http_put_error(&e, &body);
	http_request_answer(x, 503, "application/json", &body, NULL);
}

/* Answers 503 to requests that wait for shards.  A later answer is ignored. */
static void answer_all(struct http_server *h)
{
	pthread_mutex_lock(&h->lock);
	for (struct http_request *x = h->live.next; x != &h->live; x = x->next) {
		pthread_mutex_lock(&x->lock);
		bool waits = x->suspended && !x->answered && !x->streams;
		pthread_mutex_unlock(&x->lock);
		if (waits)
			http_request_reject_closing(x);
	}
	pthread_mutex_unlock(&h->lock);
}

static void end_streams(struct http_server *h)
{
	pthread_mutex_lock(&h->lock);
	for (struct http_request *x = h->live.next; x != &h->live; x = x->next) {
		pthread_mutex_lock(&x->lock);
		if (x->streams) {
			x->ended = true;
			http_request_resume(x);
		}
		pthread_mutex_unlock(&x->lock);
	}
	pthread_mutex_unlock(&h->lock);
}

static bool is_busy(struct http_server *h)
{
	pthread_mutex_lock(&h->lock);
	bool busy = h->live.next != &h->live;
	pthread_mutex_unlock(&h->lock);
	return busy;
}

/* Whether a request is in progress that will end by itself, unlike a stream. */
static bool is_owed(struct http_server *h)
{
	bool owed = false;

	pthread_mutex_lock(&h->lock);
	for (struct http_request *x = h->live.next; x != &h->live && !owed; x = x->next) {
		pthread_mutex_lock(&x->lock);
		owed = x->awaited && !x->answered && !x->streams;
		pthread_mutex_unlock(&x->lock);
	}
	pthread_mutex_unlock(&h->lock);
	return owed;
}

void http_drain(struct http_server *h, int timeout_ms)
{
	if (!h || !h->daemon)
		return;
	h->closing = true;
	int64_t until = clock_ms() + timeout_ms;
	while (is_owed(h) && clock_ms() < until)
		clock_sleep(10);
	answer_all(h);
}

void http_close(struct http_server *h)
{
	if (!h)
		return;
	h->closing = true;
	if (h->daemon) {
		answer_all(h);
		end_streams(h);
		int64_t until = clock_ms() + CLOSE_MS;
		while (is_busy(h) && clock_ms() < until)
			clock_sleep(10);
		MHD_stop_daemon(h->daemon);
	}
	http_timeouts_free(h->patience);
	arena_free(h->a);
	pthread_mutex_destroy(&h->lock);
	free(h);
}
