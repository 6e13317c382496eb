#ifndef SHARD_GRAPH_EDGE_RESOLUTION_H
#define SHARD_GRAPH_EDGE_RESOLUTION_H
/*
 * Joins the facts of all files into the edges of the graph.  Works on an index that is being
 * written, in its transaction: reads `facts` (and what a world loads), writes `edges`, `incoming`,
 * `uses` and the joined rows of `contracts`.  The edges of a file are a pure function of its own
 * facts and of what the keys that it looked up stand for, so that resolving all files or only
 * those that a change can affect gives the same graph.  Candidates are ordered by (path,
 * position), never by id.
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
 * Something else to do with the same database: a millisecond or so of it at each call.  1: there
 * is more; 0: no; or -1.
 */
struct background_work {
	int (*step)(void *arg, struct err *e);
	void *arg;
};

/*
 * Resolve every file of an index that is written anew; edges and uses are empty before.  `w` is
 * ready and knows all files. `threads` resolve, the caller's writes what they find, in order of
 * path: how many there are makes no difference.  With `names` files.hash is written too, as of
 * files without contract facts.  Where there is nothing to write, the caller's thread does
 * something of `other` (NULL: waits), which may have more to do in the end.
 */
int resolve_all(struct db *, struct program *w, int threads, const struct graph_node_hashes *names,
    const struct background_work *other, struct err *e);

/*
 * After `files` (ids; new or changed) were written and others removed, whose edges are gone:
 * resolve those, and all that use one of `keys` (by dependency_key).  Edges that point to symbols
 * whose ids are no more are made anew so. Rows of `uses` are only added: one that a file no longer
 * needs costs a resolution too many, and finding it a scan. `before` (NULL: nothing) is called for
 * each file that is resolved, while it still has its edges.  `touched`: receives the ids of all
 * files that were resolved, malloc'd; the caller hashes their edges anew.
 */
int resolve_affected(struct db *, const int64_t *files, size_t nfiles, const int64_t *keys,
    size_t nkeys, int (*before)(void *, int64_t file, struct err *), void *arg, int64_t **touched,
    size_t *ntouched, struct err *e);
#endif
