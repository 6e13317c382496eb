#ifndef SHARD_INGEST_INDEX_COPY_H
#define SHARD_INGEST_INDEX_COPY_H
/*
 * Copies a first index from another shard of the repository instead of building one (--copy-index),
 * in the fetching child. The coordinators tell which shards exist (RPC `peers`, announcements.c);
 * one whose index is exactly what this program would build sends a snapshot (snapshot_fetch.h). The
 * copy is published if its SHA-256 and its graph_hash are right.
 */

struct arena;
struct ingest;
struct repo;

/*
 * Returns 1 if an index of some commit of this repository was published; 0 if none is available,
 * and the log contains the reason. `settings` are those of the index that would be built here.
 */
int copy_index(const struct ingest *, struct repo *, const char *settings, struct arena *);
#endif
