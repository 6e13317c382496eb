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

/* Of the walk under way; the command line has one thread that walks. */
static struct { uint64_t bytes; time_t newest, made; int failed; } walk;

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

/* A shard keeps the mirror of a URL beside the folder of its index. */
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

/* The lock that a shard holds on its folder; -1: it does.  -2: the folder has none. */
static int take_lock(const char *path, struct arena *a)
{
	int fd = open(arena_printf(a, "%s/lock", path), O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -2;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	close(fd);
	return -1;
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

struct shard_folder *shard_folders_list(
    const char *data, const struct status_out *is, size_t *n, struct arena *a)
{
	DIR *d = directory_open(data);
	struct shard_folder *v = NULL;
	size_t cap = 0;

	*n = 0;
	for (struct dirent *f; d && (f = readdir(d));) {
		if (strncmp(f->d_name, "repo_", 5) || strlen(f->d_name) != 5 + 16 ||
		    strspn(f->d_name + 5, "0123456789abcdef") != 16)
			continue;
		struct shard_folder c = { .name = arena_str(a, f->d_name),
			.path = arena_printf(a, "%s/%s", data, f->d_name) };
		walk.bytes = 0;
		walk.newest = walk.made = 0;
		nftw(mirrors_of(c.path, a), add, FOLDERS_OPEN, FTW_PHYS);
		nftw(c.path, add, FOLDERS_OPEN, FTW_PHYS);
		int lock = take_lock(c.path, a);
		c.bytes = walk.bytes;
		/* a shard has just made it */
		c.idle_s = time(NULL) - (walk.newest ? walk.newest : walk.made);
		c.served = lock == -1;
		c.known = is_known(c.name, is);
		if (lock >= 0)
			close(lock);
		v = grow(v, &cap, *n + 1, sizeof *v);
		v[(*n)++] = c;
	}
	if (d)
		closedir(d);
	struct shard_folder *out = arena_many(a, *n, struct shard_folder);
	if (*n)
		memcpy(out, v, *n * sizeof *v);
	free(v);
	qsort(out, *n, sizeof *out, by_name);
	return out;
}

int shard_folder_delete(const char *data, const char *name, int wait_ms, struct err *e)
{
	struct arena *a = arena_new();
	const char *path = arena_printf(a, "%s/%s", data, name);
	int lock, rc = 0;

	while ((lock = take_lock(path, a)) == -1 && wait_ms > 0) {
		clock_sleep(STEP_MS);
		wait_ms -= STEP_MS;
	}
	walk.failed = 0;
	if (lock == -1) {
		rc = err_set(e, ERR_UNAVAILABLE, "%s is served by a shard", path);
		err_hint(e, "Stop that shard, then `rm -r` it.");
	} else if (access(path, F_OK)) {
		rc = err_set(e, ERR_NOT_FOUND, "there is no %s on this machine", path);
		err_hint(e, "Name the folder of its shard with --data DIR, where that runs.");
	} else {
		nftw(mirrors_of(path, a), drop, FOLDERS_OPEN, FTW_PHYS | FTW_DEPTH);
		nftw(path, drop, FOLDERS_OPEN, FTW_PHYS | FTW_DEPTH);
		if (walk.failed)
			rc = err_set(e, ERR_INTERNAL, "%s: %s", path, strerror(walk.failed));
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

	for (size_t i = 0; i < n; i++)
		if (!v[i].known && !v[i].served && v[i].idle_s > idle_s &&
		    !shard_folder_delete(data, v[i].name, 0, NULL))
			bytes += v[i].bytes;
	return bytes;
}
