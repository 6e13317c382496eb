#ifndef COORDINATOR_CONTRACTS_TABLES_FRESHNESS_H
#define COORDINATOR_CONTRACTS_TABLES_FRESHNESS_H
/* Whether the tables of a group are made of its members' present facts. */

#include <stdbool.h>

#include "coordinator/calls/call.h"

struct tables_info;

/*
 * Which members' facts are in the tables, as far as the caller may see them; whether all are, and
 * are current.
 */
bool tables_coverage(struct call *, const struct tables_info *, struct coverage **out);
#endif
