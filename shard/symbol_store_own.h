#ifndef SHARD_SYMBOL_STORE_OWN_H
#define SHARD_SYMBOL_STORE_OWN_H
/* What symbol_store and symbol_table share. */

#include "shard/symbol_store.h"

/* What stands for a name in `named`. */
uint32_t symbols_hash(const char *key);

/* The files that may have a definition with this key, in order, in the arena. */
int symbols_named(struct db *, const char *key, struct arena *, int64_t **files, size_t *n, struct err *e);

/* As symbols_of, but at most so many, and without qualified names that follow from others. */
int symbols_first(struct db *, int64_t file, size_t most, struct arena *, struct stored_symbols *, struct err *e);

/* Such a name, which it gets; in the arena. */
const char *symbols_qualified(const struct stored_symbols *, size_t place, struct arena *);

/* The doc comments of the definitions, which symbols_of leaves out. */
int symbols_tell(struct db *, int64_t file, struct arena *, struct stored_symbols *, struct err *e);
#endif
