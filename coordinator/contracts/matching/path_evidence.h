#ifndef COORDINATOR_CONTRACTS_MATCHING_PATH_EVIDENCE_H
#define COORDINATOR_CONTRACTS_MATCHING_PATH_EVIDENCE_H
/* Whether method and path are enough to say that a call, whose host tells nothing, is for a provider. */

#include "coordinator/contracts/matching/match_internal.h"

/*
 * Some fixed text must agree, and more of it if less else is known.  A provider of a repository that
 * has nothing to do with the caller also needs support by the other requests to the same address.
 */
bool path_is_evidence(const struct match_context *, const struct call_site *,
    const struct provider *, const struct path_match *);

/*
 * Whether a gRPC method or a field of GraphQL that has the name of the call may be the one: between
 * strangers only if both write the same package.
 */
bool name_is_evidence(
    const struct match_context *, const struct call_site *, const struct provider *, bool exact);

/*
 * Remove the members that only resemble a name, have nothing to do with the member that uses it, and
 * do not serve most of what the call's address is asked for, if a call is given.
 */
void drop_strangers(
    const struct match_context *, size_t user, const struct call_site *, struct host_names *);
#endif
