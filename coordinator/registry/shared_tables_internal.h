#ifndef COORDINATOR_REGISTRY_SHARED_TABLES_INTERNAL_H
#define COORDINATOR_REGISTRY_SHARED_TABLES_INTERNAL_H
/*
 * What shared_tables.c (keys, and what a transaction has to do elsewhere) and
 * shared_tables_apply.c (the other way) share.
 */

#include "coordinator/registry/shared_tables.h"

struct stmt;

enum { SHARED_PARTS = 4 };

/* NULL: not shared */
struct shared_table *shared_table(const struct shared_tables *, const char *name);

const char *shared_key(const char *table, const char *const *parts, size_t n, struct arena *);

/* The parts of a key, the table's name first: how many. */
size_t shared_key_split(const char *key, const char *parts[SHARED_PARTS], struct arena *);

int shared_key_bind(struct stmt *, const char *const *parts, size_t n);

/* A row as JSON; NULL when it is not there. */
int shared_row_json(struct db *, const struct shared_table *, const char *const *parts,
    const char **value, struct arena *, struct err *);

/* What is known of a key; 0: nothing. */
int shared_revision_get(struct db *, const char *key, int64_t *rev, bool *live, struct err *);
int shared_revision_put(struct db *, const char *key, const char *value, int64_t rev, struct err *);
#endif
