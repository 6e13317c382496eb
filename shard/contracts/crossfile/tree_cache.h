#ifndef SHARD_CONTRACTS_CROSSFILE_TREE_CACHE_H
#define SHARD_CONTRACTS_CROSSFILE_TREE_CACHE_H
/*
 * Trees of a whole index that are not let go when their files are written: others have a part in
 * what those files say, so join (crossfile.h) will ask them, and need not parse them a second
 * time.  A tree takes some 20 times as much memory as its text, so a few MB of text is all.  What
 * is held changes no answer, only what it costs.
 */

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/buf.h"
#include "shard/contracts/urls/retained_tree.h"

struct arena;

/* A file in hand: everything of `kept` but the tree itself lives in `a`, and points into `text`. */
struct cached_tree {
	struct arena *a;
	struct buf text;
	struct retained_tree retained;
};

struct tree_cache;

struct tree_cache *tree_cache_new(void);
void tree_cache_free(struct tree_cache *);	/* NULL is fine */

/* Whether there is room for a text of that many bytes, which is then set aside; by any thread. */
bool tree_cache_reserve(struct tree_cache *, size_t bytes);
void tree_cache_release(struct tree_cache *, size_t bytes);

/*
 * Takes the file, whose bytes were set aside; in order of path, by one thread, before any is
 * taken.
 */
void tree_cache_put(struct tree_cache *, const char *path, const struct cached_tree *);

/*
 * The file of that path, which is the caller's from here on; by any thread.  False: it is not in
 * hand, or somebody has it.
 */
bool tree_cache_take(struct tree_cache *, const char *path, struct cached_tree *out);

void cached_tree_free(struct cached_tree *);
#endif
