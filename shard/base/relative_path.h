#ifndef SHARD_BASE_RELATIVE_PATH_H
#define SHARD_BASE_RELATIVE_PATH_H
/* Paths of a repository that are written as seen from one of its folders. */

struct arena;

/*
 * `dir` and the parts of `path`, "." and ".." taken away, in the arena; NULL when it leaves the
 * repository.
 */
const char *relative_path(struct arena *, const char *dir, const char *path);
#endif
