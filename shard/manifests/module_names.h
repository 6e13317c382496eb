#ifndef SHARD_MANIFESTS_MODULE_NAMES_H
#define SHARD_MANIFESTS_MODULE_NAMES_H
/*
 * The names that manifests give to the modules of a repository: go.mod's module, package.json's
 * name, tsconfig.json's paths.
 */

#include <stddef.h>

struct arena;
struct facts;

/* The name, in the arena; NULL if the language has no manifests, or this one has no name. */
const char *module_name_read(const char *language, const char *text, size_t n, struct arena *);

/*
 * The paths of a TypeScript configuration (JSON with comments) as imports in `out`, in the arena:
 * `module` is a path relative to its folder, `alias` the name in code.  A `*` in one stands for the
 * same text as the `*` in the other.
 */
void module_aliases_read(const char *text, size_t n, struct arena *, struct facts *out);

/*
 * The files that a package.json names for imports of its package, in the same form: `alias` is
 * what follows the package's name in code, `.` or `./path`.  `out->package` is its name.
 */
void module_entries_read(const char *text, size_t n, struct arena *, struct facts *out);
#endif
