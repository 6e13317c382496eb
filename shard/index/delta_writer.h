#ifndef SHARD_INDEX_DELTA_WRITER_H
#define SHARD_INDEX_DELTA_WRITER_H
/*
 * Brings the published index to another commit in one transaction. The caller finds out what the
 * files contain.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct db;
struct indexed_file;
struct err;
struct facts;
struct index_info;
struct rule_file;
struct scip_sources;
struct text_source;
struct delta_writer;

/*
 * Opens the index `now->file` in `dir` and begins the transaction. `now` is the index's own
 * metadata. Returns NULL with `e` (DB_ERROR).
 */
struct delta_writer *delta_writer_new(const char *dir, const struct index_info *now, struct err *e);

/* Ends the transaction; what was not published is rolled back. NULL is fine. */
void delta_writer_free(struct delta_writer *);

/* The database in the transaction, for tables that the writer does not know. */
struct db *delta_writer_db(struct delta_writer *);

/* Documents that were removed but whose entries are still in the postings. */
int64_t delta_writer_dead_docs(const struct delta_writer *);

/*
 * The number of files that were skipped because the object database lacked them; it may have them
 * now.
 */
int64_t delta_writer_missing_files(struct delta_writer *, struct err *e);

/* The files whose rules decided which files are indexed; allocated in `a`. */
int delta_writer_rule_files(
    struct delta_writer *, struct rule_file **out, size_t *n, struct arena *a, struct err *e);

/*
 * Whether the file at this path is indexed: returns 1 and writes its blob to `blob`, 0, or -1 with
 * `e`.
 */
int delta_writer_find_file(
    struct delta_writer *, const char *path, char *blob, size_t size, struct err *e);

/*
 * A file that changes. `old` is NULL if it was not indexed before, `new` if it will not be indexed.
 * The facts are those of the blobs that the files name.
 */
struct file_delta {
	const struct indexed_file *old, *new;
	struct facts *was, *is;
};

/*
 * Removes the old file and adds the new one. The old facts must yield the texts that were indexed:
 * if they do not, *lost is set and the index must be rebuilt. Retains none of its arguments.
 */
int delta_writer_put_file(
    struct delta_writer *, const struct file_delta *, bool *lost, struct err *e);

/*
 * Replaces the names of the file at this path, which is left out (left_out_names.h); without `x` it
 * has none. Retains none of its arguments.
 */
int delta_writer_put_left_out(struct delta_writer *, const char *path, const struct indexed_file *x,
    const struct facts *, struct err *e);

/* Records that a file is skipped, or (reason NULL) no longer is. */
int delta_writer_set_skip(
    struct delta_writer *, const char *path, const char *reason, uint64_t size, struct err *e);

/*
 * Resolves everything that the changes can affect, applies SCIP indexes on top, completes `info`
 * (counts, graph_hash), writes it and commits. After that the generation is published.
 */
int delta_writer_publish(struct delta_writer *, struct index_info *info, const struct text_source *,
    const struct scip_sources *, struct err *e);

/* Moves what was published from SQLite's log into the file, as far as active readers allow. */
void delta_writer_checkpoint(struct delta_writer *);
#endif
