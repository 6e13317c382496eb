#ifndef COORDINATOR_CONTRACTS_LINKS_DEPENDENCY_LINKS_H
#define COORDINATOR_CONTRACTS_LINKS_DEPENDENCY_LINKS_H
/*
 * Links that follow from the manifests and documents of members: which member depends on a package
 * that another one publishes, and which documents refer to another member.  Pure and deterministic:
 * the order of members and facts does not matter.
 */

#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

struct link_list {
	struct link *v;		/* allocated; the caller frees it */
	size_t n, cap;
};

/*
 * Append a `depends_on_package` link for each dependency of a manifest on another member.  The
 * target is the repository that the manifest names, else the publisher of the exact name in the
 * same ecosystem.  A member that publishes a name itself has no dependency for it.  n publishers
 * (at most 8) give n links with confidence 1/n.
 */
void dependency_links_packages(
    const struct match_member *, size_t n, struct arena *, struct link_list *);

/*
 * Append a `references_doc` link for each document and each member that it refers to by the URL of
 * its repository, its package page or its service name.
 */
void dependency_links_documents(
    const struct match_member *, size_t n, struct arena *, struct link_list *);
#endif
