/* Logs refused peers, without flooding the log. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/wire/wire_internal.h"

enum { ROWS = 64, QUIET_MS = 30000 };

static struct refusal_row {
	uint64_t key;			/* hash of kind, host and this end; 0 = unused */
	int64_t logged_ms;
	unsigned long long times;	/* refusals since then */
} rows[ROWS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* guards `rows` */

void wire_address(const nng_sockaddr *sa, char *out, size_t n)
{
	char host[INET6_ADDRSTRLEN] = "?";

	if (sa->s_family == NNG_AF_INET) {
		inet_ntop(AF_INET, &sa->s_in.sa_addr, host, sizeof host);
		snprintf(out, n, "%s:%u", host, ntohs(sa->s_in.sa_port));
	} else if (sa->s_family == NNG_AF_INET6) {
		inet_ntop(AF_INET6, sa->s_in6.sa_addr, host, sizeof host);
		snprintf(out, n, "[%s]:%u", host, ntohs(sa->s_in6.sa_port));
	} else {
		snprintf(out, n, "unknown");
	}
}

static void socket_name(
    int (*get)(int, struct sockaddr *, socklen_t *), int fd, char *out, size_t n)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} sa = { 0 };
	nng_sockaddr a = { 0 };

	if (get(fd, &sa.any, &(socklen_t){ sizeof sa }))
		return;
	if (sa.any.sa_family == AF_INET) {
		a.s_in = (nng_sockaddr_in){ NNG_AF_INET, sa.in.sin_port, sa.in.sin_addr.s_addr };
	} else if (sa.any.sa_family == AF_INET6) {
		a.s_in6.sa_family = NNG_AF_INET6;
		a.s_in6.sa_port = sa.in6.sin6_port;
		memcpy(a.s_in6.sa_addr, &sa.in6.sin6_addr, sizeof a.s_in6.sa_addr);
	} else {
		return;
	}
	wire_address(&a, out, n);
}

void wire_socket_peer(int fd, char *out, size_t n)
{
	socket_name(getpeername, fd, out, n);
}

void wire_socket_own(int fd, char *out, size_t n)
{
	socket_name(getsockname, fd, out, n);
}

/* The length of a peer's host: without the port, which may differ each time.  URLs count whole. */
static size_t host_len(const char *peer)
{
	const char *colon = strrchr(peer, ':');

	if (!colon || strstr(peer, "://"))
		return strlen(peer);
	return (size_t)(colon - peer);
}

static uint64_t key_of(enum wire_refusal why, const char *peer, const char *at)
{
	size_t n = host_len(peer);
	uint64_t h = 14695981039346656037u + (unsigned)why;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)peer[i]) * 1099511628211u;
	for (const char *p = at; *p; p++)
		h = (h ^ (unsigned char)*p) * 1099511628211u;
	return MAX(h, 1);
}

/* The row of a key, or else the one that was logged the longest ago. */
static struct refusal_row *row_of(uint64_t key)
{
	struct refusal_row *oldest = &rows[0];

	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].key == key)
			return &rows[i];
		if (rows[i].logged_ms < oldest->logged_ms)
			oldest = &rows[i];
	}
	return oldest;
}

/* With the lock: the refusals since the last log line, this one included; 0 = do not log now. */
static unsigned long long count(uint64_t key, int64_t now)
{
	struct refusal_row *r = row_of(key);

	if (r->key != key)
		*r = (struct refusal_row){ key, now - QUIET_MS, 0 };
	r->times++;
	if (now - r->logged_ms < QUIET_MS)
		return 0;
	unsigned long long n = r->times;
	r->logged_ms = now;
	r->times = 0;
	return n;
}

void wire_log_refusal(enum wire_refusal why, const char *peer, const char *at, const char *fmt, ...)
{
	char reason[300];
	va_list ap;

	pthread_mutex_lock(&lock);
	unsigned long long n = count(key_of(why, peer, at), clock_ms());
	pthread_mutex_unlock(&lock);
	if (!n)
		return;
	va_start(ap, fmt);
	vsnprintf(reason, sizeof reason, fmt, ap);
	va_end(ap);
	log_warn("wire.refused", "peer=%s at=%s reason=%s times=%llu", log_quote(peer), log_quote(at),
	    log_quote(reason), n);
}
