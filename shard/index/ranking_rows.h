#ifndef SHARD_INDEX_RANKING_ROWS_H
#define SHARD_INDEX_RANKING_ROWS_H
/*
 * Changes of the table `ranking`, held in memory until they are written: a row describes
 * RANKING_ROW_DOCS (index_store.h) documents.
 */

#include <stdint.h>

struct db;
struct err;
struct ranking_rows;

/* What the table contains about a document (schema.sql); all zero if it was removed. */
struct ranking_row {
	uint16_t length;	/* in words */
	uint8_t prior;
	uint32_t file, hash;
	uint64_t text;
};

/* The index must outlive the result. Nothing is read from it before a document is set. */
struct ranking_rows *ranking_rows_new(struct db *);
void ranking_rows_free(struct ranking_rows *);	/* NULL is fine; unwritten changes are lost */

/*
 * Sets what is stored about a document. Returns -1 with `e` (DB_ERROR) if the row cannot be read.
 */
int ranking_rows_set(struct ranking_rows *, int64_t doc, const struct ranking_row *, struct err *e);

/*
 * The same for a document whose words stay the same; `length` is ignored, because only the words
 * decide it.
 */
int ranking_rows_update(struct ranking_rows *, int64_t doc, struct ranking_row, struct err *e);

/*
 * Writes the changed rows. `last_doc` is the largest document id of the index: its row ends there.
 */
int ranking_rows_write(struct ranking_rows *, int64_t last_doc, struct err *e);
#endif
