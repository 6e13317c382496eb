#ifndef SHARD_MANIFEST_H
#define SHARD_MANIFEST_H
/* The name that a manifest gives to what is in its folder: go.mod's module, package.json's name. */

#include <stddef.h>

struct arena;

/* NULL: the language has no manifests, or this one gives no name. */
const char *manifest_name(const char *language, const char *text, size_t n, struct arena *);
#endif
