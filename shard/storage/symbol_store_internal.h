#ifndef SHARD_STORAGE_SYMBOL_STORE_INTERNAL_H
#define SHARD_STORAGE_SYMBOL_STORE_INTERNAL_H
/* What symbol_store, symbol_names and symbol_table share. */

#include "shard/storage/symbol_store.h"

/* Where a definition is in the blob, and what it would need those before it for. */
struct record {
	const uint8_t *p, *end;
	int64_t start_byte, start_line;
};

/* The definitions of a file, or the first of them, unpacked as far as they are asked for. */
struct packed {
	struct arena *a;
	int64_t file;
	uint64_t count;			/* of the file */
	size_t n, most;
	struct record *records;
	struct stored_symbol **v;	/* NULL: not unpacked yet */
	const char **docs;		/* NULL: not asked for yet */
};

/* At most `most` definitions of a file; none when it has none. */
int packed_read(struct db *, int64_t file, size_t most, struct arena *, struct packed *, struct err *e);

/*
 * The name alone; the whole definition, its qualified name NULL where that follows from others and packed_qualify was not
 * called.  NULL or -1 with `e` (DB_ERROR).
 */
const char *packed_name(const struct packed *, size_t i);
struct stored_symbol *packed_at(struct packed *, size_t i, struct err *e);
int packed_qualify(struct packed *, size_t i, struct err *e);

/* Fill `docs`. */
int packed_tell(struct db *, struct packed *, struct err *e);

/* A name in a file: by hash, then file. */
struct symbol_named {
	uint32_t hash;
	int64_t file;
};

struct symbol_names {
	struct symbol_named *v;
	size_t n, cap;
};

/* The names of a file's definitions, each once; whoever asks frees `v`. */
void symbols_names(int64_t file, const struct stored_symbols *, struct symbol_names *out);

/* Those of `v` that `but` lacks can be found (`in`), or no more. */
int symbols_renamed(struct db *, const struct symbol_names *v, const struct symbol_names *but, bool in, struct err *e);

/* What stands for a name in `named`. */
uint32_t symbols_hash(const char *key);

/* The files that may have a definition with this key, in order, in the arena. */
int symbols_named(struct db *, const char *key, struct arena *, int64_t **files, size_t *n, struct err *e);
#endif
