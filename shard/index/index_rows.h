#ifndef SHARD_INDEX_INDEX_ROWS_H
#define SHARD_INDEX_INDEX_ROWS_H
/*
 * The rows of a file in the index, for full builds and for deltas: one function for each kind of
 * row.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shard/index/postings.h"
#include "shard/storage/symbol_store.h"

struct arena;
struct indexed_file;
struct db;
struct definition;
struct document;
struct err;
struct fact;
struct facts;
struct map;

/* `s` as valid UTF-8, in `a`; NULL for NULL. */
const char *rows_valid_utf8(const char *s, struct arena *a);

/* A file of the index, with its path as stored. */
struct row_file {
	int64_t id;
	const char *path;
	const struct indexed_file *x;
	struct facts *f;
	bool generated;		/* known to the graph, but never a search result */
	int prior;		/* for everything in it that is not a test (document_prior.h) */
};

/*
 * Describes a file as a row. Also completes its contract facts with the file's path, or drops them:
 * test and generated code has none.
 */
struct row_file rows_describe_file(
    int64_t id, const struct indexed_file *x, struct facts *f, struct arena *a);

/*
 * Inserts or replaces the row of the file, what resolution needs from it, and its contract facts
 * (none may be stored yet). `nodes` is the result of graph_hash_nodes.
 */
int rows_put_file(struct db *, const struct row_file *, const unsigned char *nodes, struct arena *a,
    struct err *e);

/* The ordinal of each definition among those with the same qualified name and kind; in `a`. */
int64_t *rows_ordinals(const struct facts *, struct arena *a);

/*
 * The file's definitions as they are stored, in `a`; `ids` and `ordinals` have one entry per
 * definition.
 */
struct stored_symbols rows_symbols(
    const struct row_file *, const int64_t *ids, const int64_t *ordinals, struct arena *a);

/* The file's minor names (facts.h) as they are stored, in `a`. */
struct stored_symbols rows_minors(const struct row_file *, struct arena *a);

/* The searchable text of a document. */
struct row_text {
	struct posting_texts texts;
	int64_t hash;		/* of all texts */
	uint64_t id;		/* text_id */
	uint8_t prior;
};

struct row_text rows_text(const struct row_file *, const struct document *);

/* Inserts or replaces the row of a document; `ids` as in rows_symbols. */
int rows_put_doc(struct db *, const struct row_file *, int64_t id, const struct document *,
    int64_t hash, const int64_t *ids, struct err *e);

/* Adds a name under which other repositories may call this one, or a skipped file. */
int rows_put_name(struct db *, const char *name, struct arena *a, struct err *e);
int rows_put_skipped(struct db *, const char *path, const char *reason, uint64_t size,
    struct arena *a, struct err *e);

/* Fills the table `skips` from `skipped`. */
int rows_put_skips(struct db *, struct err *e);

/* Counts the contract facts. */
int rows_count_contracts(struct db *, int64_t *out, struct err *e);
#endif
