#ifndef SHARD_CONTRACTS_CROSSFILE_CROSSFILE_H
#define SHARD_CONTRACTS_CROSSFILE_CROSSFILE_H
/*
 * Contracts with all files known.  After resolution, files whose sites or mounts depend on others
 * (facts.h: open) are read again, and their expressions are followed from file to file.  The facts
 * of a file are a function of its text and of what it asked for.  The keys of the latter are stored
 * in `asked`, so that a change finds the files that it concerns.
 *
 * Keys, besides those of resolver.h:
 *   b:PATH        the text of a file
 *   c:ID          the calls of a definition, the types that are derived from it
 *   w:CHILD       the mounts of an object
 *   g:KEY         a setting
 *   f:ID          the frameworks whose objects a file may get from others
 *   r:FRAMEWORK   that no file binds its objects
 */

#include <stddef.h>
#include <stdint.h>

#include "shard/contracts/urls/dataflow.h"

struct buf;
struct db;
struct err;
struct tree_cache;
struct program;

/*
 * The source of texts: `get` appends the bytes of a blob to `out`; non-zero: they cannot be read.
 */
struct text_source {
	int (*get)(void *, const char *path, const char *blob, struct buf *out);
	void *arg;
	/* parsers to use, each by one thread; if there are too few, more are created */
	struct parser *const *parser;
	size_t nparsers;
	struct tree_cache *tree_cache;	/* or NULL */
};

/*
 * Write `contracts`, `asked` and `mounts` of a full build, after resolve_all, whose program it
 * uses. 0 or -1.
 */
int crossfile_build(
    struct db *, struct program *, int threads, const struct text_source *, struct err *);

/*
 * The same for an incremental build, after resolve_affected.  `keys`: those whose meaning changed;
 * `files`: those that are new, changed or were resolved again.  *done: the files whose facts were
 * written; the caller frees it.
 */
int crossfile_update(struct db *, const struct text_source *, const int64_t *files, size_t nfiles,
    const int64_t *keys, size_t nkeys, int64_t **done, size_t *ndone, struct err *);

/*
 * The keys that the edges, settings and mounts of a file affect; collect them before and after a
 * change.
 */
int crossfile_keys(
    struct db *, int64_t file, void (*each)(void *, int64_t key), void *, struct err *);
#endif
