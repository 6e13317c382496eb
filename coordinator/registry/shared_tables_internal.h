#ifndef COORDINATOR_REGISTRY_SHARED_TABLES_INTERNAL_H
#define COORDINATOR_REGISTRY_SHARED_TABLES_INTERNAL_H
/* Shared by shared_tables.c (rows to etcd) and shared_tables_apply.c (etcd to rows). */

#include "coordinator/registry/shared_tables.h"

struct stmt;

enum { SHARED_PARTS = 4 };

/* NULL if the table is not shared. */
struct shared_table *shared_table(const struct shared_tables *, const char *name);

const char *shared_key(const char *table, const char *const *parts, size_t n, struct arena *);

/* Splits a key into its parts, the table's name first.  Returns their number. */
size_t shared_key_split(const char *key, const char *parts[SHARED_PARTS], struct arena *);

int shared_key_bind(struct stmt *, const char *const *parts, size_t n);

/* A row as JSON; NULL if it does not exist. */
int shared_row_json(struct db *, const struct shared_table *, const char *const *parts,
    const char **value, struct arena *, struct err *);

/* The known revision of a key, 0 if there is none, and whether the key exists. */
int shared_revision_get(struct db *, const char *key, int64_t *rev, bool *live, struct err *);
int shared_revision_put(struct db *, const char *key, const char *value, int64_t rev, struct err *);
#endif
