#ifndef COORDINATOR_INVENTORY_PACKAGE_INVENTORY_H
#define COORDINATOR_INVENTORY_PACKAGE_INVENTORY_H
/*
 * Which repositories use which versions of which packages, from the manifests of the members of a
 * group.  Pure and deterministic: the order of members and facts does not matter.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

/* What to list; a field that is not set matches everything. */
struct inventory_filter {
	const char *repo_uri; /* only what this repository declares or publishes */
	const char *ecosystem;
	const char *name; /* a text within the name, in any case */
	bool external; /* only what no member publishes */
};

struct package_inventory {
	struct package_row *v; /* by ecosystem and name, with all declarations */
	size_t n;
	size_t places; /* declarations; a package without one counts as one */
	size_t external; /* packages with a declaration that has no publisher */
};

/* List the packages that the members declare and publish.  In the arena. */
void package_inventory_build(const struct match_member *, size_t n, const struct inventory_filter *,
    struct arena *, struct package_inventory *);

/* At most `limit` places from the one numbered `from` on: rows with some of their declarations. */
void package_inventory_page(const struct package_inventory *, size_t from, size_t limit,
    struct arena *, struct package_row **v, size_t *n);
#endif
