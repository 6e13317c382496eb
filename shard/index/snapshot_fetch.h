#ifndef SHARD_INDEX_SNAPSHOT_FETCH_H
#define SHARD_INDEX_SNAPSHOT_FETCH_H
/*
 * A file that another shard of the repository has, fetched in pieces, each with its checksum
 * (index_snapshot.h is the other end).  What has come stays in `NAME.part`, and in `NAME.from`
 * which file that is, so whoever is killed goes on where it ends.  The coordinators say which
 * shards there are (RPC `peers` of announcements.c).
 */

#include <stdbool.h>
#include <stdint.h>

#include "proto/net/crypto.h"
#include "proto/wire/wire.h"

struct arena;
struct err;
struct freshness;
struct options;
struct snapshot_res;

struct snapshot_fetch {
	const char *name, *rpc, *dir;
	/*
	 * Whether what a piece is of can be used: 0, or -1 with why not.  Its stamp names repository
	 * and commit.
	 */
	int (*fits)(void *ctx, const struct snapshot_res *, const struct freshness *, struct err *);
	/* What becomes of the whole file, which was compared with its SHA-256; -1 with `e`. */
	int (*use)(void *ctx, const char *path, struct err *);
	/* How much has come; or NULL. */
	void (*on_progress)(uint64_t have, uint64_t size);
	void *ctx;

	char sum[SHA256_HEX];		/* of the file that NAME.part is the beginning of; "": of none */
	uint64_t have, size;		/* bytes of that; of the whole, 0: not heard yet */
	struct wire_peer *peer;
};

/*
 * From the first of the repository's other shards that has what fits and can be used: 1; 0: there
 * is none, and the log says why.
 */
int snapshot_fetch_from_peers(
    struct snapshot_fetch *, const struct options *, const char *repo_uri, struct arena *);
#endif
