#ifndef SHARD_EMBEDDING_VECTOR_COPY_H
#define SHARD_EMBEDDING_VECTOR_COPY_H
/*
 * Copies first vectors from another shard of the repository (--copy-index, snapshot_fetch.h), in
 * the child that would make them. Texts are identified by their hashes, so it does not matter which
 * index the vectors belong to.
 */

struct arena;
struct err;
struct options;
struct repo_source;
struct vectors;

/*
 * `use` gets a verified file with these settings and this embedder ("" if it is not known before it
 * has answered); it returns 0 if it has used it. Returns 1 if it did; 0 if no file is available,
 * and the log contains the reason.
 */
int vector_copy_fetch(const struct options *, const struct repo_source *, const char *settings,
    const char *fingerprint, int (*use)(void *ctx, const struct vectors *, struct err *), void *ctx,
    struct arena *);
#endif
