#ifndef SHARD_SYMBOL_STORE_OWN_H
#define SHARD_SYMBOL_STORE_OWN_H
/* What symbol_store and symbol_table share. */

#include "shard/symbol_store.h"

/* What stands for a name in `named`. */
uint32_t symbols_hash(const char *key);

/* The files that may have a definition with this key, in order, in the arena. */
int symbols_named(struct db *, const char *key, struct arena *, int64_t **files, size_t *n, struct err *e);

/* Signatures and doc comments of the definitions, which symbols_of leaves out. */
int symbols_tell(struct db *, int64_t file, struct arena *, struct stored_symbols *, struct err *e);
#endif
