#ifndef COORDINATOR_CONTRACTS_TABLES_FRESHNESS_H
#define COORDINATOR_CONTRACTS_TABLES_FRESHNESS_H
/* Whether the tables of a group are made of its members' present facts. */

#include <stdbool.h>

#include "coordinator/calls/call.h"

struct tables;

/* Which members' facts are in the tables, as far as the caller may see them; whether all are, and are current. */
bool current_coverage(struct call *, const struct tables *, struct coverage **out);
#endif
