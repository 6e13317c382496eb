#ifndef SHARD_BASE_RELATIVE_PATH_H
#define SHARD_BASE_RELATIVE_PATH_H
/* Resolves paths that are relative to a folder of a repository. */

struct arena;

/*
 * `path` as seen from `dir`, without "." and "..", in the arena; NULL if it leads out of the
 * repository.
 */
const char *relative_path(struct arena *, const char *dir, const char *path);
#endif
