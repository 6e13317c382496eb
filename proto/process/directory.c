#include "proto/process/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"

enum { OTHERS = 077 };

enum { SHORT = 50 };	/* the path of a socket has at most 107 bytes */

/*
 * ThreadSanitizer sees how open() makes a file's number, and does not see opendir() do it, but
 * closedir() end it: what it knows of the connection that had this number before, of libmicrohttpd
 * in another thread, it then takes for a race.
 */
DIR *directory_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = NULL;

	if (fd >= 0)
		d = fdopendir(fd);
	if (fd >= 0 && !d) {
		int e = errno;
		close(fd);
		errno = e;
	}
	return d;
}

int directory_create_exclusive(const char *path, struct err *e)
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

const char *directory_create_runtime(struct arena *a, struct err *e)
{
	const char *xdg = getenv("XDG_RUNTIME_DIR");
	const char *dir = xdg && *xdg == '/' && strlen(xdg) < SHORT ? arena_printf(a, "%s/atoll", xdg) :
	    arena_printf(a, "/tmp/atoll-%ld", (long)geteuid());

	if (directory_create_exclusive(dir, e))
		return NULL;
	return dir;
}

int directory_check_parent(const char *path, struct err *e)
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

static int unusable(const char *path, const char *option, struct err *e)
{
	err_set(e, ERR_INVALID_INPUT, "%s: cannot write to the folder %s: %s", option, path,
	    strerror(errno));
	return err_hint(e, "Name another one with %s DIR.", option);
}

static int make(const char *path, const char *option, struct err *e)
{
	char part[PATH_MAX];

	if (strlen(path) >= sizeof part)
		return err_set(e, ERR_INVALID_INPUT, "%s: the path is too long", option);
	snprintf(part, sizeof part, "%s", path);
	for (char *p = part + 1;; p++) {
		char c = *p;
		if (c && c != '/')
			continue;
		*p = 0;
		if (mkdir(part, 0700) && errno != EEXIST)
			return unusable(path, option, e);
		*p = c;
		if (!c)
			return 0;
	}
}

/* The folder in which the last part of what `path` leads to stands. */
static int parent_of(const char *path, struct stat *st)
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		return -1;
	char *slash = strrchr(real, '/');
	slash[slash == real] = 0;
	return stat(real, st);
}

/*
 * Whoever may write to the folder in which a link ends can put there what they like, perhaps
 * before we come.
 */
static int check_link(const char *path, const char *option, struct err *e)
{
	char bare[PATH_MAX];
	struct stat st;

	snprintf(bare, sizeof bare, "%s", path);
	for (size_t n = strlen(bare); n > 1 && bare[n - 1] == '/'; n--)
		bare[n - 1] = 0;
	if (lstat(bare, &st) || !S_ISLNK(st.st_mode))
		return 0;
	if (!stat(bare, &st) && (parent_of(bare, &st) || !(st.st_mode & S_IWOTH)))
		return 0;
	err_set(e, ERR_INVALID_INPUT,
	    "%s %s is a link into a folder in which anybody may write, or to nothing", option, path);
	return err_hint(e, "Name the folder itself, in a place that is yours.");
}

static int check_owner(const struct stat *st, const char *path, const char *option, struct err *e)
{
	if (st->st_uid == geteuid() || !st->st_uid)
		return 0;
	err_set(e, ERR_INVALID_INPUT,
	    "%s %s belongs to another user (%ld), who could change what is kept there", option, path,
	    (long)st->st_uid);
	return err_hint(e,
	    "Run this as that user; or give it to this one: `chown -R %ld %s`; or name another folder.",
	    (long)geteuid(), path);
}

/* An open file or folder.  The owner's rights stay. */
static void close_to_others(int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st) || !(st.st_mode & OTHERS))
		return;
	if (!fchmod(fd, st.st_mode & 0700))
		log_info("data_dir.restricted", "path=%s was=%04o", log_quote(path),
		    (unsigned)st.st_mode & 07777);
	else
		log_warn("data_dir.unrestricted", "path=%s mode=%04o owner=%ld message=%s hint=%s",
		    log_quote(path), (unsigned)st.st_mode & 07777, (long)st.st_uid,
		    log_quote(strerror(errno)),
		    log_quote("others may read it: its owner closes it with chmod go= on it"));
}

int directory_create_private(const char *path, const char *option, struct err *e)
{
	struct stat st;

	if (check_link(path, option, e) || make(path, option, e))
		return -1;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		unusable(path, option, e);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	int rc = check_owner(&st, path, option, e);
	if (!rc)
		close_to_others(fd, path);
	close(fd);
	return rc;
}

void directory_restrict_files(const char *folder, const char *pattern)
{
	DIR *d = directory_open(folder);
	char path[PATH_MAX];

	for (struct dirent *f; d && (f = readdir(d));) {
		bool upwards = !strcmp(f->d_name, ".") || !strcmp(f->d_name, "..");
		int fd = -1;
		if (!upwards && !fnmatch(pattern, f->d_name, 0))
			fd = openat(dirfd(d), f->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		snprintf(path, sizeof path, "%.2000s/%s", folder, f->d_name);
		if (fd >= 0) {
			close_to_others(fd, path);
			close(fd);
		}
	}
	if (d)
		closedir(d);
}
