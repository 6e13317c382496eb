#ifndef SHARD_USES_USE_STORE_H
#define SHARD_USES_USE_STORE_H
/*
 * DATA/uses.db: the interfaces of other repositories that the code may use, and its uses of their
 * definitions.  Derived data: it may be deleted at any time, and the next group_sync makes it
 * again.
 */

#include <stdbool.h>
#include <stdint.h>

#include "proto/record/record.h"
#include "proto/net/crypto.h"

struct arena;
struct db;
struct err;
struct external_repository;
struct found_uses;

/* Open it for one thread; close it with db_close.  Reading: NULL without an error if there is none. */
struct db *use_store_open(const char *data, struct err *);
struct db *use_store_read(const char *data, struct err *);

/*
 * Replace the interfaces that a group wants by these, and forget those that no group wants any
 * more.  Stores in `missing`, in `a`, the hashes of wanted interfaces that the store lacks.
 */
int use_store_want(struct db *, const struct use_interfaces_req *, struct strs *missing,
    struct arena *a, struct err *);

/*
 * Add a chunk of an interface; `*have` is how many bytes of it there are afterwards.  The last one
 * checks it: INVALID_INPUT if it is not what its hash says, or larger than INTERFACE_MAX_BYTES.
 */
int use_store_put(struct db *, const struct put_interface_req *, uint64_t *have, struct err *);

/* All wanted interfaces that the store has, by repository, in `a`. */
int use_store_interfaces(
    struct db *, struct arena *a, struct external_repository **out, size_t *n, struct err *);

/* What the uses in the store were found with: an index, and the wanted interfaces. */
int use_store_key(
    struct db *, int64_t extractor, const char *graph_hash, char key[SHA256_HEX], struct err *);
bool use_store_is_current(struct db *, const char *key, struct err *);

/* Replace all uses.  `v` are the repositories that their `repository` is an index of. */
int use_store_replace(struct db *, const struct external_repository *v, const struct found_uses *,
    const char *key, const char *graph_hash, struct err *);

/* The number of uses of each repository, in `a`. */
int use_store_totals(struct db *, struct arena *a, struct use_interfaces_res *, struct err *);

/* A page of uses; `known` too, if the uses are those of this graph. */
int use_store_query(struct db *, const struct uses_req *, const char *graph_hash, struct arena *,
    struct uses_res *, struct err *);
#endif
