#ifndef TESTS_NNG_LEFT_H
#define TESTS_NNG_LEFT_H
/*
 * Counts the aios that the program takes from nng and has not given back; those that nng makes for itself are left out.  The address
 * sanitizer does not tell, as nng keeps lists of its own (lsan.supp).
 */
#include <dlfcn.h>
#include <nng/nng.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int aios_left;

extern const char __executable_start[], etext[]; /* set by the linker */

#define NEXT_OF(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define CALLED_BY_PROGRAM \
	((const char *)__builtin_return_address(0) >= __executable_start &&                            \
	    (const char *)__builtin_return_address(0) < etext)

/* A timer of the process, which has no argument, stays. */
int nng_aio_alloc(nng_aio **aio, void (*call)(void *), void *arg)
{
	bool own = CALLED_BY_PROGRAM && (arg || !call);
	int rc = NEXT_OF(nng_aio_alloc)(aio, call, arg);

	aios_left += !rc && own;
	return rc;
}

void nng_aio_free(nng_aio *aio)
{
	aios_left -= aio && CALLED_BY_PROGRAM;
	NEXT_OF(nng_aio_free)(aio);
}
#endif
