#ifndef SHARD_MANIFESTS_MANIFESTS_H
#define SHARD_MANIFESTS_MANIFESTS_H
/*
 * What a manifest alone says of packages: package.json, pom.xml, go.mod and their like.
 * lang/manifests.tab says which files these are, how they are written and what their keys mean;
 * packages.h joins what several files say together.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct manifests;
struct package;

/* Reads lang/manifests.tab; NULL with INTERNAL naming the line.  Any thread may use it. */
struct manifests *manifests_new(struct err *);
void manifests_free(struct manifests *);	/* NULL is fine */

/* Whether a file of that path is a manifest. */
bool manifests_match_path(const struct manifests *, const char *path);

/*
 * The rows of a file, in `a`, in order of line, without `file`; how many.  Beside `publishes` and
 * `depends` there are sides that only packages.h understands:
 *   inherits   a parent (name, range, path)		sets      a property (key, range)
 *   manages    what others take over: name, range, source, path; by `key`, or by the name when there is none
 *   takes      a dependency on what is managed by `key`	bundles   `key` is a part of the bundle `name`
 *   replaces   `name` is taken from `key`, `range`, or `path`; or from `source`
 */
size_t manifests_read(const struct manifests *, const char *path, const char *text, size_t n,
    struct arena *a, struct package **out);

/*
 * The repo_uri in what a manifest says of where a package is taken from: git URLs, `github:o/r`,
 * `o/r`; NULL: there is none.
 */
const char *manifests_repo_uri(const char *text, struct arena *);
#endif
