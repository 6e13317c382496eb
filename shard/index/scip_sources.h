#ifndef SHARD_INDEX_SCIP_SOURCES_H
#define SHARD_INDEX_SCIP_SOURCES_H
/* Which SCIP indexes say something of a commit: its own *.scip files (table `scips`), and the one that --scip names. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct db;
struct err;
struct repo;

struct scips {
	struct repo *repo;
	const char *given;		/* a file; "": none */
};

/* Whether a file of this path is a SCIP index. */
bool scips_is(const char *path);

/* Append what tells the given file's bytes from others; nothing for "". */
void scips_print(const char *given, struct buf *out);

/*
 * Put what they know over the edges of `files` (NULL: of all), after resolve; the repository's in order of path, then the given one.
 * One that is broken is left out and noted in `skipped`.  `s` NULL: there are none.
 */
int scips_apply(struct db *, const struct scips *s, const int64_t *files, size_t nfiles, struct err *e);
#endif
