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
	size_t n = 0;

	*size = 0;
	while (f && (n = fread(bytes, 1, piece, f)) > 0) {
		crypto_hash_put(h, bytes, n);
		*size += n;
	}
	int rc = 0;
	if (!f || ferror(f))
		rc = err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	crypto_hash_end(h, out);
	if (f)
		fclose(f);
	return rc;
}

/* The file's sum stands beside it, and was written when it was whole. */
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

/* Note that it is read. */
static void touch(const char *dir, const char *file)
{
	char path[PATH];

	snprintf(path, sizeof path, "%s/%s", dir, file);
	utimensat(AT_FDCWD, path, NULL, 0);
}

/* One of this sum and kind, into `out`; -1: there is none, and it is as before. */
static int find(const char *dir, const char *sum, const char *kind, struct snapshot *out)
{
	DIR *d = directory_open(dir);
	int rc = -1;

	for (struct dirent *x; d && rc && (x = readdir(d));) {
		struct snapshot s;
		const char *dot = strrchr(x->d_name, '.');
		if (strncmp(x->d_name, prefix, strlen(prefix)) || !dot || strcmp(dot, kind) ||
		    strlen(x->d_name) >= sizeof s.file)
			continue;
		snprintf(s.file, sizeof s.file, "%.63s", x->d_name);
		if (read_checksum(dir, &s) || strcmp(s.sum, sum))
			continue;
		*out = s;
		rc = 0;
	}
	if (d)
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
	bool wrote = f && fprintf(f, "%s %llu\n", out->sum, (unsigned long long)out->size) > 0;
	if ((f && fclose(f)) || !wrote || rename(tmp, path)) {
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
	if (!sum || find(dir, sum, strrchr(out->file, '.'), out)) {
		if (read_checksum(dir, out))
			rc = make(dir, write, ctx, out, e);
		else
			rc = 0;
	}
	if (!rc)
		touch(dir, out->file);
	pthread_mutex_unlock(&making);
	return rc;
}

void snapshot_sweep(const char *dir, int64_t idle_ms)
{
	DIR *d = directory_open(dir);
	struct stat st;
	int64_t now = clock_real_ms() / 1000;

	pthread_mutex_lock(&making);
	for (struct dirent *x; d && (x = readdir(d));)
		if (!strncmp(x->d_name, prefix, strlen(prefix)) && !fstatat(dirfd(d), x->d_name, &st, 0) &&
		    now - st.st_mtim.tv_sec >= idle_ms / 1000)
			unlinkat(dirfd(d), x->d_name, 0);
	pthread_mutex_unlock(&making);
	if (d)
		closedir(d);
}
