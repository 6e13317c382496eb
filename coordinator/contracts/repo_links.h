#ifndef COORDINATOR_CONTRACTS_REPO_LINKS_H
#define COORDINATOR_CONTRACTS_REPO_LINKS_H
/*
 * Edges between repositories that follow from their contracts, manifests and documents.  Pure and
 * deterministic.
 */

#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

/*
 * A link per cross-repository contract, dependency on a package, and document that refers to
 * another repository (dependency_links.h); and per pair of repositories that contracts or packages
 * make, depends_on and consumer_of (its reverse).  Each once, ordered by source and target.  In
 * the arena.
 */
struct link *repo_links_build(const struct match_result *, const struct match_member *,
    size_t nmembers, struct arena *, size_t *n);
#endif
