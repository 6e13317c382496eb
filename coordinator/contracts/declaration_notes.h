#ifndef COORDINATOR_CONTRACTS_DECLARATION_NOTES_H
#define COORDINATOR_CONTRACTS_DECLARATION_NOTES_H
/*
 * What is wrong with the declarations behind a group's tables: kept with the tables, and shown by
 * group_sync and group_status.
 */

#include <stddef.h>

#include "coordinator/records/records.h"

struct call;
struct match_result;
struct operator_routing;
struct tables_info;

/* The notes of a result and of the operator's table, encoded, in the call's arena. */
struct bytes declaration_notes_encode(
    struct call *, const struct match_result *, const struct operator_routing *);

/* The notes that the caller may see.  0, or -1 with the call's `e` set. */
int declaration_notes_read(struct call *, struct bytes, struct clue **v, size_t *n);
#endif
