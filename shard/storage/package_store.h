#ifndef SHARD_STORAGE_PACKAGE_STORE_H
#define SHARD_STORAGE_PACKAGE_STORE_H
/*
 * The table `packages`: what manifests and documents say (manifests.h).  Each package of a file of
 * the table `files` is a row.  A lock file is in `left_out`, and all its packages are one row,
 * compressed: it may have thousands.
 */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct db;
struct err;
struct package;

/*
 * Add the packages of a file.  Texts are stored as valid UTF-8, and without `file`; those of a lock
 * file also without lines.
 */
int packages_put(
    struct db *, int64_t file, const struct package *, size_t n, struct arena *, struct err *);
int packages_put_locked(
    struct db *, int64_t file, const struct package *, size_t n, struct arena *, struct err *);

/*
 * Read the packages of all files of `files`, and those of lock files as well.  They and their texts
 * are in the arena, with `file`.
 */
int packages_read(struct db *, struct package **out, size_t *n, struct arena *, struct err *);
int packages_read_locked(
    struct db *, struct package **out, size_t *n, struct arena *, struct err *);
#endif
