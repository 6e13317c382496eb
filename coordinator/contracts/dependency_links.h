#ifndef COORDINATOR_CONTRACTS_DEPENDENCY_LINKS_H
#define COORDINATOR_CONTRACTS_DEPENDENCY_LINKS_H
/*
 * Links that manifests and documents of members make: who depends on a package that another one
 * publishes, and which documents refer to another one.  Pure and deterministic: neither the order
 * of members nor that of facts matters.
 */

#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

struct link_list {
	struct link *v;		/* from grow(): the caller frees it */
	size_t n, cap;
};

/*
 * Append `depends_on_package`, one for each dependency of a manifest on another member: by the
 * repository that the manifest names, else by the exact name in the same ecosystem; who publishes
 * a name itself depends on nobody for it.  Several publishers: one each, with confidence 1/n, at
 * most 8.
 */
void dependency_links_packages(
    const struct match_member *, size_t n, struct arena *, struct link_list *);

/*
 * Append `references_doc`, one for each document and member that it refers to: by repository,
 * package page or service name.
 */
void dependency_links_documents(
    const struct match_member *, size_t n, struct arena *, struct link_list *);
#endif
