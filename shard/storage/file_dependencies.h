#ifndef SHARD_STORAGE_FILE_DEPENDENCIES_H
#define SHARD_STORAGE_FILE_DEPENDENCIES_H
/*
 * Which keys (dependency_key) each file looked up, so that a change behind a key finds the files
 * that it affects.  Table `uses` has a row for each file: its sorted keys, as varints of their
 * differences.  Finding the users of keys reads all rows, which are small; an index by key would
 * be ten times as large.
 */

#include <stddef.h>
#include <stdint.h>

struct buf;
struct db;
struct err;

/* What the keys were looked up for: edges (table `uses`) or contract facts (table `asked`). */
enum dependency_kind { DEPENDENCY_EDGES, DEPENDENCY_CONTRACTS };

/* Replace the keys of a file.  `keys` may be in any order, and are sorted in place. */
int dependencies_put(
    struct db *, enum dependency_kind, int64_t file, int32_t *keys, size_t n, struct err *);

/* The same in two steps.  The first one needs no database: it appends the packed keys to `out`. */
void dependencies_pack(int32_t *keys, size_t n, struct buf *out);
int dependencies_put_packed(
    struct db *, enum dependency_kind, int64_t file, const struct buf *, struct err *);

/* Add keys to those of a file. */
int dependencies_add(
    struct db *, enum dependency_kind, int64_t file, const int32_t *keys, size_t n, struct err *);

/* Call `each` for every file that uses one of the keys, in order of id; sorts `keys` in place. */
int dependencies_find_files(struct db *, enum dependency_kind, int32_t *keys, size_t n,
    void (*each)(void *, int64_t file), void *, struct err *);
#endif
