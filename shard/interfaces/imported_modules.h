#ifndef SHARD_INTERFACES_IMPORTED_MODULES_H
#define SHARD_INTERFACES_IMPORTED_MODULES_H
/*
 * What files of other repositories are called in code, where that does not depend on a manifest:
 * headers, and the packages and namespaces of Java, Kotlin, Scala, C#, PHP and their like.
 */

#include "proto/record/record.h"

struct arena;
struct buf;
struct db;
struct dialect;
struct err;
struct facts;
struct map;

/* The keys of a map in order, in `a`. */
struct strs sorted_keys(const struct map *, struct arena *a);

/* The headers that a file includes, one a line. */
void list_includes(const struct dialect *, const struct facts *, struct buf *out);

/* The packages and namespaces that it imports from, one a line: ecosystem, blank, name. */
void list_imports(const struct dialect *, const struct facts *, struct buf *out);

/* Those that it defines something in, in the same form; `package` may be NULL. */
void list_modules(
    const struct dialect *, const struct facts *, const char *package, struct buf *out);

/* The headers that the code includes and the repository does not have, in `a`, at most 2,000. */
int missing_includes(struct db *cache, struct arena *a, struct strs *out, struct err *);

/* The packages and namespaces that it imports and does not define, in `a`, at most 2,000. */
int missing_imports(struct db *cache, struct arena *a, struct strs *out, struct err *);
#endif
