#ifndef SHARD_INDEX_INDEX_SNAPSHOT_H
#define SHARD_INDEX_INDEX_SNAPSHOT_H
/*
 * Copies of the published index and of its vectors for other shards of the repository
 * (snapshot_fetch.h): files `snapshot-<generation>.db` beside it, page for page what one
 * generation is, and `snapshot-<checksum>.vectors`, each with its SHA-256.  They stay while
 * somebody reads them, whatever becomes of the index.
 */

#include <stdint.h>

#include "proto/net/crypto.h"

struct err;

/* What names of their files begin with. */
#define SNAPSHOT_PREFIX "snapshot-"

struct snapshot {
	char file[64];			/* in the data directory: of what is there now */
	char sum[SHA256_HEX];
	uint64_t size;
};

/*
 * The snapshot whose SHA-256 is `sum` (NULL: any) and whose name ends as `out->file` does, if it
 * is still there; else that of what is there now, which `write` puts into the file at `path` when
 * it was not made before.  One thread makes one at a time.
 */
int snapshot_ensure(const char *dir, const char *sum,
    int (*write)(void *ctx, const char *path, struct err *), void *ctx, struct snapshot *out,
    struct err *e);

/* SHA-256 and length of a file. */
int snapshot_checksum_file(const char *path, char out[SHA256_HEX], uint64_t *size, struct err *e);

/* Remove those that nobody has read for `idle_ms`. */
void snapshot_sweep(const char *dir, int64_t idle_ms);
#endif
