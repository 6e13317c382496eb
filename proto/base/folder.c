#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/folder.h"

enum { SHORT = 50 };	/* the path of a socket has at most 107 bytes */

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

int folder_close(const char *path, struct err *e)
{
	struct stat st;

	if (mkdir(path, 0700) && errno != EEXIST)
		return err_set(e, ERR_INVALID_INPUT, "%s: cannot be made: %s", path, strerror(errno));
	if (lstat(path, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid()) {
		err_set(e, ERR_INVALID_INPUT, "%s is not a folder of this user", path);
		return err_hint(e, "Remove it, or set XDG_RUNTIME_DIR to a folder that is yours alone.");
	}
	if ((st.st_mode & 077) && chmod(path, 0700))
		return err_set(e, ERR_INVALID_INPUT, "%s is open to others: %s", path, strerror(errno));
	return 0;
}

const char *folder_runtime(struct arena *a, struct err *e)
{
	const char *xdg = getenv("XDG_RUNTIME_DIR");
	const char *dir = xdg && *xdg == '/' && strlen(xdg) < SHORT ? arena_printf(a, "%s/atoll", xdg) :
	    arena_printf(a, "/tmp/atoll-%ld", (long)geteuid());

	return folder_close(dir, e) ? NULL : dir;
}

int folder_beside(const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char dir[PATH_MAX];
	struct stat st;

	snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - path) + (slash == path) : 1,
	    slash ? path : ".");
	if (stat(dir, &st))
		return 0;
	bool theirs = st.st_uid && st.st_uid != geteuid(),
	    group = (st.st_mode & 020) && st.st_gid != getegid();
	if (!theirs && !group && !(st.st_mode & 002))
		return 0;
	err_set(e, ERR_INVALID_INPUT, "others may put a socket of their own into %s", dir);
	return err_hint(e,
	    "Use a folder that is this user's alone (chmod 700), or a cluster key, which both ends prove to have.");
}
