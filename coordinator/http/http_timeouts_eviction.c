/*
 * Which connection makes room for a new one when there are too many, of all or of one address: who
 * is slowest over a request goes first, and nobody whose whole request is worked on.  Clients that
 * bring requests bring them at once, so whoever holds slots with unfinished ones loses them to
 * these.
 */
#include "coordinator/http/http_timeouts_internal.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "proto/base/clock.h"
#include "proto/base/minmax.h"

enum {
	BUSY_MOST = 8,			/* looked at for one that comes */
	GREETING = 200,			/* bytes of a client that begins TLS, at least */
	YOUNG_MS = 100			/* who is not longer at a request is probably about to end it */
};

/*
 * How a connection weighs that is at something: the one goes whose time, so weighed, is longest.
 * Who is still silent after its last request costs nothing and may go on in a moment, unlike
 * whoever has begun one; who reads an answer has some time for that.
 */
static const struct { int64_t weight, free_ms; } phases[] = {
	[WAITING] = { 1, 0 },
	[HEADING] = { 300, 0 },
	[RECEIVING] = { 300, 0 },
	[WORKING] = { 0, 0 },
	[SENDING] = { 1, 5000 },
};

static int64_t since(const struct http_conn *c)
{
	int64_t ms = c->head_began_at && c->served ? c->head_began_at : c->since;

	if (c->phase == RECEIVING)
		ms = atomic_load(&c->moved);
	return MAX(ms, c->spared_at);
}

/* 0: it stays. */
static int64_t weight(const struct http_conn *c, int64_t now)
{
	enum http_phase at = c->phase == WAITING && (c->head_began_at || !c->served) ? HEADING :
	                                                                               c->phase;
	int64_t ms = now - since(c) - phases[at].free_ms;

	if (c->hung_up || ms < 0)
		return 0;
	return (ms + 1) * phases[at].weight;
}

static bool same_peer(const struct http_peer *a, const struct http_peer *b)
{
	return !memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

/* Of one address, or of all (`of` is NULL); NULL: all of them stay. */
static struct http_conn *longest(struct http_timeouts *p, const struct http_peer *of)
{
	struct http_conn *first = NULL;
	int64_t now = clock_ms(), most = 0;

	for (struct http_conn *c = p->ring.next; c != &p->ring; c = c->next) {
		int64_t w = 0;
		if (!of || same_peer(of, &c->peer))
			w = weight(c, now);
		if (w > most) {
			most = w;
			first = c;
		}
	}
	return first;
}

/*
 * Whether it has sent what the server has not come to read; or, once, as much as begins a session
 * of TLS, which takes a while.
 */
static bool is_busy(const struct http_conn *c)
{
	char byte;

	if (c->phase == SENDING)
		return false;
	if (recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1)
		return true;
	return !c->spared_at && http_conn_bytes_received(c) > c->received + GREETING;
}

static struct http_conn *find_victim(struct http_timeouts *p, const struct http_peer *of)
{
	struct http_conn *c = longest(p, of);

	for (int i = 0; c && i < BUSY_MOST && is_busy(c); i++) {
		c->spared_at = clock_ms();
		c = longest(p, of);
	}
	return c;
}

static bool has_whole(const struct http_conn *c)
{
	return c->phase == WORKING || c->phase == SENDING;
}

/*
 * Connections but `but`: of its address, or of all; those that have brought whole requests, or
 * any.
 */
static size_t count(
    const struct http_timeouts *p, const struct http_conn *but, bool peer, bool whole)
{
	size_t n = 0;

	for (const struct http_conn *c = p->ring.next; c != &p->ring; c = c->next)
		n += c != but && !c->hung_up && (!peer || same_peer(&c->peer, &but->peer)) &&
		    (!whole || has_whole(c));
	return n;
}

static size_t count_spare(const struct http_timeouts *p)
{
	size_t n = 0;

	for (const struct http_conn *c = p->ring.next; c != &p->ring; c = c->next)
		n += c->spare && !c->hung_up;
	return n;
}

static bool is_peer_full(const struct http_timeouts *p, const struct http_conn *c, bool whole)
{
	size_t most = c->peer.here ? p->rules.most_local : p->rules.most_peer;

	return most && count(p, c, true, whole) >= most;
}

static bool is_young(const struct http_conn *c)
{
	return clock_ms() - since(c) < YOUNG_MS;
}

bool http_timeouts_evict(struct http_timeouts *p, struct http_conn *c)
{
	bool peer_full = is_peer_full(p, c, false), spare = count_spare(p) < p->rules.spare;

	if (!peer_full && p->n < p->rules.most)
		return true;
	struct http_conn *other = find_victim(p, peer_full ? &c->peer : NULL);
	if (spare && (!other || is_young(other))) {
		c->spare = true;
		return true;
	}
	p->rules.on_full(p->rules.arg);
	if (!other)
		return false;
	c->spare = other->spare;
	http_timeouts_hang_up(p, other);
	return true;
}

bool http_timeouts_is_probe_only(struct http_timeouts *p, struct http_conn *c)
{
	if (!c->spare)		/* nobody else changes it */
		return false;
	pthread_mutex_lock(&p->lock);
	c->spare = is_peer_full(p, c, true) || count(p, c, false, true) >= p->rules.most;
	bool spare = c->spare;
	pthread_mutex_unlock(&p->lock);
	return spare;
}

struct http_peer http_conn_peer(int fd)
{
	static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
	struct sockaddr_storage sa = { 0 };
	socklen_t n = sizeof sa;
	struct http_peer p = { 0 };

	if (getpeername(fd, (struct sockaddr *)&sa, &n))
		return p;
	if (sa.ss_family == AF_INET) {
		memcpy(p.bytes, mapped, sizeof mapped);
		memcpy(p.bytes + sizeof mapped, &((struct sockaddr_in *)(void *)&sa)->sin_addr, 4);
	} else if (sa.ss_family == AF_INET6) {
		memcpy(p.bytes, &((struct sockaddr_in6 *)(void *)&sa)->sin6_addr, sizeof p.bytes);
	}
	bool v4 = !memcmp(p.bytes, mapped, sizeof mapped);
	if (v4)
		p.here = p.bytes[12] == 127;
	else
		p.here = IN6_IS_ADDR_LOOPBACK((struct in6_addr *)(void *)p.bytes);
	if (!v4 && !p.here)
		memset(p.bytes + 8, 0, 8);	/* whoever has one address of these has them all */
	return p;
}
