#ifndef COORDINATOR_CONTRACTS_CONTRACT_TABLES_BUILD_H
#define COORDINATOR_CONTRACTS_CONTRACT_TABLES_BUILD_H
/* Builds the tables of contracts and links from the facts of members. */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/contracts/contract_tables.h"
#include "coordinator/contracts/departed_links.h"
#include "coordinator/contracts/matching/match.h"

struct call;

/* Rows written, whether they differ from the previous ones, and when. */
struct tables_build_result {
	size_t contracts, links;
	bool changed;
	const char *at;
	struct clue *notes; /* what is wrong with declarations, as far as the caller may see it */
	size_t nnotes;
	struct departed_links departed;
};

/*
 * Match the members' facts and replace the tables called `name` in `r`.  `m` must have room for one
 * more member (operator_routing.h).  `synced` holds the version of each member's facts.  0, or -1
 * with the call's `e` set.
 */
int tables_build(struct call *, struct match_member *m, const struct synced_member *, size_t n,
    struct registry *r, const char *name, struct tables_build_result *);
#endif
