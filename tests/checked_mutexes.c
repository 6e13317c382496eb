/*
 * Linked into every unit test, and into the programs that the address sanitizer and `make mutants` look at: a mutex that is unlocked
 * while nobody holds it ends the program.  Elsewhere this goes unnoticed, although what the mutex guards was changed without it; only
 * the thread sanitizer, which has its own mutexes, would tell.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int pthread_mutex_unlock(pthread_mutex_t *m)
{
	static int (*unlock)(pthread_mutex_t *);

	if (!unlock)
		*(void **)&unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
	if (!m->__data.__lock) {
		fprintf(stderr, "a mutex is unlocked that nobody holds\n");
		abort();
	}
	return unlock(m);
}
