#ifndef SHARD_INDEX_DELTA_WRITER_INTERNAL_H
#define SHARD_INDEX_DELTA_WRITER_INTERNAL_H
/* What delta_writer.c and delta_documents.c share. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shard/index/index_store.h"

struct arena;
struct db;
struct err;
struct postings;
struct ranking_rows;
struct row_file;

struct id_list {
	int64_t *v;
	size_t n, cap;
};

struct delta_writer {
	struct db *db;
	bool open;			/* in a transaction */
	const char *dir;
	struct arena *a, *keep;		/* for one file; for the whole delta */
	struct index_info n;		/* counts */
	int64_t last_file, last_doc;
	struct postings *postings;	/* to be added */
	struct ranking_rows *ranking;
	struct id_list files;		/* changed and new files */
	struct id_list keys;		/* dependency keys whose meaning changed */
	/* these, and what the old edges, settings and mounts led to: only contracts ask for that */
	struct id_list contract_keys;
};

/*
 * Replaces the documents of `was` by those of `is`; either may be NULL.  A document whose text
 * stays the same keeps its id.  `ids` are the ids of the new definitions.  Sets *lost if the stored
 * documents are not those of the old facts.
 */
int delta_documents_put(struct delta_writer *, const struct row_file *was,
    const struct row_file *is, const int64_t *ids, bool *lost, struct err *e);
#endif
