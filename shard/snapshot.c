#include "shard/snapshot.h"

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
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/base/folder.h"
#include "proto/base/log.h"
#include "shard/rpc_handlers.h"
#include "shard/shard.h"
#include "shard/store.h"
#include "shard/vectors.h"

enum { PATH = 4096, CHUNK = 256 << 10 };

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static const char prefix[] = "snapshot-";

int snapshot_sum(const char *path, char out[SHA256_HEX], uint64_t *size, struct err *e)
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
	int rc = !f || ferror(f) ? err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno)) : 0;
	crypto_hash_end(h, out);
	if (f)
		fclose(f);
	return rc;
}

/* The file's sum stands beside it, and was written when it was whole. */
static int read_sum(const char *dir, struct snapshot *s)
{
	char path[PATH];
	unsigned long long size = 0;
	struct stat st;

	snprintf(path, sizeof path, "%s/%s.sum", dir, s->file);
	FILE *f = fopen(path, "re");
	int n = f ? fscanf(f, "%64s %llu", s->sum, &size) : 0;
	if (f)
		fclose(f);
	s->size = size;
	snprintf(path, sizeof path, "%s/%s", dir, s->file);
	return n == 2 && !stat(path, &st) && (uint64_t)st.st_size == s->size ? 0 : -1;
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
	DIR *d = folder_open(dir);
	int rc = -1;

	for (struct dirent *x; d && rc && (x = readdir(d));) {
		struct snapshot s;
		const char *dot = strrchr(x->d_name, '.');
		if (strncmp(x->d_name, prefix, strlen(prefix)) || !dot || strcmp(dot, kind) || strlen(x->d_name) >= sizeof s.file)
			continue;
		snprintf(s.file, sizeof s.file, "%.63s", x->d_name);
		if (read_sum(dir, &s) || strcmp(s.sum, sum))
			continue;
		*out = s;
		rc = 0;
	}
	if (d)
		closedir(d);
	return rc;
}

static int make(const char *dir, int (*write)(void *, const char *, struct err *), void *ctx, struct snapshot *out, struct err *e)
{
	char tmp[PATH], path[PATH], sum[PATH];

	snprintf(path, sizeof path, "%s/%s", dir, out->file);
	snprintf(tmp, sizeof tmp, "%s/%s.tmp", dir, out->file);
	snprintf(sum, sizeof sum, "%s/%s.sum", dir, out->file);
	unlink(tmp);
	if (write(ctx, tmp, e) || snapshot_sum(tmp, out->sum, &out->size, e)) {
		unlink(tmp);
		return -1;
	}
	FILE *f = fopen(sum, "we");
	bool wrote = f && fprintf(f, "%s %llu\n", out->sum, (unsigned long long)out->size) > 0;
	if ((f && fclose(f)) || !wrote || rename(tmp, path)) {
		unlink(tmp);
		return err_set(e, ERR_DB_ERROR, "%s: %s", sum, strerror(errno));
	}
	log_info("snapshot.made", "file=%s bytes=%llu", out->file, (unsigned long long)out->size);
	return 0;
}

int snapshot_have(const char *dir, const char *sum, int (*write)(void *, const char *, struct err *), void *ctx, struct snapshot *out,
    struct err *e)
{
	int rc = 0;

	pthread_mutex_lock(&making);
	if (!sum || find(dir, sum, strrchr(out->file, '.'), out))
		rc = read_sum(dir, out) ? make(dir, write, ctx, out, e) : 0;
	if (!rc)
		touch(dir, out->file);
	pthread_mutex_unlock(&making);
	return rc;
}

void snapshot_sweep(const char *dir, int64_t idle_ms)
{
	DIR *d = folder_open(dir);
	struct stat st;
	int64_t now = clock_real_ms() / 1000;

	pthread_mutex_lock(&making);
	for (struct dirent *x; d && (x = readdir(d));)
		if (!strncmp(x->d_name, prefix, strlen(prefix)) && !fstatat(dirfd(d), x->d_name, &st, 0) && now - st.st_mtim.tv_sec >= idle_ms / 1000)
			unlinkat(dirfd(d), x->d_name, 0);
	pthread_mutex_unlock(&making);
	if (d)
		closedir(d);
}

/* ---- the requests ---- */

static int read_chunk(const char *path, uint64_t offset, struct snapshot_res *out, struct arena *a, struct err *e)
{
	char *bytes = arena_get(a, CHUNK, 1), *sum = arena_get(a, SHA256_HEX, 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, bytes, CHUNK, (off_t)offset);

	if (n < 0)
		err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (n < 0)
		return -1;
	crypto_sha256(bytes, (size_t)n, sum);
	out->chunk = (struct bytes){ bytes, (size_t)n };
	out->chunk_sum = sum;
	return 0;
}

/* The piece that was asked for, of the snapshot of that sum or of `have`. */
static int answer(const char *dir, const struct snapshot_req *q, int (*write)(void *, const char *, struct err *), void *ctx,
    struct snapshot *have, struct snapshot_res *out, struct arena *a, struct err *e)
{
	if (snapshot_have(dir, q->sum && *q->sum ? q->sum : NULL, write, ctx, have, e))
		return -1;
	out->sum = have->sum;
	out->size = have->size;
	out->offset = q->sum && !strcmp(q->sum, have->sum) ? q->offset : 0;
	if (out->offset > out->size)
		return err_set(e, ERR_INVALID_INPUT, "offset: %llu is beyond the %llu bytes of the snapshot", (unsigned long long)out->offset,
		    (unsigned long long)out->size);
	return read_chunk(arena_printf(a, "%s/%s", dir, have->file), out->offset, out, a, e);
}

static int write_index(void *ctx, const char *path, struct err *e)
{
	return db_copy(ctx, path, e);
}

int rpc_snapshot(struct shard *s, struct reader *r, const struct snapshot_req *q, struct snapshot_res *out, struct arena *a, struct err *e)
{
	struct snapshot *have = arena_one(a, struct snapshot);

	snprintf(have->file, sizeof have->file, "%s%lld.db", prefix, (long long)r->info.generation);
	out->schema = (uint64_t)r->info.schema;
	out->extractor = (uint64_t)r->info.extractor;
	out->settings = arena_str(a, r->info.settings);	/* the reader is another request's before this is sent */
	return answer(shard_source(s)->data, q, write_index, r->db, have, out, a, e);
}

/* As far as it counts: what is appended meanwhile is not of it. */
static int write_vectors(void *ctx, const char *path, struct err *e)
{
	const struct vectors *v = ctx;
	FILE *f = fopen(path, "we");
	bool wrote = f && fwrite(v->map, 1, v->bytes, f) == v->bytes;

	return (f && fclose(f)) || !wrote ? err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno)) : 0;
}

int rpc_vectors(struct shard *s, struct reader *r, const struct snapshot_req *q, struct snapshot_res *out, struct arena *a, struct err *e)
{
	struct snapshot *have = arena_one(a, struct snapshot);
	struct vectors *v = reader_vectors(r, e);

	if (!v)
		return e->code ? -1 : err_set(e, ERR_NO_INDEX, "it has no vectors");
	snprintf(have->file, sizeof have->file, "%s%016llx.vectors", prefix, (unsigned long long)v->last);
	out->schema = (uint64_t)r->info.schema;
	out->extractor = (uint64_t)r->info.extractor;
	out->settings = arena_str(a, v->head.settings);
	out->fingerprint = arena_str(a, v->head.fingerprint);
	return answer(shard_source(s)->data, q, write_vectors, v, have, out, a, e);
}
