#ifndef COORDINATOR_CONTRACTS_LINKS_REPO_GRAPH_H
#define COORDINATOR_CONTRACTS_LINKS_REPO_GRAPH_H
/* Repositories as a graph: edges, cycles, and PageRank.  Pure and deterministic. */

#include <stddef.h>

#include "coordinator/records/records.h"

struct arena;

/*
 * Fill repos, edges and cycles of `out` from the counts of tables_link_pairs, which are ordered by
 * source and target.  Each of `nodes` has its repo_uri and name; pairs of other repositories are
 * ignored.
 */
void repo_graph_build(const struct repo_node *nodes, size_t n, const struct contract_pair *pairs,
    size_t npairs, struct arena *, struct repo_graph_out *out);
#endif
