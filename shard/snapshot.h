#ifndef SHARD_SNAPSHOT_H
#define SHARD_SNAPSHOT_H
/*
 * Copies of the published index for other shards of the repository (copy.h): a file `snapshot-<generation>.db` beside it, page
 * for page what one generation is, with its SHA-256.  It stays while somebody reads it, whatever becomes of the index.
 */

#include <stdint.h>

#include "proto/base/crypto.h"

struct db;
struct err;

struct snapshot {
	char file[64];			/* in the data directory */
	char sum[SHA256_HEX];
	uint64_t size;
};

/*
 * The snapshot whose SHA-256 is `sum` (NULL: any), if it is still there, else one of the index that `db` reads, which takes as long as
 * reading and writing it does.  One thread makes one at a time.
 */
int snapshot_have(const char *dir, struct db *db, int64_t generation, const char *sum, struct snapshot *out, struct err *e);

/* SHA-256 and length of a file. */
int snapshot_sum(const char *path, char out[SHA256_HEX], uint64_t *size, struct err *e);

/* Remove those that nobody has read for `idle_ms`. */
void snapshot_sweep(const char *dir, int64_t idle_ms);
#endif
