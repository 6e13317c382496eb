#include "shard/index/index_snapshot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/process/directory.h"

enum { PATH = 4096 };

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static const char prefix[] = SNAPSHOT_PREFIX;

int snapshot_checksum_file(const char *path, char out[SHA256_HEX], uint64_t *size, struct err *e)
{
	static const size_t piece = 64 << 10;
	char bytes[64 << 10];
	struct crypto_hash *h = crypto_hash_new();
	FILE *f = fopen(path, "re");
	int rc = 0;

	*size = 0;
	while (f) {
		size_t n = fread(bytes, 1, piece, f);
		if (!n)
			break;
		crypto_hash_put(h, bytes, n);
		*size += n;
	}
	if (!f || ferror(f))
		rc = err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	crypto_hash_end(h, out);
	if (f)
		fclose(f);
	return rc;
}

/* Reads the checksum beside the file, which was written when the file was complete. */
static int read_checksum(const char *dir, struct snapshot *s)
{
	char path[PATH];
	unsigned long long size = 0;
	struct stat st;

	snprintf(path, sizeof path, "%s/%s.sum", dir, s->file);
	FILE *f = fopen(path, "re");
	int n = 0;
	if (f)
		n = fscanf(f, "%64s %llu", s->sum, &size);
	if (f)
		fclose(f);
	s->size = size;
	snprintf(path, sizeof path, "%s/%s", dir, s->file);
	if (n == 2 && !stat(path, &st) && (uint64_t)st.st_size == s->size)
		return 0;
	return -1;
}

/* Records that the file is being read. */
static void touch(const char *dir, const char *file)
{
	char path[PATH];

	snprintf(path, sizeof path, "%s/%s", dir, file);
	utimensat(AT_FDCWD, path, NULL, 0);
}

/* Whether the file has this kind (extension) and checksum; then it is described in `out`. */
static bool matches(
    const char *dir, const char *name, const char *sum, const char *kind, struct snapshot *out)
{
	const char *dot = strrchr(name, '.');

	if (strncmp(name, prefix, strlen(prefix)) || strlen(name) >= sizeof out->file)
		return false;
	if (!dot || strcmp(dot, kind))
		return false;
	snprintf(out->file, sizeof out->file, "%.63s", name);
	return !read_checksum(dir, out) && !strcmp(out->sum, sum);
}

/* Finds a snapshot with this checksum and kind; -1 if there is none, and `out` is unchanged. */
static int find(const char *dir, const char *sum, const char *kind, struct snapshot *out)
{
	DIR *d = directory_open(dir);
	struct dirent *x;
	int rc = -1;

	if (!d)
		return -1;
	while (rc && (x = readdir(d))) {
		struct snapshot s;
		if (!matches(dir, x->d_name, sum, kind, &s))
			continue;
		*out = s;
		rc = 0;
	}
	closedir(d);
	return rc;
}

static int make(const char *dir, int (*write)(void *, const char *, struct err *), void *ctx,
    struct snapshot *out, struct err *e)
{
	char tmp[PATH], path[PATH], sum[PATH];

	snprintf(path, sizeof path, "%s/%s", dir, out->file);
	snprintf(tmp, sizeof tmp, "%s/%s.tmp", dir, out->file);
	snprintf(sum, sizeof sum, "%s/%s.sum", dir, out->file);
	unlink(tmp);
	if (write(ctx, tmp, e) || snapshot_checksum_file(tmp, out->sum, &out->size, e)) {
		unlink(tmp);
		return -1;
	}
	FILE *f = fopen(sum, "we");
	bool wrote = false;
	if (f) {
		wrote = fprintf(f, "%s %llu\n", out->sum, (unsigned long long)out->size) > 0;
		if (fclose(f))
			wrote = false;
	}
	if (!wrote || rename(tmp, path)) {
		unlink(tmp);
		return err_set(e, ERR_DB_ERROR, "%s: %s", sum, strerror(errno));
	}
	log_info("snapshot.created", "file=%s bytes=%llu", out->file, (unsigned long long)out->size);
	return 0;
}

int snapshot_ensure(const char *dir, const char *sum,
    int (*write)(void *, const char *, struct err *), void *ctx, struct snapshot *out,
    struct err *e)
{
	int rc = 0;

	pthread_mutex_lock(&making);
	bool found = false;
	if (sum)
		found = !find(dir, sum, strrchr(out->file, '.'), out);
	if (!found && read_checksum(dir, out))
		rc = make(dir, write, ctx, out, e);
	if (!rc)
		touch(dir, out->file);
	pthread_mutex_unlock(&making);
	return rc;
}

static void sweep(DIR *d, time_t before)
{
	struct dirent *x;
	struct stat st;

	while ((x = readdir(d))) {
		if (strncmp(x->d_name, prefix, strlen(prefix)) || fstatat(dirfd(d), x->d_name, &st, 0))
			continue;
		if (st.st_mtim.tv_sec <= before)
			unlinkat(dirfd(d), x->d_name, 0);
	}
}

void snapshot_sweep(const char *dir, int64_t idle_ms)
{
	DIR *d = directory_open(dir);

	if (!d)
		return;
	pthread_mutex_lock(&making);
	sweep(d, clock_real_ms() / 1000 - idle_ms / 1000);
	pthread_mutex_unlock(&making);
	closedir(d);
}
