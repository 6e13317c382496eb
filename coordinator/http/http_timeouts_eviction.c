/*
 * Chooses the connection that makes room for a new one when there are too many, in total or from
 * one address: the one that is slowest with a request, and never one whose complete request is
 * being worked on.  Normal clients send their requests at once, so they displace clients that
 * occupy connections with unfinished requests.
 */
#include "coordinator/http/http_timeouts_internal.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "proto/base/clock.h"
#include "proto/base/minmax.h"

enum {
	BUSY_MAX = 8,			/* busy connections to skip for a new one */
	GREETING = 200,			/* least bytes of a client that begins TLS */
	YOUNG_MS = 100			/* a request that is younger than this is probably about to end */
};

/*
 * The weight of a connection's time in its phase; the one with the longest weighted time is closed.
 * A connection that is silent after its last request costs little and may continue in a moment,
 * unlike one with an unfinished request; a client that reads an answer gets some time for that.
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
	int64_t ms = c->since;

	if (c->phase == RECEIVING)
		ms = atomic_load(&c->moved);
	else if (c->head_began_at && c->served)
		ms = c->head_began_at;
	return MAX(ms, c->spared_at);
}

/* 0 if the connection must stay. */
static int64_t weight(const struct http_conn *c, int64_t now)
{
	enum http_phase phase = c->phase;

	if (phase == WAITING && (c->head_began_at || !c->served))
		phase = HEADING;
	int64_t ms = now - since(c) - phases[phase].free_ms;
	if (c->hung_up || ms < 0)
		return 0;
	return (ms + 1) * phases[phase].weight;
}

static bool same_peer(const struct http_peer *a, const struct http_peer *b)
{
	return !memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

/* The heaviest connection of one address, or of all if `of` is NULL; NULL if all must stay. */
static struct http_conn *heaviest(struct http_timeouts *p, const struct http_peer *of)
{
	struct http_conn *found = NULL;
	int64_t now = clock_ms(), max = 0;

	for (struct http_conn *c = p->ring.next; c != &p->ring; c = c->next) {
		if (of && !same_peer(of, &c->peer))
			continue;
		int64_t w = weight(c, now);
		if (w > max) {
			max = w;
			found = c;
		}
	}
	return found;
}

/*
 * Whether the client has sent something that the server has not read yet; or, once, the beginning
 * of a TLS handshake, which takes a while.
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
	struct http_conn *c = heaviest(p, of);

	for (int i = 0; c && i < BUSY_MAX && is_busy(c); i++) {
		c->spared_at = clock_ms();
		c = heaviest(p, of);
	}
	return c;
}

static bool has_whole_request(const struct http_conn *c)
{
	return c->phase == WORKING || c->phase == SENDING;
}

/*
 * The number of connections except `but`: with `peer`, only those of its address; with `whole`,
 * only those with a complete request.
 */
static size_t count(
    const struct http_timeouts *p, const struct http_conn *but, bool peer, bool whole)
{
	size_t n = 0;

	for (const struct http_conn *c = p->ring.next; c != &p->ring; c = c->next) {
		if (c == but || c->hung_up)
			continue;
		if (peer && !same_peer(&c->peer, &but->peer))
			continue;
		if (!whole || has_whole_request(c))
			n++;
	}
	return n;
}

static size_t count_spare(const struct http_timeouts *p)
{
	size_t n = 0;

	for (const struct http_conn *c = p->ring.next; c != &p->ring; c = c->next)
		if (c->spare && !c->hung_up)
			n++;
	return n;
}

static bool is_peer_full(const struct http_timeouts *p, const struct http_conn *c, bool whole)
{
	size_t max = p->rules.most_peer;

	if (c->peer.here)
		max = p->rules.most_local;
	return max && count(p, c, true, whole) >= max;
}

static bool is_young(const struct http_conn *c)
{
	return clock_ms() - since(c) < YOUNG_MS;
}

bool http_timeouts_evict(struct http_timeouts *p, struct http_conn *c)
{
	bool peer_full = is_peer_full(p, c, false);

	if (!peer_full && p->n < p->rules.most)
		return true;
	bool spare = count_spare(p) < p->rules.spare;
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
	if (!c->spare)		/* only this thread changes it */
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
		memset(p.bytes + 8, 0, 8);	/* a client usually owns the whole /64 */
	return p;
}
