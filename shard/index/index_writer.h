#ifndef SHARD_INDEX_INDEX_WRITER_H
#define SHARD_INDEX_INDEX_WRITER_H
/*
 * Writes the index: a whole one into a new file, or the difference between two commits into the
 * published one.  One thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_writer;
struct err;
struct facts;
struct index_info;
struct scip_sources;
struct text_source;

/* A file that is indexed. */
struct indexed_file {
	const char *path, *blob, *language;
	uint64_t size;
	bool test, generated;
};

/* A .atollignore or .gitattributes; a SCIP index. */
struct rule_file {
	const char *path, *blob;
};

/* Start FILE.tmp in `dir`, where info->file is FILE.  NULL with `e` (DB_ERROR). */
struct index_writer *index_writer_new(
    const char *dir, const struct index_info *info, struct err *e);

/*
 * Add a file; in order of path.  Its contract facts are given their file (test and generated code
 * has none). Keeps nothing of its arguments.
 */
int index_writer_add_file(
    struct index_writer *, const struct indexed_file *, struct facts *, struct err *);

/* Add a name under which others may call this repository. */
int index_writer_add_repo_name(struct index_writer *, const char *name, struct err *);

/* Say that a file was left out, and that a file holds rules by which others are. */
int index_writer_add_skip(
    struct index_writer *, const char *path, const char *reason, uint64_t size, struct err *);
int index_writer_add_rule(struct index_writer *, const char *path, const char *blob, struct err *);

/* Say that a file is a SCIP index. */
int index_writer_add_scip(struct index_writer *, const char *path, const char *blob, struct err *);

/*
 * Resolve with so many threads, find the contracts that need more than one file (NULL texts:
 * none), put SCIP indexes over that (NULL: none), complete `info` (counts, graph_hash) and write
 * it, make all of it durable and publish it.  `info` has everything else.  The build is to be
 * freed in any case.
 */
int index_writer_publish(struct index_writer *, struct index_info *info, const struct text_source *,
    const struct scip_sources *, int threads, struct err *);
void index_writer_free(struct index_writer *);	/* NULL is fine; removes what was not published */
#endif
