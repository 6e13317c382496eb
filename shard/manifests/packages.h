#ifndef SHARD_MANIFESTS_PACKAGES_H
#define SHARD_MANIFESTS_PACKAGES_H
/*
 * What the manifests of a repository say together: parents and properties of Maven, catalogs of
 * Gradle, workspaces of Cargo, central versions of NuGet, replacements of Go.  Pure: the same rows
 * give the same packages, whatever their order.
 */

#include <stddef.h>

struct arena;
struct package;

/*
 * From the rows of all manifests (manifests.h, each with its `file`): what is published, depended
 * on and mentioned, in `out`, ordered by file and line; how many.  Dependencies on folders of the
 * repository are left out.
 */
size_t packages_resolve(const struct package *rows, size_t n, struct arena *, struct package **out);
#endif
