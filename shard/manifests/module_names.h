#ifndef SHARD_MANIFESTS_MODULE_NAMES_H
#define SHARD_MANIFESTS_MODULE_NAMES_H
/*
 * What manifests call the modules of a repository: go.mod's module, package.json's name,
 * tsconfig.json's paths.
 */

#include <stddef.h>

struct arena;
struct facts;

/* NULL: the language has no manifests, or this one gives no name. */
const char *module_name_read(const char *language, const char *text, size_t n, struct arena *);

/*
 * The paths of a TypeScript configuration (JSON with comments) as imports of it, in the arena:
 * `module` is a path as seen from its folder, `alias` how code calls it; a `*` of one is that of
 * the other.
 */
void module_aliases_read(const char *text, size_t n, struct arena *, struct facts *out);
#endif
