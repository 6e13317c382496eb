#ifndef COORDINATOR_CONTRACTS_TABLES_FRESHNESS_H
#define COORDINATOR_CONTRACTS_TABLES_FRESHNESS_H
/* Whether the tables of a group are built from its members' current facts. */

#include <stdbool.h>

#include "coordinator/calls/call.h"

struct tables_info;

/*
 * Report which members' facts are in the tables, as far as the caller may see the members.  Returns
 * whether the tables hold the current facts of all of them.
 */
bool tables_coverage(struct call *, const struct tables_info *, struct coverage **out);

/* The answer depends on the facts in the tables: notes what cannot be read of their members. */
void tables_note_partial(struct call *, const struct tables_info *);
#endif
