#ifndef PROTO_BASE_DIE_H
#define PROTO_BASE_DIE_H
/*
 * The end of the process where it cannot go on: memory is used up, or an invariant is broken.  Bad
 * input never comes here; it is an error (err.h).
 */

#include <stddef.h>

/* Writes "atoll: REASON" to standard error and aborts.  Takes no lock and allocates nothing. */
_Noreturn void die(const char *reason);

/* As the functions of libc without the x, but they die when there is no memory.  free() the result. */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *, size_t n);
char *xstrdup(const char *);
#endif
