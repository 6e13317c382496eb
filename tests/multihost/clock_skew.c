/*
 * A wrong wall clock for one process: LD_PRELOAD this; SKEW_FILE names a file that contains seconds as text.  Writing it makes the
 * clock step, as when somebody sets it: waits for a time of day then take longer or end at once.  The monotonic clock is not
 * changed, nor are timeouts of system calls in the kernel.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long skew(void)
{
	char text[32] = "";
	const char *path = getenv("SKEW_FILE");
	int saved = errno, fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		if (read(fd, text, sizeof text - 1) < 0)
			*text = 0;
		close(fd);
	}
	errno = saved;
	return strtol(text, NULL, 10);
}

int clock_gettime(clockid_t id, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, id, t);

	if (!rc && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
		t->tv_sec += skew();
	return rc;
}

time_t time(time_t *out)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return out ? (*out = t.tv_sec) : t.tv_sec;
}

int gettimeofday(struct timeval *restrict v, void *restrict zone)
{
	struct timespec t;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &t);
	*v = (struct timeval){ t.tv_sec, t.tv_nsec / 1000 };
	return 0;
}

static int before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* Waits are cut into pieces, each of which may end without a reason: the clock may have been set meanwhile. */
int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, const struct timespec *restrict until)
{
	static int (*wait)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
	struct timespec now, piece;

	if (!wait)
		*(void **)&wait = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
	if (until->tv_sec < 1000000000)		/* of a condition that goes by the monotonic clock */
		return wait(c, m, CLOCK_MONOTONIC, until);
	clock_gettime(CLOCK_REALTIME, &now);
	if (!before(&now, until))
		return ETIMEDOUT;
	int64_t left = (until->tv_sec - now.tv_sec) * 1000000000LL + until->tv_nsec - now.tv_nsec;
	clock_gettime(CLOCK_MONOTONIC, &piece);
	left = (left > 50000000 ? 50000000 : left) + piece.tv_nsec;
	piece.tv_sec += left / 1000000000;
	piece.tv_nsec = left % 1000000000;
	int rc = wait(c, m, CLOCK_MONOTONIC, &piece);
	clock_gettime(CLOCK_REALTIME, &now);
	return rc == ETIMEDOUT && before(&now, until) ? 0 : rc;
}
