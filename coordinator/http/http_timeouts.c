#include "coordinator/http/http_timeouts_internal.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"

static const int unsent_max = 256 << 10;

enum { HANGUP_CHECK_MS = 1000, SCAN_MS = 1000, SCAN_BUSY_MS = 250 };

/*
 * Whether the peer has hung up in the middle of a request.  libmicrohttpd 0.9.75 misses that under
 * epoll if the end arrives together with the last bytes.
 */
static bool is_hung_up(const struct http_conn *c)
{
	char byte;

	return c->phase < WORKING && !recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
}

/* Reports a client that has gone; libmicrohttpd does not watch suspended sockets. */
static void check_working(struct http_conn *c)
{
	struct pollfd p = { c->fd, POLLRDHUP, 0 };
	void (*left)(void *) = c->on_hangup;

	if (!left || poll(&p, 1, 0) < 1)
		return;
	c->on_hangup = NULL;
	left(c->arg);
}

uint64_t http_conn_bytes_received(const struct http_conn *c)
{
	struct tcp_info info = { 0 };
	socklen_t n = sizeof info;

	if (getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &info, &n))
		return 0;
	return info.tcpi_bytes_received;
}

/*
 * Notes when the head of a request begins.  libmicrohttpd reports neither a request before its
 * first line is complete nor TLS before its handshake is.  Received bytes are counted from the
 * first scan after an answer, because the kernel's count costs a system call that no request should
 * wait for.
 */
static void note_begun(struct http_conn *c, int64_t now)
{
	if (c->phase != WAITING || c->head_began_at)
		return;
	uint64_t received = http_conn_bytes_received(c);
	if (!c->counted) {
		c->received = received;
		c->counted = true;
	} else if (received > c->received) {
		c->head_began_at = now;
	}
}

static int64_t crowded(const struct http_timeouts *p, int64_t ms)
{
	if (p->n > p->rules.crowded_above)
		return MIN(ms, HTTP_CROWDED_MS);
	return ms;
}

/* Whether the client takes longer than it may in its phase. */
static bool is_slow(const struct http_timeouts *p, const struct http_conn *c, int64_t now)
{
	int64_t unread = atomic_load(&c->unread);

	switch (c->phase) {
	case WAITING:
	case HEADING:
		return c->head_began_at && now - c->head_began_at > crowded(p, p->rules.heading_ms);
	case RECEIVING:
		return now - c->since > p->rules.receiving_ms;
	case SENDING:
		return now - c->since > p->rules.sending_ms;
	case WORKING:
		return unread && now - unread > p->rules.sending_ms;
	}
	return false;
}

static bool is_over(const struct http_timeouts *p, const struct http_conn *c, int64_t now)
{
	if (c->phase == WAITING && now - c->since > crowded(p, p->rules.waiting_ms))
		return true;
	return now - c->since > HANGUP_CHECK_MS && is_hung_up(c);
}

/* Discards what the client has not read, or the kernel would keep it until the client goes. */
void http_timeouts_hang_up(struct http_timeouts *p, struct http_conn *c)
{
	const struct linger none = { 1, 0 };
	int unread = 0;

	if (!ioctl(c->fd, SIOCOUTQ, &unread) && unread)
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
	shutdown(c->fd, SHUT_RDWR);
	c->hung_up = true;
	p->n--;
}

/* Whether the connection may soon be too slow, or its client may have gone. */
static bool is_watched(const struct http_conn *c)
{
	return c->phase == WORKING || c->phase == HEADING || c->head_began_at || !c->served;
}

static void scan_connections(struct http_timeouts *p, int *next_ms)
{
	int64_t now = clock_ms();

	*next_ms = SCAN_MS;
	for (struct http_conn *c = p->ring.next; c != &p->ring; c = c->next) {
		if (c->phase == WORKING)
			check_working(c);
		if (is_watched(c))
			*next_ms = SCAN_BUSY_MS;
		if (c->hung_up)
			continue;
		note_begun(c, now);
		if (is_slow(p, c, now)) {
			http_timeouts_hang_up(p, c);
			p->rules.on_slow(p->rules.arg);
		} else if (is_over(p, c, now)) {
			http_timeouts_hang_up(p, c);
		}
	}
}

static void *watch(void *arg)
{
	struct http_timeouts *p = arg;
	int ms = SCAN_MS;
	int64_t beaten = clock_ms();

	pthread_mutex_lock(&p->lock);
	while (!p->closing) {
		struct timespec t = clock_deadline(ms);
		pthread_cond_timedwait(&p->wake, &p->lock, &t);
		scan_connections(p, &ms);
		if (clock_ms() - beaten >= HTTP_KEEPALIVE_MS) {
			beaten = clock_ms();
			p->rules.on_keepalive(p->rules.arg);
		}
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

struct http_timeouts *http_timeouts_new(const struct http_timeout_rules *rules)
{
	struct http_timeouts *p = xcalloc(1, sizeof *p);

	p->ring.prev = p->ring.next = &p->ring;
	p->rules = *rules;
	pthread_mutex_init(&p->lock, NULL);
	clock_init_cond(&p->wake);
	if (pthread_create(&p->thread, NULL, watch, p))
		die("cannot start a thread");
	return p;
}

void http_timeouts_free(struct http_timeouts *p)
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

struct http_conn *http_timeouts_add(struct http_timeouts *p, int fd)
{
	struct http_conn *c = xcalloc(1, sizeof *c);

	c->fd = fd;
	c->counted = true;	/* nothing has been received yet */
	/* Limit what the kernel buffers, or it would accept megabytes that the client does not read. */
	setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent_max, sizeof unsent_max);
	c->since = clock_ms();
	c->peer = http_conn_peer(fd);
	pthread_mutex_lock(&p->lock);
	bool room = http_timeouts_evict(p, c);
	c->prev = p->ring.prev;
	c->next = &p->ring;
	c->prev->next = c->next->prev = c;
	p->n++;
	if (!room)
		http_timeouts_hang_up(p, c);
	pthread_mutex_unlock(&p->lock);
	return c;
}

void http_timeouts_set_phase(struct http_timeouts *p, struct http_conn *c, enum http_phase phase)
{
	pthread_mutex_lock(&p->lock);
	int64_t now = clock_ms();
	if (phase != HEADING || c->served)
		c->since = now;
	c->phase = phase;
	c->on_hangup = NULL;
	atomic_store(&c->moved, now);
	if (phase == WORKING)
		c->served = true;
	if (phase == WAITING)
		c->counted = false;
	if (phase != HEADING)
		c->head_began_at = 0;
	else if (!c->head_began_at)
		c->head_began_at = now;
	atomic_store(&c->unread, 0);
	pthread_mutex_unlock(&p->lock);
}

void http_timeouts_progress(struct http_conn *c)
{
	atomic_store(&c->moved, clock_ms());
}

void http_timeouts_set_unread(struct http_conn *c, bool unread)
{
	int64_t none = 0;

	if (!unread)
		atomic_store(&c->unread, 0);
	else
		atomic_compare_exchange_strong(&c->unread, &none, clock_ms());
}

void http_timeouts_on_hangup(
    struct http_timeouts *p, struct http_conn *c, void (*left)(void *), void *arg)
{
	pthread_mutex_lock(&p->lock);
	c->on_hangup = left;
	c->arg = arg;
	pthread_mutex_unlock(&p->lock);
}

void http_timeouts_remove(struct http_timeouts *p, struct http_conn *c)
{
	pthread_mutex_lock(&p->lock);
	c->prev->next = c->next;
	c->next->prev = c->prev;
	if (!c->hung_up)
		p->n--;
	pthread_mutex_unlock(&p->lock);
	free(c);
}
