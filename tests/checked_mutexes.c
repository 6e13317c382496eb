/*
 * Linked into every unit test, and into the programs that the address sanitizer and `make mutants` look at: a mutex that is unlocked
 * while nobody holds it, or destroyed while somebody does, ends the program.  Elsewhere this goes unnoticed, although what the mutex
 * guards was changed without it, or somebody forgot to unlock it; only the thread sanitizer, which has its own mutexes, would tell.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef int call(pthread_mutex_t *);

static call *find(const char *name)
{
	call *found;

	*(void **)&found = dlsym(RTLD_NEXT, name);
	return found;
}

static void check(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

int pthread_mutex_unlock(pthread_mutex_t *m)
{
	static call *unlock;

	if (!unlock)
		unlock = find("pthread_mutex_unlock");
	check(m->__data.__lock, "a mutex is unlocked that nobody holds");
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
