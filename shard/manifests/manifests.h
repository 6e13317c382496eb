#ifndef SHARD_MANIFESTS_MANIFESTS_H
#define SHARD_MANIFESTS_MANIFESTS_H
/*
 * Reads the packages in a single manifest: package.json, pom.xml, go.mod and others.
 * lang/manifests.tab lists these files, their notations and the meaning of their keys; packages.h
 * combines the rows of several files.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct manifests;
struct package;

/*
 * Read lang/manifests.tab.  NULL with INTERNAL, which names the line.  Any thread may use the
 * result.
 */
struct manifests *manifests_new(struct err *);
void manifests_free(struct manifests *);	/* NULL is fine */

/* Whether a file with that path is a manifest. */
bool manifests_match_path(const struct manifests *, const char *path);

/*
 * Stores the rows of a file, sorted by line and without `file`, in *out, in `a`; returns their
 * number.  Besides `publishes` and `depends` there are sides that only packages.h understands:
 *   inherits   a parent (name, range, path)
 *   sets       a property (key, range)
 *   manages    values for other manifests (name, range, source, path), found by `key`, else by name
 *   takes      a dependency on the managed entry `key`
 *   bundles    `key` is a part of the bundle `name`
 *   replaces   `name` is replaced by `key` with `range`, by `path`, or by `source`
 *   governs    the file is a lock file, and pins packages of manifests whose file names match one
 *              of the patterns `key`: those in its folder (scope `beside`) or also those in folders
 *              below it (`below`)
 *   locks      `name` has the version `range`: for those who require it as `key`, in the folder
 *              `path`, or by the package `scope`; NULL: for all.  Without a name: the folder
 *              `path` is one that the file pins packages of; if it names none, all are.
 */
size_t manifests_read(const struct manifests *, const char *path, const char *text, size_t n,
    struct arena *a, struct package **out);

/*
 * The repo_uri in a manifest's source of a package: git URLs, `github:o/r`, `o/r`.  NULL if there
 * is none.
 */
const char *manifests_repo_uri(const char *text, struct arena *);
#endif
