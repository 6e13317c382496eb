#ifndef SHARD_INDEX_SNAPSHOT_FETCH_H
#define SHARD_INDEX_SNAPSHOT_FETCH_H
/*
 * Fetches a file from another shard of the repository, in pieces that each have a checksum
 * (index_snapshot.h is the other end). What was received is kept in `NAME.part`, and `NAME.from`
 * records which file it belongs to, so that a fetch resumes after the process was killed. The
 * coordinators tell which shards exist (RPC `peers`, announcements.c).
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
	 * Whether the file that a piece belongs to can be used: 0, or -1 with the reason.  The stamp
	 * names its repository and commit.
	 */
	int (*fits)(void *ctx, const struct snapshot_res *, const struct freshness *, struct err *);
	/* Called with the complete file once its SHA-256 was verified; -1 with `e`. */
	int (*use)(void *ctx, const char *path, struct err *);
	/* Called after each piece; may be NULL. */
	void (*on_progress)(uint64_t have, uint64_t size);
	void *ctx;

	char sum[SHA256_HEX];		/* of the file that NAME.part begins; "" if there is no part */
	uint64_t have, size;		/* bytes of the part, of the complete file (0 = unknown) */
	struct wire_peer *peer;
};

/*
 * Fetches from the first of the repository's other shards whose file fits and can be used. Returns
 * 1, or 0 if there is none; the log contains the reason.
 */
int snapshot_fetch_from_peers(
    struct snapshot_fetch *, const struct options *, const char *repo_uri, struct arena *);
#endif
