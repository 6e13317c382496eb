#ifndef SHARD_STORAGE_FILE_DEPENDENCIES_H
#define SHARD_STORAGE_FILE_DEPENDENCIES_H
/*
 * Which keys (dependency_key) each file looked up, so that a change of what they stand for finds
 * it: table `uses`, a row for each file, its keys in order as varints of the differences.  All
 * rows are read to find the users of some keys: they are few bytes, an index by key would be ten
 * times as many.
 */

#include <stddef.h>
#include <stdint.h>

struct buf;
struct db;
struct err;

/* What the keys were looked up for: edges (table `uses`), or contract facts (`asked`). */
enum dependency_kind { DEPENDENCY_EDGES, DEPENDENCY_CONTRACTS };

/* The keys of a file, in any order, instead of those that it had; sorts `keys`. */
int dependencies_put(
    struct db *, enum dependency_kind, int64_t file, int32_t *keys, size_t n, struct err *);

/*
 * The same in two steps, of which the first needs no database: `keys` as bytes at the end of
 * `out`.
 */
void dependencies_pack(int32_t *keys, size_t n, struct buf *out);
int dependencies_put_packed(
    struct db *, enum dependency_kind, int64_t file, const struct buf *, struct err *);

/* Further keys of a file. */
int dependencies_add(
    struct db *, enum dependency_kind, int64_t file, const int32_t *keys, size_t n, struct err *);

/* Call `each` for every file that uses one of the keys, in order of id; sorts `keys`. */
int dependencies_find_files(struct db *, enum dependency_kind, int32_t *keys, size_t n,
    void (*each)(void *, int64_t file), void *, struct err *);
#endif
