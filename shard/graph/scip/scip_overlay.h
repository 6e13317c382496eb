#ifndef SHARD_GRAPH_SCIP_SCIP_OVERLAY_H
#define SHARD_GRAPH_SCIP_SCIP_OVERLAY_H
/*
 * Corrects the edges of edge_resolution by a SCIP index.  In a file whose text is the one that the
 * index saw, each name that the index knows
 *   - raises the edges of that line to the same definition to confidence 100, reason scip:TOOL;
 *   - adds the edge if there is none;
 *   - if the index knows every occurrence of the name on that line, lowers edges to other
 *     definitions of that name to at most 20, and appends " contradicted" to their reason.
 * Relations of types and methods do the same with EXTENDS, IMPLEMENTS and OVERRIDES.
 *
 * The edges of a file then depend on its text, and on the texts of the files that the index leads
 * to: `uses` gets a key for each of these (scip_overlay_key).  Another index affects all files.
 */

#include <stddef.h>
#include <stdint.h>

struct db;
struct err;
struct repo;
struct scip;

/* The effect of an index. */
struct scip_overlay_counts {
	int64_t files, stale;		/* files that it was applied to; files whose text differs */
	int64_t raised, added, contradicted;
};

/*
 * Correct the edges of `files` (ids), or of all files if it is NULL, after edge_resolution.
 * `folder` is the folder of the index in the repository, "" or ending with a slash: its paths are
 * tried below it first.
 */
int scip_overlay_apply(struct db *, struct repo *, const struct scip *, const char *folder,
    const int64_t *files, size_t nfiles, struct scip_overlay_counts *, struct err *);

/* The key that a change of the file's blob touches. */
int64_t scip_overlay_key(const char *path);
#endif
