#ifndef SHARD_INDEX_SCIP_SOURCES_H
#define SHARD_INDEX_SCIP_SOURCES_H
/*
 * Which SCIP indexes say something of a commit: its own *.scip files (table `scips`), and the one
 * that --scip names.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct db;
struct err;
struct repo;

struct scip_sources {
	struct repo *repo;
	const char *given;		/* a file; "": none */
};

/* Whether a file of this path is a SCIP index. */
bool scip_sources_is_path(const char *path);

/* Append what tells the given file's bytes from others; nothing for "". */
void scip_sources_fingerprint(const char *given, struct buf *out);

/*
 * Put what they know over the edges of `files` (NULL: of all), after resolve; the repository's in
 * order of path, then the given one. One that is broken is left out and noted in `skipped`.  `s`
 * NULL: there are none.
 */
int scip_sources_apply(
    struct db *, const struct scip_sources *s, const int64_t *files, size_t nfiles, struct err *e);
#endif
