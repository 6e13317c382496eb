#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "proto/base/folder.h"

/*
 * ThreadSanitizer sees how open() makes a file's number, and does not see opendir() do it, but closedir() end it: what it knows of
 * the connection that had this number before, of libmicrohttpd in another thread, it then takes for a race.
 */
DIR *folder_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !d) {
		int e = errno;
		close(fd);
		errno = e;
	}
	return d;
}
