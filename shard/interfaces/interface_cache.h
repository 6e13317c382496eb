#ifndef SHARD_INTERFACES_INTERFACE_CACHE_H
#define SHARD_INTERFACES_INTERFACE_CACHE_H
/*
 * What each file of the index shows to other repositories, in DATA/interfaces.db, so that a new
 * generation costs what has changed.  Derived data: it may be deleted at any time.
 */

#include "proto/net/crypto.h"

struct db;
struct err;

/*
 * Opens the cache and brings it up to date with an index, whose content `graph_hash` identifies.
 * Table `shown` then has a row for each file with code that is no test, and each manifest: path,
 * language, package, facts (facts_codec.h), their SHA-256 before they were deflated, a hash of
 * signatures, and what list_includes, list_imports and list_modules list (imported_modules.h).
 * Close it
 * with db_close.  NULL with `e`.
 */
struct db *interface_cache_open(
    const char *data, struct db *index, const char *graph_hash, struct err *e);
#endif
