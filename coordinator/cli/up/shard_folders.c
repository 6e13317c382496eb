#include "coordinator/cli/up/shard_folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "coordinator/cli/base/records.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/process/directory.h"

enum { FOLDERS_OPEN = 16, STEP_MS = 100 };

/* Results of the current nftw, which passes no context.  Only one thread walks. */
static struct {
	uint64_t bytes;
	time_t newest, made;
	int failed;
} walk;

static int add(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)path;
	if (!at->level)
		walk.made = st->st_mtime;
	if (type == FTW_F) {
		walk.bytes += (uint64_t)st->st_blocks * 512;
		walk.newest = MAX(st->st_mtime, walk.newest);
	}
	return 0;
}

/* The mirror of a URL is beside the folder of its index. */
static const char *mirrors_of(const char *path, struct arena *a)
{
	return arena_printf(a, "%s.mirror", path);
}

static int drop(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	if (remove(path))
		walk.failed = errno;
	return 0;
}

enum { LOCK_HELD = -1, LOCK_MISSING = -2 };

/* Take the lock of a folder: its descriptor, LOCK_HELD by a shard, or LOCK_MISSING. */
static int take_lock(const char *path, struct arena *a)
{
	int fd = open(arena_printf(a, "%s/lock", path), O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return LOCK_MISSING;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	close(fd);
	return LOCK_HELD;
}

static bool is_known(const char *name, const struct status_out *is)
{
	for (size_t i = 0; is && i < is->repos.n; i++)
		if (is->repos.v[i].collection && !strcmp(is->repos.v[i].collection, name))
			return true;
	return false;
}

static int by_name(const void *x, const void *y)
{
	return strcmp(((const struct shard_folder *)x)->name, ((const struct shard_folder *)y)->name);
}

/* `repo_` and 16 hex digits. */
static bool is_shard_folder(const char *name)
{
	if (strncmp(name, "repo_", 5) || strlen(name) != 5 + 16)
		return false;
	return strspn(name + 5, "0123456789abcdef") == 16;
}

/* Measure a folder and check whether a shard serves it. */
static struct shard_folder examine(
    const char *data, const char *name, const struct status_out *is, struct arena *a)
{
	struct shard_folder c = { .name = arena_str(a, name),
		.path = arena_printf(a, "%s/%s", data, name) };

	walk.bytes = 0;
	walk.newest = walk.made = 0;
	nftw(mirrors_of(c.path, a), add, FOLDERS_OPEN, FTW_PHYS);
	nftw(c.path, add, FOLDERS_OPEN, FTW_PHYS);
	if (!walk.newest)	/* it has no files: a shard has just created it */
		walk.newest = walk.made;
	int lock = take_lock(c.path, a);
	c.bytes = walk.bytes;
	c.idle_s = time(NULL) - walk.newest;
	c.served = lock == LOCK_HELD;
	c.known = is_known(c.name, is);
	if (lock >= 0)
		close(lock);
	return c;
}

struct shard_folder *shard_folders_list(
    const char *data, const struct status_out *is, size_t *n, struct arena *a)
{
	DIR *d = directory_open(data);
	struct shard_folder *v = NULL;
	struct dirent *f;
	size_t cap = 0;

	*n = 0;
	if (!d)
		return NULL;
	while ((f = readdir(d))) {
		if (!is_shard_folder(f->d_name))
			continue;
		v = grow(v, &cap, *n + 1, sizeof *v);
		v[(*n)++] = examine(data, f->d_name, is, a);
	}
	closedir(d);
	struct shard_folder *out = arena_many(a, *n, struct shard_folder);
	if (*n) {
		memcpy(out, v, *n * sizeof *v);
		qsort(out, *n, sizeof *out, by_name);
	}
	free(v);
	return out;
}

/* Delete a folder and its mirror, which no shard has open. */
static int delete_folder(const char *path, struct arena *a, struct err *e)
{
	if (access(path, F_OK)) {
		err_set(e, ERR_NOT_FOUND, "there is no %s on this machine", path);
		return err_hint(e, "Run this on the machine of its shard, with its --data DIR.");
	}
	walk.failed = 0;
	nftw(mirrors_of(path, a), drop, FOLDERS_OPEN, FTW_PHYS | FTW_DEPTH);
	nftw(path, drop, FOLDERS_OPEN, FTW_PHYS | FTW_DEPTH);
	if (walk.failed)
		return err_set(e, ERR_INTERNAL, "%s: %s", path, strerror(walk.failed));
	return 0;
}

int shard_folder_delete(const char *data, const char *name, int wait_ms, struct err *e)
{
	struct arena *a = arena_new();
	const char *path = arena_printf(a, "%s/%s", data, name);
	int lock = take_lock(path, a), rc;

	for (; lock == LOCK_HELD && wait_ms > 0; wait_ms -= STEP_MS) {
		clock_sleep(STEP_MS);
		lock = take_lock(path, a);
	}
	if (lock == LOCK_HELD) {
		err_set(e, ERR_UNAVAILABLE, "%s is in use by a shard", path);
		rc = err_hint(e, "Stop that shard, then delete the folder with `rm -r`.");
	} else {
		rc = delete_folder(path, a, e);
	}
	if (lock >= 0)
		close(lock);
	arena_free(a);
	return rc;
}

uint64_t shard_folders_prune(
    const char *data, const struct status_out *is, int64_t idle_s, struct arena *a)
{
	uint64_t bytes = 0;
	size_t n;
	struct shard_folder *v = shard_folders_list(data, is, &n, a);

	for (size_t i = 0; i < n; i++) {
		bool unused = !v[i].known && !v[i].served && v[i].idle_s > idle_s;
		if (unused && !shard_folder_delete(data, v[i].name, 0, NULL))
			bytes += v[i].bytes;
	}
	return bytes;
}
