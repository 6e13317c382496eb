#ifndef TESTS_PRIVATE_FOLDER_H
#define TESTS_PRIVATE_FOLDER_H
/* A private folder for sockets, as required without a cluster key; removed at exit. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char private_folder_path[] = "/tmp/atoll-test.XXXXXX";
static pid_t private_folder_pid;

static inline void private_folder_remove(void)
{
	if (private_folder_pid == getpid())
		rmdir(private_folder_path);
}

static inline const char *private_folder(void)
{
	if (private_folder_pid)
		return private_folder_path;
	private_folder_pid = getpid();
	if (!mkdtemp(private_folder_path) || atexit(private_folder_remove))
		abort();
	return private_folder_path;
}
#endif
