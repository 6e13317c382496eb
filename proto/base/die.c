#include "proto/base/die.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static const char no_memory[] = "out of memory";

void die(const char *reason)
{
	struct iovec line[] = {
		{ (void *)"atoll: ", 7 },
		{ (void *)reason, strlen(reason) },
		{ (void *)"\n", 1 },
	};
	ssize_t written = writev(STDERR_FILENO, line, 3);

	(void)written;	/* there is nowhere else to report it */
	abort();
}

void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p && n)
		die(no_memory);
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p && n && size)
		die(no_memory);
	return p;
}

void *xrealloc(void *old, size_t n)
{
	void *p = realloc(old, n);

	if (!p && n)
		die(no_memory);
	return p;
}

char *xstrdup(const char *s)
{
	char *p = strdup(s);

	if (!p)
		die(no_memory);
	return p;
}
