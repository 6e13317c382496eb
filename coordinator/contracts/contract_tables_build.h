#ifndef COORDINATOR_CONTRACTS_CONTRACT_TABLES_BUILD_H
#define COORDINATOR_CONTRACTS_CONTRACT_TABLES_BUILD_H
/* The tables of contracts and links, made of the facts of members. */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/contracts/contract_tables.h"
#include "coordinator/contracts/matching/match.h"

struct call;

/* What was made: rows written, whether they differ from before, and when. */
struct tables_build_result {
	size_t contracts, links;
	bool changed;
	const char *at;
};

/*
 * Match the members' facts and replace the tables that `r` has under `name`.  `m` has room for one
 * more (operator_routing.h); `synced` says of each of the `n` which version its facts are of.  -1
 * with the call's `e`.
 */
int tables_build(struct call *, struct match_member *m, const struct synced_member *, size_t n,
    struct registry *r, const char *name, struct tables_build_result *);
#endif
