/*
 * nng 1.5 queues each step of a message (length, contents, callback) as a task and wakes another
 * thread for it, although the thread that queues it is done a moment later and would find it
 * itself: four unnecessary context switches per message.  Here a thread of nng that queues a task
 * does not wake another one, since it checks the queue before it rests.  It wakes one before it
 * waits for anything else or works for long (wire_yield).  The thread that polls sockets wakes one
 * for all their events together, and so does a thread that sends to many (wire_batch_begin).
 * Sanitizers replace the same functions, so they run without this.
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

/* The condition that idle threads wait for.  NULL while it is unknown: then nothing is deferred. */
static _Atomic(pthread_cond_t *) idle_cond;
static _Atomic(pthread_cond_t *) first_idle_cond;
static atomic_int idle_threads;
static atomic_bool conds_differ;

static _Thread_local struct {
	bool is_worker;			/* a task thread of nng */
	bool has_waited;		/* at least once */
	/* a task thread, the polling thread, or one between wire_batch_begin and wire_batch_end */
	bool defers_wakeups;
	bool wakeup_pending;		/* it has queued a task and deferred the wakeup */
} own;

/* A certain version of a function; dlsym may return an older one. */
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

/* Replaces libc's function, to recognise nng's threads by their names. */
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

/* Replaces libc's function. */
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

	/* wakes a thread even if none is pending: the polling thread wakes only one for many events */
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

/* Replaces libc's function. */
int epoll_wait(int fd, struct epoll_event *v, int n, int ms)
{
	if (!libs.sockets)
		find();
	wire_flush_wakeup();
	return libs.sockets(fd, v, n, ms);
}

/* A task thread waits for the first time.  It has just started, so it waits for work. */
static void note_idle_thread(pthread_cond_t *c)
{
	pthread_cond_t *none = NULL;

	own.has_waited = true;
	if (!atomic_compare_exchange_strong(&first_idle_cond, &none, c) && none != c)
		atomic_store(&conds_differ, true);
	atomic_fetch_add(&idle_threads, 1);
}

/* Replaces libc's function. */
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
