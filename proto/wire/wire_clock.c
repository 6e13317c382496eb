/*
 * nng 1.5, as Debian builds it, measures time with the wall clock: when the clock is set back by a
 * minute, deadlines and reconnects come a minute late.  These replacements of libc functions give
 * nng the monotonic clock.  Sanitizers replace the same functions, so they run without this.
 */
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "proto/wire/wire_internal.h"

/*
 * Seconds that tell the two clocks apart: the wall clock is past 2001, and no machine runs as long.
 */
enum { REAL_FROM = 1000000000 };
enum { MILLISECOND = 1000000, SECOND = 1000000000 };	/* nanoseconds */

typedef int gettime(clockid_t, struct timespec *);
typedef int timedwait(
    pthread_cond_t *restrict, pthread_mutex_t *restrict, const struct timespec *restrict);

/* Set before main, read afterwards. */
static struct {
	uintptr_t low, high;		/* where nng's code is; 0 = unknown */
	gettime *gettime;
	timedwait *timedwait;
} libs;

/* Finds the segment that contains the address `*arg`. */
static int find_segment(struct dl_phdr_info *i, size_t size, void *arg)
{
	uintptr_t address = *(uintptr_t *)arg;

	(void)size;
	for (int k = 0; k < i->dlpi_phnum; k++) {
		const ElfW(Phdr) *h = &i->dlpi_phdr[k];
		uintptr_t low = (uintptr_t)i->dlpi_addr + h->p_vaddr, high = low + h->p_memsz;
		if (h->p_type != PT_LOAD || address < low || address >= high)
			continue;
		libs.low = low;
		libs.high = high;
		return 1;
	}
	return 0;
}

static bool is_nng(uintptr_t caller)
{
	return caller >= libs.low && caller < libs.high;
}

static void next_of(const char *name, void *to)
{
	void *f = dlsym(RTLD_NEXT, name);

	memcpy(to, &f, sizeof f);
}

__attribute__((constructor)) static void find(void)
{
	uintptr_t nng = (uintptr_t)dlsym(RTLD_DEFAULT, "nng_clock");

	next_of("clock_gettime", &libs.gettime);
	next_of("pthread_cond_timedwait", &libs.timedwait);
	if (nng)
		dl_iterate_phdr(find_segment, &nng);
}

/* Replaces libc's function. */
__attribute__((noinline)) int clock_gettime(clockid_t id, struct timespec *t)
{
	uintptr_t caller = (uintptr_t)__builtin_return_address(0);

	if (!libs.gettime)
		find();
	if (id == CLOCK_REALTIME && is_nng(caller))
		id = CLOCK_MONOTONIC;
	return libs.gettime(id, t);
}

/*
 * Replaces libc's function: nng's times are then of the monotonic clock, whatever its conditions
 * were made for.  nng waits until the beginning of a millisecond, but regards a timer as due only
 * after its end; it would spin until then, so it waits a millisecond longer.
 */
int pthread_cond_timedwait(
    pthread_cond_t *restrict c, pthread_mutex_t *restrict m, const struct timespec *restrict until)
{
	uintptr_t caller = (uintptr_t)__builtin_return_address(0);
	struct timespec t = *until;

	wire_flush_wakeup();
	if (t.tv_sec >= REAL_FROM)
		return libs.timedwait(c, m, until);
	if (is_nng(caller)) {
		t.tv_nsec += MILLISECOND;
		t.tv_sec += t.tv_nsec / SECOND;
		t.tv_nsec %= SECOND;
	}
	return pthread_cond_clockwait(c, m, CLOCK_MONOTONIC, &t);
}
#else
typedef int wire_clock_unused;
#endif
