/*
 * nng 1.5 as Debian builds it goes by the time of day: when somebody sets the clock back by a
 * minute, whatever it waits for (deadlines, a further attempt to connect) comes a minute late.
 * Here it is given the monotonic clock.  Not under sanitizers, which have functions of their own
 * in front of these.
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

/* seconds: no machine has run for so long, and it is past 2001 */
enum { REAL_FROM = 1000000000 };
enum { MILLISECOND = 1000000, SECOND = 1000000000 };	/* nanoseconds */

typedef int gettime(clockid_t, struct timespec *);
typedef int timedwait(
    pthread_cond_t *restrict, pthread_mutex_t *restrict, const struct timespec *restrict);

/* Set before main, read afterwards. */
static struct {
	uintptr_t low, high;		/* where nng's code is; 0: not known */
	gettime *gettime;
	timedwait *timedwait;
} libs;

static int look(struct dl_phdr_info *i, size_t size, void *arg)
{
	uintptr_t at = *(uintptr_t *)arg;

	(void)size;
	for (int k = 0; k < i->dlpi_phnum; k++) {
		const ElfW(Phdr) *h = &i->dlpi_phdr[k];
		uintptr_t low = (uintptr_t)i->dlpi_addr + h->p_vaddr;
		if (h->p_type == PT_LOAD && at >= low && at < low + h->p_memsz) {
			libs.low = low;
			libs.high = low + h->p_memsz;
			return 1;
		}
	}
	return 0;
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
		dl_iterate_phdr(look, &nng);
}

/* In front of libc's. */
__attribute__((noinline)) int clock_gettime(clockid_t id, struct timespec *t)
{
	uintptr_t caller = (uintptr_t)__builtin_return_address(0);

	if (!libs.gettime)
		find();
	return libs.gettime(
	    id == CLOCK_REALTIME && caller >= libs.low && caller < libs.high ? CLOCK_MONOTONIC : id, t);
}

/*
 * In front of libc's: what nng waits for is then a time of the monotonic clock, whatever its
 * conditions were made for.  It waits until a millisecond begins, and takes what is due then for
 * late only when that is over: until it is it would look again and again, with a processor of its
 * own.
 */
int pthread_cond_timedwait(
    pthread_cond_t *restrict c, pthread_mutex_t *restrict m, const struct timespec *restrict until)
{
	uintptr_t caller = (uintptr_t)__builtin_return_address(0);
	struct timespec t = *until;

	wire_flush_wakeup();
	if (t.tv_sec >= REAL_FROM)
		return libs.timedwait(c, m, until);
	if (caller >= libs.low && caller < libs.high && (t.tv_nsec += MILLISECOND) >= SECOND) {
		t.tv_nsec -= SECOND;
		t.tv_sec++;
	}
	return pthread_cond_clockwait(c, m, CLOCK_MONOTONIC, &t);
}
#else
typedef int wire_clock_unused;
#endif
