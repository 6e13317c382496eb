/*
 * Linked into every unit test: at the end of the program, a file or folder that the test opened and did not close fails it, as the
 * address sanitizer does for memory.  Sockets, pipes and the like are left out, as libraries keep some until the process ends.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 1024 };

static bool open_at_start[MANY];
static pid_t program;

/* Calls `each` for every open descriptor below MANY, with what it leads to. */
static void each_open(void (*each)(int fd, const char *target))
{
	DIR *d = opendir("/proc/self/fd");
	char path[64], target[512];

	for (struct dirent *x; d && (x = readdir(d));) {
		int fd = atoi(x->d_name);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		ssize_t n = readlink(path, target, sizeof target - 1);
		if (n < 0 || fd >= MANY || fd == dirfd(d))
			continue;
		target[n] = '\0';
		each(fd, target);
	}
	if (d)
		closedir(d);
}

static void note(int fd, const char *target)
{
	(void)target;
	open_at_start[fd] = true;
}

static bool failed;

static void complain(int fd, const char *target)
{
	bool is_file = *target == '/' && strncmp(target, "/dev/", 5) && strncmp(target, "/proc/", 6) &&
	    strncmp(target, "/sys/", 5);

	if (open_at_start[fd] || !is_file)
		return;
	fprintf(stderr, "left open: descriptor %d of %s\n", fd, target);
	failed = true;
}

static void __attribute__((constructor)) begin(void)
{
	program = getpid();
	each_open(note);
}

static void __attribute__((destructor)) end(void)
{
	if (getpid() != program)
		return;
	each_open(complain);
	if (failed)
		_exit(1);
}
