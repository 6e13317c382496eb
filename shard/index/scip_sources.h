#ifndef SHARD_INDEX_SCIP_SOURCES_H
#define SHARD_INDEX_SCIP_SOURCES_H
/*
 * The SCIP indexes that apply to a commit: its own *.scip files (table `scips`), and the one that
 * --scip names.
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
	const char *given;		/* a file; "" if none */
};

/* Whether a file at this path is a SCIP index. */
bool scip_sources_is_path(const char *path);

/* Appends a fingerprint of the given file's bytes; nothing for "". */
void scip_sources_fingerprint(const char *given, struct buf *out);

/*
 * Applies the indexes to the edges of `files` (NULL: of all), after resolution; those of the
 * repository in order of path, then the given one. A broken index is left out and recorded in
 * `skipped`. `s` may be NULL.
 */
int scip_sources_apply(
    struct db *, const struct scip_sources *s, const int64_t *files, size_t nfiles, struct err *e);
#endif
