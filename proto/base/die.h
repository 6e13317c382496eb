#ifndef PROTO_BASE_DIE_H
#define PROTO_BASE_DIE_H
/*
 * Ends the process when it cannot continue: out of memory, or a broken invariant.  Bad input never
 * ends it; that is an error (err.h).
 */

#include <stddef.h>

/* Writes "atoll: REASON" to standard error and aborts.  Takes no lock and allocates nothing. */
_Noreturn void die(const char *reason);

/* The libc functions without the x, except that they die when there is no memory. */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *, size_t n);
char *xstrdup(const char *);
#endif
