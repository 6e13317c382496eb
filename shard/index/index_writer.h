#ifndef SHARD_INDEX_INDEX_WRITER_H
#define SHARD_INDEX_INDEX_WRITER_H
/* Writes an index into a new file (full build). To be used by one thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_writer;
struct db;
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

/* A .atollignore, .gitattributes or SCIP file. */
struct rule_file {
	const char *path, *blob;
};

/* Creates FILE.tmp in `dir`, where info->file is FILE. Returns NULL with `e` (DB_ERROR). */
struct index_writer *index_writer_new(
    const char *dir, const struct index_info *info, struct err *e);

/*
 * Adds a file; call it in order of path. Completes the contract facts with the file's path (test
 * and generated code has none). Retains none of its arguments.
 */
int index_writer_add_file(
    struct index_writer *, const struct indexed_file *, struct facts *, struct err *);

/*
 * Adds the names of a file that is left out (left_out_names.h), after all files that are indexed.
 * Retains none of its arguments.
 */
int index_writer_add_left_out(
    struct index_writer *, const struct indexed_file *, const struct facts *, struct err *);

/* Adds a name under which other repositories may call this one. */
int index_writer_add_repo_name(struct index_writer *, const char *name, struct err *);

/* Records that a file was skipped; that a file holds rules which decide what is skipped. */
int index_writer_add_skip(
    struct index_writer *, const char *path, const char *reason, uint64_t size, struct err *);
int index_writer_add_rule(struct index_writer *, const char *path, const char *blob, struct err *);

/* Records that a file is a SCIP index. */
int index_writer_add_scip(struct index_writer *, const char *path, const char *blob, struct err *);

/*
 * Resolves references with `threads` threads, finds the contracts that need more than one file
 * (unless texts is NULL), applies SCIP indexes on top (unless NULL), completes `info` (counts,
 * graph_hash) and writes it, makes everything durable and publishes it. The caller fills in all
 * other fields of `info`, and frees the writer in any case.
 */
int index_writer_publish(struct index_writer *, struct index_info *info, const struct text_source *,
    const struct scip_sources *, int threads, struct err *);

/* The database that is written, for tables that the writer does not know. */
struct db *index_writer_db(struct index_writer *);

void index_writer_free(struct index_writer *);	/* NULL is fine; deletes an unpublished file */
#endif
