#include "coordinator/watchdog.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/log.h"
#include "proto/base/thread_pool.h"
#include "proto/process/sd_notify.h"

enum { PATIENCE_S = 2, TURN_MS = 30000 };

struct watchdog {
	struct sd_notifier *notify;
	unsigned long long started;	/* jobs of the pool at the last check */
};

static int connect_address(const struct addrinfo *v)
{
	struct timeval patience = { PATIENCE_S, 0 };
	int fd = socket(v->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	if (!connect(fd, v->ai_addr, v->ai_addrlen))
		return fd;
	close(fd);
	return -1;
}

/* Connects to the host and port of an http:// or https:// URL. */
static int connect_to(const char *url)
{
	char host[128];
	const char *at = strstr(url, "://");
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV }, *v = NULL;

	if (!at)
		return -1;
	snprintf(host, sizeof host, "%s", at + 3);
	char *colon = strrchr(host, ':'), *name = host;
	if (!colon)
		return -1;
	*colon = 0;
	if (*name == '[') {
		name++;
		name[strcspn(name, "]")] = 0;
	}
	if (getaddrinfo(name, colon + 1, &hints, &v))
		return -1;
	int fd = connect_address(v);
	freeaddrinfo(v);
	return fd;
}

/*
 * Whether the server sends anything or closes the connection within PATIENCE_S.  The kernel accepts
 * connections for a server that hangs, but does neither.
 */
static bool http_answers(struct coordinator *co)
{
	static const char ask[] = "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n";
	char c;

	if (!*co->http_url)
		return true;
	int fd = connect_to(co->http_url);
	if (fd < 0)
		return false;
	ssize_t n = send(fd, ask, sizeof ask - 1, MSG_NOSIGNAL);
	if (n == (ssize_t)(sizeof ask - 1))
		n = recv(fd, &c, 1, 0);
	else
		n = -1;
	bool timeout = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINPROGRESS);
	close(fd);
	return !timeout;
}

/* Whether the workers have started something since the last check, or nothing waits. */
static bool workers_work(struct coordinator *co)
{
	unsigned long long before = co->watchdog->started;

	co->watchdog->started = pool_started_jobs(co->pool);
	return !pool_waiting(co->pool) || co->watchdog->started != before;
}

bool watchdog_check(struct coordinator *co)
{
	const struct { const char *what; bool good; } parts[] = {
		{ "http", http_answers(co) }, { "workers", workers_work(co) },
		{ "members", clock_ms() - members_last_turn_ms(co->members) < TURN_MS },
	};
	bool good = true;

	for (size_t i = 0; i < LEN(parts); i++) {
		if (parts[i].good)
			continue;
		log_error("watchdog.check_failed", "what=%s", parts[i].what);
		good = false;
	}
	return good;
}

static bool alive(void *arg)
{
	return watchdog_check(arg);
}

static void status(void *arg, char *out, size_t size)
{
	struct coordinator *co = arg;
	struct arena *a = arena_new();
	size_t n, by_health[DOWN + 1] = { 0 };
	struct member **all = members_all(co->members, &caller_local, a, &n);

	for (size_t i = 0; i < n; i++) {
		struct member_view v;
		members_view(co->members, all[i], &v, a);
		by_health[v.health]++;
	}
	snprintf(out, size, "%zu repositories: %zu healthy, %zu degraded, %zu down", n,
	    by_health[HEALTHY], by_health[DEGRADED], by_health[DOWN]);
	arena_free(a);
}

void watchdog_start(struct coordinator *co)
{
	co->watchdog = xcalloc(1, sizeof *co->watchdog);
	co->watchdog->notify = notify_open(alive, status, co);
}

void watchdog_stop(struct coordinator *co)
{
	if (!co->watchdog)
		return;
	notify_stopping(co->watchdog->notify);
	notify_close(co->watchdog->notify);
	free(co->watchdog);
	co->watchdog = NULL;
}
