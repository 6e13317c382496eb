#ifndef TESTS_PRIVATE_FOLDER_H
#define TESTS_PRIVATE_FOLDER_H
/* A folder for sockets that is this test's alone, as those without a cluster key must be; gone when it ends. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char own_path[] = "/tmp/atoll-test.XXXXXX";
static pid_t own_pid;

static inline void own_folder_remove(void)
{
	if (own_pid == getpid())
		rmdir(own_path);
}

static inline const char *own_folder(void)
{
	if (own_pid)
		return own_path;
	own_pid = getpid();
	if (!mkdtemp(own_path) || atexit(own_folder_remove))
		abort();
	return own_path;
}
#endif
