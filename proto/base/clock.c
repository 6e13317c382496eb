#include "proto/base/clock.h"

#include <errno.h>
#include <string.h>
#include <time.h>

int64_t clock_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t clock_ms(void)
{
	return clock_us() / 1000;
}

void clock_sleep(int64_t ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (ms > 0 && nanosleep(&t, &t) && errno == EINTR)
		;
}

void clock_init_cond(pthread_cond_t *cond)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

struct timespec clock_deadline(int64_t ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

int64_t clock_real_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void clock_iso_at(int64_t real_ms, char out[CLOCK_ISO])
{
	/* The second formatted last in this thread, cached because every log line needs it. */
	static _Thread_local char text[CLOCK_ISO] = "1970-01-01T00:00:00.000Z";
	static _Thread_local time_t second;
	time_t s = (time_t)(real_ms / 1000);
	int ms = (int)(real_ms % 1000);
	struct tm tm;

	if (s != second) {
		gmtime_r(&s, &tm);
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000Z", &tm);
		second = s;
	}
	memcpy(out, text, sizeof text);
	out[20] = (char)('0' + ms / 100);
	out[21] = (char)('0' + ms / 10 % 10);
	out[22] = (char)('0' + ms % 10);
}

void clock_iso_in(int64_t seconds, char out[CLOCK_ISO])
{
	clock_iso_at(clock_real_ms() + seconds * 1000, out);
}

void clock_iso(char out[CLOCK_ISO])
{
	clock_iso_in(0, out);
}
