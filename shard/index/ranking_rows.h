#ifndef SHARD_INDEX_RANKING_ROWS_H
#define SHARD_INDEX_RANKING_ROWS_H
/*
 * Changes of the table `ranking`, in memory until they are written: a row has what is known of
 * RANKED (index_store.h) documents.
 */

#include <stdint.h>

struct db;
struct err;
struct ranking_rows;

/* What the table says of a document (schema.sql); all zero: it is gone. */
struct ranking_row {
	uint16_t length;	/* in words */
	uint8_t prior;
	uint32_t file, hash;
	uint64_t text;
};

/* The index must live as long.  Nothing is read from it before a document is set. */
struct ranking_rows *ranking_rows_new(struct db *);
void ranking_rows_free(struct ranking_rows *);	/* NULL is fine; what was not written is lost */

/* -1 with `e`: the row cannot be read (DB_ERROR). */
int ranking_rows_set(struct ranking_rows *, int64_t doc, const struct ranking_row *, struct err *e);

/* The same of a document whose words stay: only they make its length, which it keeps. */
int ranking_rows_update(struct ranking_rows *, int64_t doc, struct ranking_row, struct err *e);

/*
 * Write the rows that have changed.  `last_doc` is the largest document of the index: its row ends
 * there.
 */
int ranking_rows_write(struct ranking_rows *, int64_t last_doc, struct err *e);
#endif
