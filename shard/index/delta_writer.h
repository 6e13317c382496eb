#ifndef SHARD_INDEX_DELTA_WRITER_H
#define SHARD_INDEX_DELTA_WRITER_H
/*
 * The published index brought to another commit, as one transaction.  What the files say is the
 * caller's to find out.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct indexed_file;
struct err;
struct facts;
struct index_info;
struct rule_file;
struct scip_sources;
struct text_source;
struct delta_writer;

/* Begin.  `now` is what the index says of itself.  NULL with `e` (DB_ERROR). */
struct delta_writer *delta_writer_new(const char *dir, const struct index_info *now, struct err *e);

/* End: what was not published is undone.  NULL is fine. */
void delta_writer_free(struct delta_writer *);

/* Documents that are still in the postings though they are gone. */
int64_t delta_writer_dead_docs(const struct delta_writer *);

/* Files that were left out because the object database lacked them; it may have them now. */
int64_t delta_writer_missing_files(struct delta_writer *, struct err *e);

/* The files whose rules decided which files are indexed, in `a`. */
int delta_writer_rule_files(
    struct delta_writer *, struct rule_file **out, size_t *n, struct arena *a, struct err *e);

/* Whether a file of this path is indexed: 1 and its blob in `blob`, 0, or -1 with `e`. */
int delta_writer_find_file(
    struct delta_writer *, const char *path, char *blob, size_t size, struct err *e);

/*
 * A file that changes.  NULL: it is not indexed before, or after.  The facts are those of the
 * blobs that the files name.
 */
struct file_delta {
	const struct indexed_file *old, *new;
	struct facts *was, *is;
};

/*
 * Take the old one out, put the new one in.  The old facts must give the texts that were put in:
 * when they do not, *lost is set, and the index is to be written anew.  Keeps nothing of its
 * arguments.
 */
int delta_writer_put_file(
    struct delta_writer *, const struct file_delta *, bool *lost, struct err *e);

/* Say that a file is left out, or (reason NULL) no longer is. */
int delta_writer_set_skip(
    struct delta_writer *, const char *path, const char *reason, uint64_t size, struct err *e);

/*
 * Resolve what the changes can affect, put SCIP indexes over that, complete `info` (counts,
 * graph_hash), write it and commit: it is published then.
 */
int delta_writer_publish(struct delta_writer *, struct index_info *info, const struct text_source *,
    const struct scip_sources *, struct err *e);

/* Bring what was published from SQLite's log into the file, as far as readers let it. */
void delta_writer_checkpoint(struct delta_writer *);
#endif
