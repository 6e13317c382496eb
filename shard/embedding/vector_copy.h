#ifndef SHARD_EMBEDDING_VECTOR_COPY_H
#define SHARD_EMBEDDING_VECTOR_COPY_H
/*
 * First vectors from another shard of the repository (--copy-index, snapshot_fetch.h), in the
 * child that would make them.  Texts are known by their hashes, so it does not matter which index
 * theirs are of.
 */

struct arena;
struct err;
struct options;
struct repo_source;
struct vectors;

/*
 * `use` gets a file of these settings and of this embedder ("": not known before it has answered),
 * all of which was checked; it says whether it has taken it.  1 when it has; 0: there is none to
 * be had, and the log says why.
 */
int vector_copy_fetch(const struct options *, const struct repo_source *, const char *settings,
    const char *fingerprint, int (*use)(void *ctx, const struct vectors *, struct err *), void *ctx,
    struct arena *);
#endif
