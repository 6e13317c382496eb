#ifndef SHARD_CONTRACTS_CROSSFILE_CROSSFILE_H
#define SHARD_CONTRACTS_CROSSFILE_CROSSFILE_H
/*
 * Contracts with all files known: after resolve, files whose sites or mounts others have a part in
 * (facts.h: open) are read again, and what their expressions meet is followed from file to file.
 * The facts that a file gives (wherever they stand) are a function of its text and of what it
 * asked, whose keys are left in `asked`: so a change finds the files that it concerns.
 *
 * Keys, besides those of resolver.h:
 *   b:PATH        the text of a file
 *   c:ID          the calls of a definition, the types that are derived from it
 *   w:CHILD       what is said elsewhere of an object
 *   g:KEY         a setting
 *   f:ID          which frameworks' objects a file is given
 *   r:FRAMEWORK   that no file speaks of its objects
 */

#include <stddef.h>
#include <stdint.h>

#include "shard/contracts/urls/dataflow.h"

struct buf;
struct db;
struct err;
struct tree_cache;
struct program;

/* Where texts are from: the bytes of a blob at the end of `out`; non-zero: they cannot be had. */
struct text_source {
	int (*get)(void *, const char *path, const char *blob, struct buf *out);
	void *arg;
	/* those that may be used, each by one thread; where there are too few, more are made */
	struct parser *const *parser;
	size_t nparsers;
	struct tree_cache *tree_cache;	/* files whose trees are in hand (tree_cache.h); NULL: none */
};

/*
 * Of an index that is written anew, after resolve_all, of whose world it is: writes `contracts`,
 * `asked`, `mounts`.
 */
int crossfile_build(
    struct db *, struct program *, int threads, const struct text_source *, struct err *);

/*
 * After resolve_affected: `keys` are those whose meaning changed, `files` those that are new,
 * changed or were resolved again.  *done: the files whose facts were written, malloc'd.
 */
int crossfile_update(struct db *, const struct text_source *, const int64_t *files, size_t nfiles,
    const int64_t *keys, size_t nkeys, int64_t **done, size_t *ndone, struct err *);

/*
 * The keys of what calls and other edges of a file lead to: to be taken before and after they
 * change.
 */
int crossfile_keys(
    struct db *, int64_t file, void (*each)(void *, int64_t key), void *, struct err *);
#endif
