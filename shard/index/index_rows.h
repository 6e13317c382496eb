#ifndef SHARD_INDEX_INDEX_ROWS_H
#define SHARD_INDEX_INDEX_ROWS_H
/*
 * The rows that a file has in the index, whether it is written whole or changed: one function for
 * each kind.
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

/* Valid UTF-8 of `s`, in `a`; NULL gives NULL. */
const char *rows_valid_utf8(const char *s, struct arena *a);

/* A file of the index: its path as stored. */
struct row_file {
	int64_t id;
	const char *path;
	const struct indexed_file *x;
	struct facts *f;
	bool generated;		/* known to the graph, but nobody's search result */
	int prior;		/* of what is no test in it (document_prior.h) */
};

/*
 * What a file is as a row; its contract facts are given their file, or taken away: test and
 * generated code has none.
 */
struct row_file rows_describe_file(
    int64_t id, const struct indexed_file *x, struct facts *f, struct arena *a);

/*
 * Insert or replace the row of the file, of which `nodes` is graph_hash_nodes, what resolve needs
 * of it, and its contract facts (none may be there).
 */
int rows_put_file(struct db *, const struct row_file *, const unsigned char *nodes, struct arena *a,
    struct err *e);

/* The place of each definition among those with the same qualified name and kind; in `a`. */
int64_t *rows_ordinals(const struct facts *, struct arena *a);

/* Its definitions as they are stored, in `a`; `ids` and `ordinals` are those of each. */
struct stored_symbols rows_symbols(
    const struct row_file *, const int64_t *ids, const int64_t *ordinals, struct arena *a);

/* What is searched of a document. */
struct row_text {
	struct posting_texts texts;
	int64_t hash;		/* of all of them */
	uint64_t id;		/* text_id */
	uint8_t prior;
};

struct row_text rows_text(const struct row_file *, const struct document *);

/* Insert or replace the row of a document; `ids` as above. */
int rows_put_doc(struct db *, const struct row_file *, int64_t id, const struct document *,
    int64_t hash, const int64_t *ids, struct err *e);

/* Add a name under which others may call the repository; a file that was left out. */
int rows_put_name(struct db *, const char *name, struct arena *a, struct err *e);
int rows_put_skipped(struct db *, const char *path, const char *reason, uint64_t size,
    struct arena *a, struct err *e);

/* Make the table `skips` from `skipped`. */
int rows_put_skips(struct db *, struct err *e);

/* How many contract facts there are. */
int rows_count_contracts(struct db *, int64_t *out, struct err *e);
#endif
