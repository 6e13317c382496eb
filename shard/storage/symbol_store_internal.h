#ifndef SHARD_STORAGE_SYMBOL_STORE_INTERNAL_H
#define SHARD_STORAGE_SYMBOL_STORE_INTERNAL_H
/* What symbol_store, symbol_names and symbol_table share. */

#include "shard/storage/symbol_store.h"

/* Where a definition is in the blob, and what it would need those before it for. */
struct symbol_record {
	const uint8_t *p, *end;
	int64_t start_byte, start_line;
};

/* The definitions of a file, or the first of them, unpacked as far as they are asked for. */
struct packed_symbols {
	struct arena *a;
	int64_t file;
	uint64_t count;			/* of the file */
	size_t n, most;
	struct symbol_record *records;
	struct stored_symbol **v;	/* NULL: not unpacked yet */
	const char **docs;		/* NULL: not asked for yet */
};

/* At most `most` definitions of a file; none when it has none. */
int packed_symbols_read(
    struct db *, int64_t file, size_t most, struct arena *, struct packed_symbols *, struct err *e);

/*
 * The name alone; the whole definition, its qualified name NULL where that follows from others and
 * packed_symbols_qualify was not called.  NULL or -1 with `e` (DB_ERROR).
 */
const char *packed_symbols_name(const struct packed_symbols *, size_t i);
struct stored_symbol *packed_symbols_get(struct packed_symbols *, size_t i, struct err *e);
int packed_symbols_qualify(struct packed_symbols *, size_t i, struct err *e);

/* Fill `docs`. */
int packed_symbols_load_docs(struct db *, struct packed_symbols *, struct err *e);

/* A name in a file: by hash, then file. */
struct symbol_name_entry {
	uint32_t hash;
	int64_t file;
};

struct symbol_names {
	struct symbol_name_entry *v;
	size_t n, cap;
};

/* The names of a file's definitions, each once; whoever asks frees `v`. */
void symbols_collect_names(int64_t file, const struct stored_symbols *, struct symbol_names *out);

/* Those of `v` that `but` lacks can be found (`in`), or no more. */
int symbols_update_names(struct db *, const struct symbol_names *v, const struct symbol_names *but,
    bool in, struct err *e);

/* What stands for a name in `named`. */
uint32_t symbols_hash_key(const char *key);

/* The files that may have a definition with this key, in order, in the arena. */
int symbols_find_files(
    struct db *, const char *key, struct arena *, int64_t **files, size_t *n, struct err *e);
#endif
