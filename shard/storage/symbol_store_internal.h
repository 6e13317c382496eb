#ifndef SHARD_STORAGE_SYMBOL_STORE_INTERNAL_H
#define SHARD_STORAGE_SYMBOL_STORE_INTERNAL_H
/* What symbol_store, symbol_names and symbol_table share. */

#include "shard/storage/symbol_store.h"

/* The statements on the tables that hold names of a rank. */
struct symbol_statements {
	unsigned rest_bits;	/* of a name's hash; the others are the number of its row */
	const char *files, *read, *put, *remove;	/* the blobs of files */
	const char *read_names, *put_names, *remove_names;	/* which files define a name */
};

const struct symbol_statements *symbols_statements(enum symbol_rank);

/* Where a definition is in the blob, and the fields that depend on earlier definitions. */
struct symbol_record {
	const uint8_t *p, *end;
	int64_t start_byte, start_line;
};

/* The first definitions of a file, each unpacked when it is needed. */
struct packed_symbols {
	struct arena *a;
	int64_t file;
	enum symbol_rank rank;
	uint64_t count;			/* definitions of the file */
	size_t n, max;			/* how many of them `records` holds, and may hold */
	struct symbol_record *records;
	struct stored_symbol **v;	/* NULL until it is unpacked */
	const char **docs;		/* NULL until packed_symbols_load_docs */
};

/* Read at most `max` names of the rank of a file; none if it has none. */
int packed_symbols_read(struct db *, int64_t file, enum symbol_rank, size_t max, struct arena *,
    struct packed_symbols *, struct err *e);

/*
 * The name alone, or the whole definition.  A qualified name that is not stored is NULL until
 * packed_symbols_qualify derives it from the parents.  Errors (DB_ERROR): NULL or -1.
 */
const char *packed_symbols_name(const struct packed_symbols *, size_t i);
struct stored_symbol *packed_symbols_get(struct packed_symbols *, size_t i, struct err *e);
int packed_symbols_qualify(struct packed_symbols *, size_t i, struct err *e);

/* Fill `docs`. */
int packed_symbols_load_docs(struct db *, struct packed_symbols *, struct err *e);

/* A name that a file defines; sorted by hash, then file. */
struct symbol_name_entry {
	uint32_t hash;
	int64_t file;
};

struct symbol_names {
	struct symbol_name_entry *v;
	size_t n, cap;
};

/* The names of a file's definitions, without duplicates; the caller frees `v`. */
void symbols_collect_names(int64_t file, const struct stored_symbols *, struct symbol_names *out);

/* Add (`in`) or remove the names of `v` that are not in `except`. */
int symbols_update_names(struct db *, enum symbol_rank, const struct symbol_names *v,
    const struct symbol_names *except, bool in, struct err *e);

/* The hash that represents a key in `named`. */
uint32_t symbols_hash_key(const char *key);

/* The files that may define this key, in order, in the arena; hashes may collide. */
int symbols_find_files(struct db *, enum symbol_rank, const char *key, struct arena *,
    int64_t **files, size_t *n, struct err *e);
#endif
