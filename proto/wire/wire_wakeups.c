/*
 * nng 1.5 hands each step of a message (its length, its text, who asked) to whichever of its threads wakes up first, though the one
 * that hands it over is done a moment later and would find it itself: four switches of threads for a message of which none has to
 * be.  Here a thread of nng's wakes no other for what it hands over: it looks for more before it rests.  Before it waits for
 * anything else, or works for long (wire_yield), it wakes one.  The thread that waits for sockets wakes one for all that it heard of
 * at once, and so does one that sends to many (wire_hold).  Not under sanitizers, which have functions of their own in front of
 * these.
 */
#include "proto/wire/wire.h"
#include "proto/wire/wire_internal.h"

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>

#include "proto/base/clock.h"

typedef int wait_for(pthread_cond_t *restrict, pthread_mutex_t *restrict);
typedef int wake_one(pthread_cond_t *);
typedef int set_name(pthread_t, const char *);
typedef int wait_sockets(int, struct epoll_event *, int, int);

/* Set before main, read afterwards. */
static struct {
	wait_for *wait;
	wake_one *signal;
	set_name *name;
	wait_sockets *sockets;
} libs;

/* What threads wait for that have nothing to do; NULL: it is not known, and all is as nng has it. */
static _Atomic(pthread_cond_t *) rest;
static _Atomic(pthread_cond_t *) first_rest;
static atomic_int resting;
static atomic_bool differ;

static _Thread_local struct {
	bool works, rested;	/* it is one of them; has waited once */
	bool holds;		/* hands over without waking: one of them, the one that waits for sockets, or between wire_hold and wire_yield */
	bool owes;		/* has woken nobody for what it handed over */
} own;

/* The newest of several versions of a function, which dlsym may not give. */
static void next_of(const char *name, const char *version, void *to)
{
	void *f = dlvsym(RTLD_NEXT, name, version);

	f = f ? f : dlsym(RTLD_NEXT, name);
	memcpy(to, &f, sizeof f);
}

__attribute__((constructor)) static void find(void)
{
	next_of("pthread_cond_wait", "GLIBC_2.3.2", &libs.wait);
	next_of("pthread_cond_signal", "GLIBC_2.3.2", &libs.signal);
	next_of("pthread_setname_np", "GLIBC_2.34", &libs.name);
	next_of("epoll_wait", "GLIBC_2.3.2", &libs.sockets);
}

/* In front of libc's: by that name nng's threads are known. */
int pthread_setname_np(pthread_t t, const char *name)
{
	if (!libs.name)
		find();
	if (pthread_equal(t, pthread_self())) {
		own.works = !strcmp(name, "nng:task");
		own.holds = own.works || !strcmp(name, "nng:poll:epoll");
	}
	return libs.name(t, name);
}

/* In front of libc's. */
int pthread_cond_signal(pthread_cond_t *c)
{
	if (!libs.signal)
		find();
	if (own.holds && c == atomic_load_explicit(&rest, memory_order_relaxed)) {
		own.owes = true;
		return 0;
	}
	return libs.signal(c);
}

void wire_pay(void)
{
	if (!own.owes)
		return;
	own.owes = false;
	libs.signal(atomic_load(&rest));
}

void wire_yield(void)
{
	pthread_cond_t *c = atomic_load(&rest);

	own.owes = false;	/* also when it is: who waits for sockets wakes one thread for all that it heard of */
	if (c)
		libs.signal(c);
}

void wire_hold(void)
{
	own.holds = true;
}

void wire_release(void)
{
	own.holds = own.works;
	if (!own.works)
		wire_pay();
}

/* In front of libc's. */
int epoll_wait(int fd, struct epoll_event *v, int n, int ms)
{
	if (!libs.sockets)
		find();
	wire_pay();
	return libs.sockets(fd, v, n, ms);
}

/* A thread of nng's waits for the first time: as it has just begun, that is for work. */
static void learn(pthread_cond_t *c)
{
	pthread_cond_t *none = NULL;

	own.rested = true;
	if (!atomic_compare_exchange_strong(&first_rest, &none, c) && none != c)
		atomic_store(&differ, true);
	atomic_fetch_add(&resting, 1);
}

/* In front of libc's. */
int pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m)
{
	if (!libs.wait)
		find();
	if (own.works && !own.rested)
		learn(c);
	if (c == atomic_load_explicit(&rest, memory_order_relaxed))
		own.owes = false;
	else
		wire_pay();
	return libs.wait(c, m);
}

void wire_wake_learn(int threads)
{
	for (int i = 0; i < 100 && atomic_load(&resting) < threads; i++)
		clock_sleep(1);
	if (atomic_load(&resting) == threads && !atomic_load(&differ))
		atomic_store(&rest, atomic_load(&first_rest));
}
#else
void wire_pay(void)
{
}

void wire_yield(void)
{
}

void wire_hold(void)
{
}

void wire_release(void)
{
}

void wire_wake_learn(int threads)
{
	(void)threads;
}
#endif
