#include "proto/process/sd_notify.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"

enum { STATUS_MS = 5000, LEAST_MS = 10 };

struct sd_notifier {
	int fd;
	struct sockaddr_un to;
	socklen_t len;
	bool (*alive)(void *);
	void (*status)(void *, char *, size_t);
	void *arg;
	int64_t every_ms;		/* between two beats */
	bool has_watchdog;			/* by a watchdog */
	char last_status[200];
	pthread_t thread;
	pthread_mutex_t lock;		/* guards what follows */
	pthread_cond_t wake;
	bool stopping;
};

static void say(struct sd_notifier *n, const char *what, const char *value)
{
	char text[256];
	int len = snprintf(text, sizeof text, "%s%s", what, value);

	if (sendto(n->fd, text, (size_t)len, MSG_NOSIGNAL, (struct sockaddr *)&n->to, n->len) < 0)
		log_debug("sd_notify.failed", "what=%s", log_quote(what));
}

static void send_status(struct sd_notifier *n)
{
	char now[sizeof n->last_status] = "";

	n->status(n->arg, now, sizeof now);
	if (!strcmp(now, n->last_status))
		return;
	memcpy(n->last_status, now, sizeof now);
	say(n, "STATUS=", now);
}

/*
 * Whether it goes on.  What it is doing is of interest more often than a watchdog wants to hear
 * that it is there.
 */
static bool wait_for_next_beat(struct sd_notifier *n, int64_t beat)
{
	int64_t left = beat - clock_ms(),
	        ms = !n->has_watchdog || left > STATUS_MS ? STATUS_MS :
	    left < 1                                      ? 1 :
	                                                    left;
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	pthread_mutex_lock(&n->lock);
	while (!n->stopping && !pthread_cond_timedwait(&n->wake, &n->lock, &t))
		continue;
	bool on = !n->stopping;
	pthread_mutex_unlock(&n->lock);
	return on;
}

static void *run(void *arg)
{
	struct sd_notifier *n = arg;
	int64_t beat = 0;

	do {
		int64_t began = clock_ms();
		bool due = n->has_watchdog && began >= beat;
		if (due && n->alive(n->arg))
			say(n, "WATCHDOG=1", "");
		else if (due)
			log_error("watchdog.ping_skipped", "after_ms=%lld", (long long)(clock_ms() - began));
		if (due)
			beat = clock_ms() + n->every_ms;
		send_status(n);
	} while (wait_for_next_beat(n, beat));
	return NULL;
}

static bool address(struct sd_notifier *n, const char *path)
{
	size_t len = strlen(path);

	n->to.sun_family = AF_UNIX;
	if ((*path != '/' && *path != '@') || len >= sizeof n->to.sun_path)
		return false;
	memcpy(n->to.sun_path, path, len);
	if (*path == '@')	/* abstract */
		n->to.sun_path[0] = 0;
	n->len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	n->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return n->fd >= 0;
}

static void watchdog(struct sd_notifier *n)
{
	const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	int64_t ms = 0;

	if (usec)
		ms = strtoll(usec, NULL, 10) / 3000;
	n->has_watchdog = ms > 0 && (!pid || strtol(pid, NULL, 10) == (long)getpid());
	n->every_ms = MAX(LEAST_MS, ms);
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
	unsetenv("NOTIFY_SOCKET");
}

static bool begin(struct sd_notifier *n)
{
	pthread_condattr_t attr;
	sigset_t all, old;

	pthread_mutex_init(&n->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&n->wake, &attr);
	pthread_condattr_destroy(&attr);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);	/* signals are the main thread's */
	bool ok = !pthread_create(&n->thread, NULL, run, n);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ok;
}

struct sd_notifier *notify_open(
    bool (*alive)(void *), void (*status)(void *, char *, size_t), void *arg)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sd_notifier *n = path && *path ? calloc(1, sizeof *n) : NULL;

	if (!n)
		return NULL;
	n->alive = alive;
	n->status = status;
	n->arg = arg;
	n->fd = -1;
	bool ok = address(n, path);
	watchdog(n);
	if (ok)
		say(n, "READY=1", "");
	if (ok && begin(n))
		return n;
	log_warn("sd_notify.failed", "what=socket");
	if (n->fd >= 0)
		close(n->fd);
	free(n);
	return NULL;
}

void notify_stopping(struct sd_notifier *n)
{
	if (n)
		say(n, "STOPPING=1", "");
}

void notify_close(struct sd_notifier *n)
{
	if (!n)
		return;
	pthread_mutex_lock(&n->lock);
	n->stopping = true;
	pthread_cond_signal(&n->wake);
	pthread_mutex_unlock(&n->lock);
	pthread_join(n->thread, NULL);
	close(n->fd);
	pthread_mutex_destroy(&n->lock);
	pthread_cond_destroy(&n->wake);
	free(n);
}
