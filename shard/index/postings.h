#ifndef SHARD_INDEX_POSTINGS_H
#define SHARD_INDEX_POSTINGS_H
/*
 * Full-text postings: which search documents hold a term, and how prominently.  Table `postings`
 * (schema.sql): a row is a run of documents, by increasing id, that hold one term.  A term has
 * rows for each time that documents were added, as many as keep each below a quarter of a page:
 * larger ones have pages of their own, half empty.
 *
 *   data of a row   for each document: varint(2 * (id - id of the one before) + (weight != BODY)), and varint(weight) when it differs
 *   weight          the sum over the document's fields of occurrences * weight of the field, in half units (`weights` of postings.c)
 *   docs            documents of the row that are still there
 *
 * A document's length is its number of words, at most POSTINGS_LENGTH_MAX; a length of 0 means
 * that it was removed: its entries stay in the rows, but count for nothing.  Terms:
 * proto/text/tokens.h.
 */

#include <stddef.h>
#include <stdint.h>

struct buf;
struct db;
struct err;

enum { POSTINGS_LENGTH_MAX = UINT16_MAX };

enum posting_field { POSTING_NAME, POSTING_SIGNATURE, POSTING_DOC, POSTING_PATH, POSTING_BODY,
    POSTING_FIELDS };

/* The texts of a document; NULL: none. */
struct posting_texts {
	struct { const char *p; size_t n; } field[POSTING_FIELDS];
};

/* What is gathered before it is written.  Not thread-safe. */
struct postings;
struct postings *postings_new(void);
void postings_free(struct postings *);	/* NULL is fine */

/* Add a document, its id larger than every one before; its length. */
uint16_t postings_add(struct postings *, int64_t id, const struct posting_texts *);

/* Write what was gathered, in order of term, and begin anew. */
int postings_write(struct postings *, struct db *, struct err *);

/*
 * The same in steps, while nothing is added: first sort, which any thread may do, then put so many
 * terms at a time.  1: there are more; 0: that was all; -1 ends it too.
 */
void postings_sort(struct postings *);
int postings_write_step(struct postings *, struct db *, size_t terms, struct err *);

/* Bytes of memory that are held by what was gathered, about. */
size_t postings_memory_bytes(const struct postings *);

/*
 * Take a document that was added with these texts out of the counts.  The caller sets its length
 * to 0.
 */
int postings_remove(struct db *, int64_t id, const struct posting_texts *, struct err *);

/*
 * In how many documents a term is.  `begins*`: all terms that begin so, a document counting for
 * each that it holds.
 */
int postings_count_documents(struct db *, const char *term, uint64_t *out, struct err *);

/* Call `each` for every term, some more than once and some that no document holds any more. */
int postings_terms(struct db *, void (*each)(void *, const char *term), void *, struct err *);

/*
 * Call `each` for every document that holds the term, in order of id, also removed ones; of
 * `begins*` for each term that begins so, one after the other; `weight` is in whole units.
 * DB_ERROR for a row that postings_write did not make.
 */
int postings_each(struct db *, const char *term, void (*each)(void *, int64_t id, double weight),
    void *, struct err *);

/* The same, many at a time. */
struct posting {
	uint32_t id, weight;	/* in half units, not 0 */
};
int postings_each_batch(struct db *, const char *term,
    void (*each)(void *, const struct posting *, size_t n), void *, struct err *);

/*
 * Every row can be read, and counts the documents whose `lengths` are not 0.  DB_ERROR naming the
 * term.
 */
int postings_check(struct db *, const uint16_t *lengths, size_t n, struct err *);
#endif
