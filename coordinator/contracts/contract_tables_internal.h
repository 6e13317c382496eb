#ifndef COORDINATOR_CONTRACTS_CONTRACT_TABLES_INTERNAL_H
#define COORDINATOR_CONTRACTS_CONTRACT_TABLES_INTERNAL_H
/* What contract_tables.c (facts, writing) and contract_tables_query.c (pages, counts) share. */

#include "coordinator/contracts/contract_tables.h"

struct db;
struct stmt;

/* A column of the current row, copied into the arena. */
struct bytes tables_blob_column(struct stmt *, int col, struct arena *);

/* Fill `synced_at` and `digest`; they stay as they are if the group does not exist. */
int tables_read_head(
    struct db *, const char *group, struct tables_info *, struct arena *, struct err *);
#endif
