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
 * ThreadSanitizer intercepts open() and closedir(), but not opendir().  With opendir() it would
 * report a race with the connection, of libmicrohttpd in another thread, that had the same file
 * descriptor before.
 */
DIR *directory_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	DIR *d = fdopendir(fd);
	if (!d) {
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
		return err_set(e, ERR_INVALID_INPUT, "%s: cannot be created: %s", path, strerror(errno));
	bool exists = !lstat(path, &st);
	if (!exists || !S_ISDIR(st.st_mode) || st.st_uid != geteuid()) {
		err_set(e, ERR_INVALID_INPUT, "%s is not a folder of this user", path);
		return err_hint(e, "Remove it, or set XDG_RUNTIME_DIR to a folder that only you may use.");
	}
	if ((st.st_mode & OTHERS) && chmod(path, 0700))
		return err_set(
		    e, ERR_INVALID_INPUT, "%s is open to other users: %s", path, strerror(errno));
	return 0;
}

/* Whether the folder of $XDG_RUNTIME_DIR can hold sockets. */
static bool is_usable_runtime(const char *xdg)
{
	return xdg && *xdg == '/' && strlen(xdg) < SHORT;
}

const char *directory_create_runtime(struct arena *a, struct err *e)
{
	const char *xdg = getenv("XDG_RUNTIME_DIR"), *dir;

	if (is_usable_runtime(xdg))
		dir = arena_printf(a, "%s/atoll", xdg);
	else
		dir = arena_printf(a, "/tmp/atoll-%ld", (long)geteuid());
	if (directory_create_exclusive(dir, e))
		return NULL;
	return dir;
}

/* The folder of `path`: "." if there is no slash in it. */
static void parent_path(const char *path, char out[PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		snprintf(out, PATH_MAX, ".");
	else if (slash == path)
		snprintf(out, PATH_MAX, "/");
	else
		snprintf(out, PATH_MAX, "%.*s", (int)(slash - path), path);
}

/* Whether somebody else than root, this user and its own group may add files to the folder. */
static bool is_writable_by_others(const struct stat *st)
{
	if (st->st_uid && st->st_uid != geteuid())
		return true;
	if ((st->st_mode & S_IWGRP) && st->st_gid != getegid())
		return true;
	return st->st_mode & S_IWOTH;
}

int directory_check_parent(const char *path, struct err *e)
{
	char dir[PATH_MAX];
	struct stat st;

	parent_path(path, dir);
	if (stat(dir, &st) || !is_writable_by_others(&st))
		return 0;
	err_set(e, ERR_INVALID_INPUT, "other users may put a socket into %s", dir);
	return err_hint(e,
	    "Use a folder that only this user may write to (chmod 700), or a cluster key, with which "
	    "both ends prove who they are.");
}

static int unusable(const char *path, const char *option, struct err *e)
{
	err_set(e, ERR_INVALID_INPUT, "%s: cannot write to the folder %s: %s", option, path,
	    strerror(errno));
	return err_hint(e, "Choose another folder with %s DIR.", option);
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

/* Stats the folder that contains the target of `path`. */
static int stat_target_parent(const char *path, struct stat *st)
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		return -1;
	char *slash = strrchr(real, '/');
	slash[slash == real] = 0;
	return stat(real, st);
}

/*
 * Refuses a symbolic link whose target is in a folder that anybody may write to: anybody could
 * replace the target, even before the first start.
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
	bool dangling = stat(bare, &st) != 0;
	if (!dangling && (stat_target_parent(bare, &st) || !(st.st_mode & S_IWOTH)))
		return 0;
	err_set(e, ERR_INVALID_INPUT,
	    "%s %s is a link into a folder that anybody may write to, or a dangling link", option,
	    path);
	return err_hint(e, "Name the folder itself, in a place that only you may write to.");
}

static int check_owner(const struct stat *st, const char *path, const char *option, struct err *e)
{
	if (st->st_uid == geteuid() || !st->st_uid)
		return 0;
	err_set(e, ERR_INVALID_INPUT,
	    "%s %s belongs to another user (%ld), who could change the data in it", option, path,
	    (long)st->st_uid);
	return err_hint(e,
	    "Run this as that user, or give the folder to this one: `chown -R %ld %s`, or use another "
	    "folder.",
	    (long)geteuid(), path);
}

/* Takes the rights of others on an open file or folder away.  The owner's rights stay. */
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
		    log_quote("Other users may read it; its owner can run `chmod go=` on it."));
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

static void restrict_file(DIR *d, const char *folder, const char *name)
{
	char path[PATH_MAX];
	int fd = openat(dirfd(d), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return;
	snprintf(path, sizeof path, "%.2000s/%s", folder, name);
	close_to_others(fd, path);
	close(fd);
}

void directory_restrict_files(const char *folder, const char *pattern)
{
	DIR *d = directory_open(folder);

	if (!d)
		return;
	for (struct dirent *f = readdir(d); f; f = readdir(d)) {
		bool is_dot = !strcmp(f->d_name, ".") || !strcmp(f->d_name, "..");
		if (!is_dot && !fnmatch(pattern, f->d_name, 0))
			restrict_file(d, folder, f->d_name);
	}
	closedir(d);
}
