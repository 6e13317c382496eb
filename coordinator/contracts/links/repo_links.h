#ifndef COORDINATOR_CONTRACTS_LINKS_REPO_LINKS_H
#define COORDINATOR_CONTRACTS_LINKS_REPO_LINKS_H
/*
 * Links between repositories that follow from their contracts, manifests and documents.  Pure and
 * deterministic.
 */

#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

/*
 * One link for each cross-repository contract, each dependency on a package and each document that
 * refers to another repository (dependency_links.h).  Each pair of repositories that contracts or
 * packages connect also gets depends_on and its reverse, consumer_of.  Without duplicates, ordered
 * by source and target.  In the arena.
 */
struct link *repo_links_build(const struct match_result *, const struct match_member *,
    size_t nmembers, struct arena *, size_t *n);
#endif
