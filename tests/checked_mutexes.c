/*
 * Linked into every unit test, and into the programs that the address sanitizer and `make mutants`
 * look at.  It ends the program if a thread unlocks a mutex that it does not hold, locks one that it
 * holds, or ends while it holds one, or if somebody destroys a mutex that is held.  Otherwise the
 * program goes on unnoticed or hangs; only the thread sanitizer, which has its own mutexes, tells.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int call(pthread_mutex_t *);

static bool forked; /* its thread has another number than the one that it was */
static bool ready; /* `at_end` may be used */
static pthread_key_t at_end;
static _Thread_local pid_t self;
static _Thread_local intptr_t held; /* how many mutexes this thread holds */

static call *find(const char *name)
{
	call *found;

	*(void **)&found = dlsym(RTLD_NEXT, name);
	return found;
}

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static bool is_own(const pthread_mutex_t *m)
{
	if (!self)
		self = gettid();
	return m->__data.__owner == self;
}

static bool is_usual(const pthread_mutex_t *m)
{
	return !(m->__data.__kind & 3) && !forked;
}

static void thread_ends(void *any)
{
	(void)any;
	check(forked || held <= 0, "a thread ends that holds a mutex");
}

static void took(void)
{
	held++;
	if (ready && !pthread_getspecific(at_end))
		pthread_setspecific(at_end, &at_end);
}

static void on_fork(void)
{
	forked = true;
}

static void __attribute__((constructor(101))) begin(void)
{
	ready = !pthread_key_create(&at_end, thread_ends);
	pthread_atfork(NULL, NULL, on_fork);
}

static void __attribute__((destructor)) end(void)
{
	if (!forked && gettid() == getpid())
		check(held <= 0, "the program ends while it holds a mutex");
}

int pthread_mutex_lock(pthread_mutex_t *m)
{
	static call *lock;

	if (!lock)
		lock = find("pthread_mutex_lock");
	check(!is_usual(m) || !is_own(m), "a mutex is locked by the thread that holds it");
	int rc = lock(m);
	if (!rc)
		took();
	return rc;
}

int pthread_mutex_trylock(pthread_mutex_t *m)
{
	static call *try;

	if (!try)
		try = find("pthread_mutex_trylock");
	int rc = try(m);
	if (!rc)
		took();
	return rc;
}

int pthread_mutex_unlock(pthread_mutex_t *m)
{
	static call *unlock;

	if (!unlock)
		unlock = find("pthread_mutex_unlock");
	check(m->__data.__lock, "a mutex is unlocked that nobody holds");
	check(!is_usual(m) || is_own(m), "a mutex is unlocked that another thread holds");
	held--;
	return unlock(m);
}

int pthread_mutex_destroy(pthread_mutex_t *m)
{
	static call *destroy;

	if (!destroy)
		destroy = find("pthread_mutex_destroy");
	check(!m->__data.__lock, "a mutex is destroyed that somebody holds");
	return destroy(m);
}
