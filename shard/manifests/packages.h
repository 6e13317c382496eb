#ifndef SHARD_MANIFESTS_PACKAGES_H
#define SHARD_MANIFESTS_PACKAGES_H
/*
 * Combines the manifests of a repository: parents and properties of Maven, catalogs of Gradle,
 * workspaces of Cargo, central versions of NuGet, replacements of Go.  Pure: the same rows yield
 * the same packages, whatever their order.
 */

#include <stddef.h>

struct arena;
struct package;

/*
 * Resolves the rows of all manifests (manifests.h, each with its `file`) to the packages that are
 * published, depended on and mentioned.  Stores them in *out, in the arena, sorted by file and
 * line, and returns their number.  Dependencies on folders of the repository are left out.
 */
size_t packages_resolve(const struct package *rows, size_t n, struct arena *, struct package **out);
#endif
