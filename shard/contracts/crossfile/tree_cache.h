#ifndef SHARD_CONTRACTS_CROSSFILE_TREE_CACHE_H
#define SHARD_CONTRACTS_CROSSFILE_TREE_CACHE_H
/*
 * Trees of a full build that are kept after their files are written.  Other files contribute to the
 * facts of those files, so crossfile.h reads them again; the cache saves parsing them twice.  A
 * tree takes about 20 times as much memory as its text, so the cache holds only a few MB of text.
 * Its contents change the cost of the results, never the results.
 */

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/buf.h"
#include "shard/definitions/retained_tree.h"

struct arena;

/* A cached file: everything in `retained` except the tree lives in `a` and points into `text`. */
struct cached_tree {
	struct arena *a;
	struct buf text;
	struct retained_tree retained;
};

struct tree_cache;

struct tree_cache *tree_cache_new(void);
void tree_cache_free(struct tree_cache *);	/* NULL is fine */

/* Reserve room for a text of that many bytes; false if there is none.  Any thread may call it. */
bool tree_cache_reserve(struct tree_cache *, size_t bytes);
void tree_cache_release(struct tree_cache *, size_t bytes);

/*
 * Store a file, whose bytes were reserved.  One thread calls it, in order of path, before any file
 * is taken.
 */
void tree_cache_put(struct tree_cache *, const char *path, const struct cached_tree *);

/*
 * Take the file with that path out of the cache: the caller owns it.  Any thread may call it.
 * False: it is not cached, or was taken.
 */
bool tree_cache_take(struct tree_cache *, const char *path, struct cached_tree *out);

void cached_tree_free(struct cached_tree *);
#endif
