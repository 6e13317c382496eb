#ifndef SHARD_INDEX_INDEX_SNAPSHOT_H
#define SHARD_INDEX_INDEX_SNAPSHOT_H
/*
 * Copies of the published index and of its vectors for other shards of the repository
 * (snapshot_fetch.h): files `snapshot-<generation>.db` in the data directory, page for page one
 * generation, and `snapshot-<checksum>.vectors`, each with its SHA-256. They are kept while
 * somebody reads them, whatever happens to the index.
 */

#include <stdint.h>

#include "proto/net/crypto.h"

struct err;

/* The prefix of their file names. */
#define SNAPSHOT_PREFIX "snapshot-"

struct snapshot {
	char file[64];			/* the name in the data directory for the present state */
	char sum[SHA256_HEX];
	uint64_t size;
};

/*
 * Returns in `out` the snapshot whose SHA-256 is `sum` (NULL: any) and whose name has the same
 * extension as `out->file`, if it still exists; otherwise the snapshot of the present state, which
 * `write` writes to the file at `path` unless it exists. Only one thread at a time makes a
 * snapshot.
 */
int snapshot_ensure(const char *dir, const char *sum,
    int (*write)(void *ctx, const char *path, struct err *), void *ctx, struct snapshot *out,
    struct err *e);

/* SHA-256 and length of a file. */
int snapshot_checksum_file(const char *path, char out[SHA256_HEX], uint64_t *size, struct err *e);

/* Deletes the snapshots that nobody has read for `idle_ms`. */
void snapshot_sweep(const char *dir, int64_t idle_ms);
#endif
