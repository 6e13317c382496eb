#ifndef COORDINATOR_CONTRACTS_DEPARTED_LINKS_H
#define COORDINATOR_CONTRACTS_DEPARTED_LINKS_H
/*
 * Links that leave the graph because a new version of the matching rules does not make them.  The
 * first sync of a group after the version has changed lists them, and the log does.
 */

#include <stddef.h>

#include "coordinator/contracts/contract_tables.h"
#include "coordinator/contracts/matching/match.h"

struct departed_links {
	struct contract *old; /* the contracts between repositories, by the older rules */
	size_t nold;
	uint64_t rules; /* their version */
	struct departed_link *v; /* the first of them, in the order of the old tables */
	size_t n;
	uint64_t total; /* number of all of them */
};

/*
 * Read the tables called `name` if other rules made them; otherwise there are no old contracts, as
 * if they cannot be read, which is logged.
 */
void departed_links_read(
    struct registry *, const char *name, struct arena *, struct departed_links *);

/* Find the old contracts that the new result lacks: those of the same call and repository. */
void departed_links_find(const struct match_result *, struct arena *, struct departed_links *);

/* Log them. */
void departed_links_log(const char *group, const struct departed_links *);
#endif
