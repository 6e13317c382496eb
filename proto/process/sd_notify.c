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
#include "proto/base/die.h"
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
	int64_t every_ms;		/* between two watchdog pings */
	bool has_watchdog;
	char last_status[200];
	pthread_t thread;
	pthread_mutex_t lock;		/* guards the fields below */
	pthread_cond_t wake;
	bool stopping;
};

static void send_message(struct sd_notifier *n, const char *what, const char *value)
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
	send_message(n, "STATUS=", now);
}

/* Time to the next message: the status goes out more often than the watchdog needs a ping. */
static int64_t pause_ms(const struct sd_notifier *n, int64_t next_ping)
{
	int64_t left = next_ping - clock_ms();

	if (!n->has_watchdog || left > STATUS_MS)
		return STATUS_MS;
	return MAX(left, 1);
}

/* Waits until a message is due.  False when the notifier is stopping. */
static bool wait_for_next_message(struct sd_notifier *n, int64_t next_ping)
{
	struct timespec t = clock_deadline(pause_ms(n, next_ping));

	pthread_mutex_lock(&n->lock);
	while (!n->stopping && !pthread_cond_timedwait(&n->wake, &n->lock, &t))
		continue;
	bool stopping = n->stopping;
	pthread_mutex_unlock(&n->lock);
	return !stopping;
}

static void ping_watchdog(struct sd_notifier *n)
{
	int64_t began = clock_ms();

	if (n->alive(n->arg))
		send_message(n, "WATCHDOG=1", "");
	else
		log_error("watchdog.ping_skipped", "after_ms=%lld", (long long)(clock_ms() - began));
}

static void *run(void *arg)
{
	struct sd_notifier *n = arg;
	int64_t next_ping = 0;

	do {
		if (n->has_watchdog && clock_ms() >= next_ping) {
			ping_watchdog(n);
			next_ping = clock_ms() + n->every_ms;
		}
		send_status(n);
	} while (wait_for_next_message(n, next_ping));
	return NULL;
}

static bool open_socket(struct sd_notifier *n, const char *path)
{
	size_t len = strlen(path);

	n->to.sun_family = AF_UNIX;
	if ((*path != '/' && *path != '@') || len >= sizeof n->to.sun_path)
		return false;
	memcpy(n->to.sun_path, path, len);
	if (*path == '@')	/* the abstract namespace */
		n->to.sun_path[0] = 0;
	n->len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	n->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return n->fd >= 0;
}

static void read_environment(struct sd_notifier *n)
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

static bool start_thread(struct sd_notifier *n)
{
	sigset_t all, old;

	pthread_mutex_init(&n->lock, NULL);
	clock_init_cond(&n->wake);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);	/* the main thread handles signals */
	bool ok = !pthread_create(&n->thread, NULL, run, n);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ok;
}

struct sd_notifier *notify_open(
    bool (*alive)(void *), void (*status)(void *, char *, size_t), void *arg)
{
	const char *path = getenv("NOTIFY_SOCKET");

	if (!path || !*path)
		return NULL;
	struct sd_notifier *n = xcalloc(1, sizeof *n);
	n->alive = alive;
	n->status = status;
	n->arg = arg;
	n->fd = -1;
	bool ok = open_socket(n, path);
	read_environment(n);
	if (ok) {
		send_message(n, "READY=1", "");
		if (start_thread(n))
			return n;
	}
	log_warn("sd_notify.failed", "what=socket");
	if (n->fd >= 0)
		close(n->fd);
	free(n);
	return NULL;
}

void notify_stopping(struct sd_notifier *n)
{
	if (n)
		send_message(n, "STOPPING=1", "");
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
