#ifndef SHARD_INDEX_LEFT_OUT_NAMES_H
#define SHARD_INDEX_LEFT_OUT_NAMES_H
/*
 * The names of files that are left out: vendored, too large, or in hidden folders. What such a file
 * defines is found by its name, and nothing else of it is in the index: no row in `files`, no
 * documents, no facts, no edges. The names are stored like minor names (symbol_store.h), and the file
 * in the table `left_out`. Of a lock file there are the packages (package_store.h), and no names.
 */

#include <stdint.h>

struct arena;
struct buf;
struct db;
struct err;
struct facts;
struct indexed_file;

/* The limit for the names of one file; its later ones are dropped, minor names first. */
enum { LEFT_OUT_NAMES_MAX = 20000 };

/*
 * Adds a file under an id that neither `files` nor `left_out` has. `keys` is what symbols_put gets.
 * Retains none of its arguments.
 */
int left_out_names_put(struct db *, int64_t id, const struct indexed_file *, const struct facts *,
    struct buf *keys, struct arena *, struct err *);

/* Removes the file at this path, if it has names here. */
int left_out_names_remove(struct db *, const char *path, struct err *);
#endif
