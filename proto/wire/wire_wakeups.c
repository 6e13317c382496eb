/*
 * nng 1.5 hands each step of a message (its length, its text, who asked) to whichever of its
 * threads wakes up first, though the one that hands it over is done a moment later and would find
 * it itself: four switches of threads for a message of which none has to be.  Here a thread of
 * nng's wakes no other for what it hands over: it looks for more before it rests.  Before it waits
 * for anything else, or works for long (wire_yield), it wakes one.  The thread that waits for
 * sockets wakes one for all that it heard of at once, and so does one that sends to many
 * (wire_batch_begin).  Not under sanitizers, which have functions of their own in front of these.
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

typedef int cond_wait_fn(pthread_cond_t *restrict, pthread_mutex_t *restrict);
typedef int cond_signal_fn(pthread_cond_t *);
typedef int set_name_fn(pthread_t, const char *);
typedef int epoll_wait_fn(int, struct epoll_event *, int, int);

/* Set before main, read afterwards. */
static struct {
	cond_wait_fn *wait;
	cond_signal_fn *signal;
	set_name_fn *name;
	epoll_wait_fn *sockets;
} libs;

/*
 * What threads wait for that have nothing to do; NULL: it is not known, and all is as nng has it.
 */
static _Atomic(pthread_cond_t *) idle_cond;
static _Atomic(pthread_cond_t *) first_idle_cond;
static atomic_int idle_threads;
static atomic_bool conds_differ;

static _Thread_local struct {
	bool is_worker, has_waited;	/* it is one of them; has waited once */
	/*
	 * hands over without waking: one of them, the one that waits for sockets, or between
	 * wire_batch_begin and wire_yield
	 */
	bool defers_wakeups;
	bool wakeup_pending;		/* has woken nobody for what it handed over */
} own;

/* The newest of several versions of a function, which dlsym may not give. */
static void next_of(const char *name, const char *version, void *to)
{
	void *f = dlvsym(RTLD_NEXT, name, version);

	if (!f)
		f = dlsym(RTLD_NEXT, name);
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
		own.is_worker = !strcmp(name, "nng:task");
		own.defers_wakeups = own.is_worker || !strcmp(name, "nng:poll:epoll");
	}
	return libs.name(t, name);
}

/* In front of libc's. */
int pthread_cond_signal(pthread_cond_t *c)
{
	if (!libs.signal)
		find();
	if (own.defers_wakeups && c == atomic_load_explicit(&idle_cond, memory_order_relaxed)) {
		own.wakeup_pending = true;
		return 0;
	}
	return libs.signal(c);
}

void wire_flush_wakeup(void)
{
	if (!own.wakeup_pending)
		return;
	own.wakeup_pending = false;
	libs.signal(atomic_load(&idle_cond));
}

void wire_yield(void)
{
	pthread_cond_t *c = atomic_load(&idle_cond);

	/* also when it is: who waits for sockets wakes one thread for all that it heard of */
	own.wakeup_pending = false;
	if (c)
		libs.signal(c);
}

void wire_batch_begin(void)
{
	own.defers_wakeups = true;
}

void wire_batch_end(void)
{
	own.defers_wakeups = own.is_worker;
	if (!own.is_worker)
		wire_flush_wakeup();
}

/* In front of libc's. */
int epoll_wait(int fd, struct epoll_event *v, int n, int ms)
{
	if (!libs.sockets)
		find();
	wire_flush_wakeup();
	return libs.sockets(fd, v, n, ms);
}

/* A thread of nng's waits for the first time: as it has just begun, that is for work. */
static void note_idle_thread(pthread_cond_t *c)
{
	pthread_cond_t *none = NULL;

	own.has_waited = true;
	if (!atomic_compare_exchange_strong(&first_idle_cond, &none, c) && none != c)
		atomic_store(&conds_differ, true);
	atomic_fetch_add(&idle_threads, 1);
}

/* In front of libc's. */
int pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m)
{
	if (!libs.wait)
		find();
	if (own.is_worker && !own.has_waited)
		note_idle_thread(c);
	if (c == atomic_load_explicit(&idle_cond, memory_order_relaxed))
		own.wakeup_pending = false;
	else
		wire_flush_wakeup();
	return libs.wait(c, m);
}

void wire_wakeups_init(int threads)
{
	for (int i = 0; i < 100 && atomic_load(&idle_threads) < threads; i++)
		clock_sleep(1);
	if (atomic_load(&idle_threads) == threads && !atomic_load(&conds_differ))
		atomic_store(&idle_cond, atomic_load(&first_idle_cond));
}
#else
void wire_flush_wakeup(void)
{
}

void wire_yield(void)
{
}

void wire_batch_begin(void)
{
}

void wire_batch_end(void)
{
}

void wire_wakeups_init(int threads)
{
	(void)threads;
}
#endif
