#ifndef SHARD_INDEX_POSTINGS_H
#define SHARD_INDEX_POSTINGS_H
/*
 * Full-text postings: which documents contain a term, and how prominently.  In the table `postings`
 * (schema.sql) a row lists documents that contain one term, by increasing id.  Each time documents
 * are added, a term gets as many new rows as needed to keep each row below a quarter of a page;
 * larger ones would get a page of their own, half empty.
 *
 *   data of a row   for each document: varint(2 * (id - previous id) + (weight != BODY)),
 *                   and varint(weight) if it differs
 *   weight          the sum over the document's fields of occurrences * weight of the field,
 *                   in half units (`weights` in postings.c)
 *   docs            number of documents of the row that still exist
 *
 * A document's length is its number of words, at most POSTINGS_LENGTH_MAX.  Length 0 means that it
 * was removed: its entries stay in the rows, but do not count.  Terms: proto/text/tokens.h.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct db;
struct err;

enum { POSTINGS_LENGTH_MAX = UINT16_MAX };

enum posting_field {
	POSTING_NAME,
	POSTING_SIGNATURE,
	POSTING_DOC,
	POSTING_PATH,
	POSTING_BODY,
	POSTING_FIELDS
};

/* The texts of a document; NULL for a field without text. */
struct posting_texts {
	struct { const char *p; size_t n; } field[POSTING_FIELDS];
};

/* Postings that are collected in memory before they are written. Not thread-safe. */
struct postings;
struct postings *postings_new(void);
void postings_free(struct postings *);	/* NULL is fine */

/* Adds a document, whose id must be larger than all earlier ones. Returns its length. */
uint16_t postings_add(struct postings *, int64_t id, const struct posting_texts *);

/* Writes everything that was collected, in order of term, and starts over. */
int postings_write(struct postings *, struct db *, struct err *);

/*
 * The same in steps; nothing may be added in between. Sort first, on any thread; then write `terms`
 * terms per step. Returns 1 if there are more, 0 if that was all, -1 (which also ends it) with `e`.
 */
void postings_sort(struct postings *);
int postings_write_step(struct postings *, struct db *, size_t terms, struct err *);

/* The approximate memory of what was collected, in bytes. */
size_t postings_memory_bytes(const struct postings *);

/*
 * Takes a document that was added with these texts out of the counts. The caller sets its length to
 * 0.
 */
int postings_remove(struct db *, int64_t id, const struct posting_texts *, struct err *);

/*
 * The number of documents that contain a term. `begins*` stands for all terms with this prefix; a
 * document counts once for each that it contains.
 */
int postings_count_documents(struct db *, const char *term, uint64_t *out, struct err *);

/*
 * Calls `each` for every term, until it returns false; for some more than once, and for some that
 * no live document contains.
 */
int postings_terms(struct db *, bool (*each)(void *, const char *term), void *, struct err *);

/*
 * Calls `each` for the first `max` terms that begin with the prefix, each once, in their order; some
 * may be in no live document.
 */
int postings_terms_beginning(struct db *, const char *prefix, size_t max,
    void (*each)(void *, const char *term), void *, struct err *);

/*
 * Calls `each` for every document that contains the term, in order of id, including removed ones;
 * for `begins*` for each term with this prefix, one after the other. `weight` is in whole units.
 * DB_ERROR for a row that postings_write did not write.
 */
int postings_each(struct db *, const char *term, void (*each)(void *, int64_t id, double weight),
    void *, struct err *);

/* The same, in batches. */
struct posting {
	uint32_t id, weight;	/* in half units, not 0 */
};
int postings_each_batch(struct db *, const char *term,
    void (*each)(void *, const struct posting *, size_t n), void *, struct err *);

/*
 * Checks that every row can be read and that its count equals the number of its documents with a
 * length. DB_ERROR naming the term.
 */
int postings_check(struct db *, const uint16_t *lengths, size_t n, struct err *);
#endif
