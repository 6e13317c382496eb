#ifndef SHARD_GRAPH_EDGE_RESOLUTION_H
#define SHARD_GRAPH_EDGE_RESOLUTION_H
/*
 * Joins the facts of all files into the edges of the graph.  Works on an index that is being
 * written, in its transaction: reads `facts` (and what a program loads), writes `edges`,
 * `incoming`, `uses` and the joined rows of `contracts`.  The edges of a file are a pure function
 * of its own facts and of the results of its lookups, so resolving all files, or only the files
 * that a change can affect, produces the same graph.  Candidates are ordered by (path, position),
 * never by id.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct db;
struct err;
struct facts;
struct graph_node_hashes;
struct map;
struct program;

/*
 * Other work with the same database.  `step` does about a millisecond of it; it returns 1 if there
 * is more, 0 if it is done, or -1.
 */
struct background_work {
	int (*step)(void *arg, struct err *e);
	void *arg;
};

/*
 * Resolve every file of a new index, which has no edges and uses yet.  `w` is finished and contains
 * all files.  `threads` threads resolve, and the caller's thread writes the results in order of
 * path, so that the number of threads makes no difference.  With `names`, files.hash is written as
 * well, without contract facts.  While there is nothing to write, the caller's thread does steps of
 * `other` (NULL: it waits), which need not be done when this returns.
 */
int resolve_all(struct db *, struct program *w, int threads, const struct graph_node_hashes *names,
    const struct background_work *other, struct err *e);

/*
 * Resolve `files` (ids of new or changed files) and all files that use one of `keys` (by
 * dependency_key).  Call it after `files` were written, and after removed files and their edges
 * were deleted; edges to symbols whose ids are gone are replaced.  `before` (or NULL) is called for
 * each of these files while it still has its old edges.  `*touched` receives the ids of all
 * resolved files; the caller frees it, and hashes their edges again.
 */
int resolve_affected(struct db *, const int64_t *files, size_t nfiles, const int64_t *keys,
    size_t nkeys, int (*before)(void *, int64_t file, struct err *), void *arg, int64_t **touched,
    size_t *ntouched, struct err *e);
#endif
