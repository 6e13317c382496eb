#ifndef SHARD_INGEST_INDEX_COPY_H
#define SHARD_INGEST_INDEX_COPY_H
/*
 * A first index from another shard of the repository instead of an index of one's own making
 * (--copy-index), in the child that fetches.  The coordinators say which shards there are (RPC
 * `peers` of announcements.c); one whose index this program would have made just so sends a
 * snapshot (snapshot_fetch.h).  When it is whole, its SHA-256 and its graph_hash decide whether it
 * is published.
 */

struct arena;
struct ingest;
struct repo;

/*
 * 1: an index of some commit of this repository is published; 0: there is none to be had, and the
 * log says why.  `settings`: of the index that would be made here.
 */
int copy_index(const struct ingest *, struct repo *, const char *settings, struct arena *);
#endif
