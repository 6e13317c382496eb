#ifndef SHARD_GRAPH_SCIP_SCIP_OVERLAY_H
#define SHARD_GRAPH_SCIP_SCIP_OVERLAY_H
/*
 * Puts what a SCIP index knows over the edges that resolve found.  For a file whose text is what
 * the index saw, each name that it knows there
 *   - raises the edges of that line to the same definition to confidence 100, reason scip:TOOL;
 *   - adds the edge when there is none;
 *   - when it knows every occurrence of the name on that line, lowers edges to other definitions of that name to 20 at most, and
 *     adds " contradicted" to their reason.
 * Relations of types and methods do so with EXTENDS, IMPLEMENTS and OVERRIDES.
 *
 * The edges of a file then depend on its text, and on the texts of the files that it refers to by
 * the index: `uses` gets a key for each of these (scip_overlay_key).  Another index means all
 * files.
 */

#include <stddef.h>
#include <stdint.h>

struct db;
struct err;
struct repo;
struct scip;

/* What came of an index. */
struct scip_overlay_counts {
	int64_t files, stale;		/* files whose edges it touched; whose text is another */
	int64_t raised, added, contradicted;
};

/*
 * Over the edges of `files` (ids; NULL: of all), as resolve left them.  `folder`: where the index
 * lies in the repository, "" or with a slash at its end; its paths are tried below it first.
 */
int scip_overlay_apply(struct db *, struct repo *, const struct scip *, const char *folder,
    const int64_t *files, size_t nfiles, struct scip_overlay_counts *, struct err *);

/* The key that changes for others when the blob of a file does. */
int64_t scip_overlay_key(const char *path);
#endif
