/* Time limit for TLS handshakes: one timer for all, which runs while there are any. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/wire/wire_internal.h"

enum { HANDSHAKE_TIMEOUT_MS = 10000, CHECK_INTERVAL_MS = 1000 };

/* guards the variables below and the handshakes in the list */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wire_handshake *all;
static bool timer_runs;
static nng_aio *timer;

/*
 * Shuts down the socket of a late handshake: then nng closes the connection and dials again.  nng's
 * own time limit does not cover a handshake that waits for its peer.
 */
static void abort_handshake(struct wire_handshake *b)
{
	char peer[64] = "unknown";

	b->late = true;
	wire_socket_peer(b->socket, peer, sizeof peer);
	shutdown(b->socket, SHUT_RDWR);
	wire_log_refusal(WIRE_REFUSAL_TIMEOUT, peer, b->at,
	    "it has not finished the TLS handshake within %d s", HANDSHAKE_TIMEOUT_MS / 1000);
}

static bool is_overdue(const struct wire_handshake *b, int64_t now)
{
	if (b->late || b->socket < 0)
		return false;
	return now - b->since_ms >= HANDSHAKE_TIMEOUT_MS;
}

static void on_timer(void *arg)
{
	int64_t now = clock_ms();

	(void)arg;
	pthread_mutex_lock(&lock);
	for (struct wire_handshake *b = all; b; b = b->next)
		if (is_overdue(b, now))
			abort_handshake(b);
	timer_runs = all != NULL;
	if (timer_runs)
		nng_sleep_aio(CHECK_INTERVAL_MS, timer);
	pthread_mutex_unlock(&lock);
}

void wire_handshake_begin(struct wire_handshake *b, const char *at)
{
	*b = (struct wire_handshake){ .at = at, .socket = -1, .since_ms = clock_ms() };
	pthread_mutex_lock(&lock);
	if (!timer && nng_aio_alloc(&timer, on_timer, NULL))
		die("nng cannot allocate");
	b->next = all;
	b->link = &all;
	if (all)
		all->link = &b->next;
	all = b;
	if (!timer_runs)
		nng_sleep_aio(CHECK_INTERVAL_MS, timer);
	timer_runs = true;
	pthread_mutex_unlock(&lock);
}

void wire_handshake_set_socket(struct wire_handshake *b, int socket)
{
	pthread_mutex_lock(&lock);
	b->socket = socket;
	pthread_mutex_unlock(&lock);
}

void wire_handshake_end(struct wire_handshake *b)
{
	pthread_mutex_lock(&lock);
	if (b->link) {
		*b->link = b->next;
		if (b->next)
			b->next->link = b->link;
		b->link = NULL;
	}
	pthread_mutex_unlock(&lock);
}
