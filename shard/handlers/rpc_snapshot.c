/*
 * The requests for copies of the index and of its vectors, one piece at a time: index_snapshot.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "shard/daemon/shard.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/index/index_snapshot.h"

enum { CHUNK = 256 << 10 };

static int read_chunk(
    const char *path, uint64_t offset, struct snapshot_res *out, struct arena *a, struct err *e)
{
	char *bytes = arena_get(a, CHUNK, 1), *sum = arena_get(a, SHA256_HEX, 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;

	if (fd >= 0)
		n = pread(fd, bytes, CHUNK, (off_t)offset);
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

/* Returns the requested piece of the snapshot with that checksum, or else of `have`. */
static int answer(const char *dir, const struct snapshot_req *q,
    int (*write)(void *, const char *, struct err *), void *ctx, struct snapshot *have,
    struct snapshot_res *out, struct arena *a, struct err *e)
{
	const char *sum = NULL;

	if (q->sum && *q->sum)
		sum = q->sum;
	if (snapshot_ensure(dir, sum, write, ctx, have, e))
		return -1;
	out->sum = have->sum;
	out->size = have->size;
	out->offset = 0;
	if (sum && !strcmp(sum, have->sum))
		out->offset = q->offset;
	if (out->offset > out->size)
		return err_set(e, ERR_INVALID_INPUT,
		    "offset: %llu is beyond the %llu bytes of the snapshot",
		    (unsigned long long)out->offset, (unsigned long long)out->size);
	return read_chunk(arena_printf(a, "%s/%s", dir, have->file), out->offset, out, a, e);
}

static int write_index(void *ctx, const char *path, struct err *e)
{
	return db_copy(ctx, path, e);
}

int rpc_snapshot(struct shard *s, struct index_reader *r, const struct snapshot_req *q,
    struct snapshot_res *out, struct arena *a, struct err *e)
{
	struct snapshot *have = arena_one(a, struct snapshot);

	snprintf(
	    have->file, sizeof have->file, SNAPSHOT_PREFIX "%lld.db", (long long)r->info.generation);
	out->schema = (uint64_t)r->info.schema;
	out->extractor = (uint64_t)r->info.extractor;
	/* copied, as another request may use the reader before this is sent */
	out->settings = arena_str(a, r->info.settings);
	return answer(shard_source(s)->data, q, write_index, r->db, have, out, a, e);
}

/* Writes the valid part: what is appended meanwhile does not belong to it. */
static int write_vectors(void *ctx, const char *path, struct err *e)
{
	const struct vectors *v = ctx;
	FILE *f = fopen(path, "we");

	if (!f)
		return err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	bool wrote = fwrite(v->map, 1, v->bytes, f) == v->bytes;
	if (fclose(f) || !wrote)
		return err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	return 0;
}

int rpc_vectors(struct shard *s, struct index_reader *r, const struct snapshot_req *q,
    struct snapshot_res *out, struct arena *a, struct err *e)
{
	struct snapshot *have = arena_one(a, struct snapshot);
	struct vectors *v = index_reader_vectors(r, e);

	if (!v) {
		if (e->code)
			return -1;
		return err_set(e, ERR_NO_INDEX, "this shard has no vectors");
	}
	snprintf(have->file, sizeof have->file, SNAPSHOT_PREFIX "%016llx.vectors",
	    (unsigned long long)v->last);
	out->schema = (uint64_t)r->info.schema;
	out->extractor = (uint64_t)r->info.extractor;
	out->settings = arena_str(a, v->head.settings);
	out->fingerprint = arena_str(a, v->head.fingerprint);
	return answer(shard_source(s)->data, q, write_vectors, v, have, out, a, e);
}
