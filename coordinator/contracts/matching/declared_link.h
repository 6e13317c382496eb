#ifndef COORDINATOR_CONTRACTS_MATCHING_DECLARED_LINK_H
#define COORDINATOR_CONTRACTS_MATCHING_DECLARED_LINK_H
/* The line of an atoll.yaml that joins a call with a route. */

#include "coordinator/contracts/matching/failing_step.h"

/* The route's path as a call may have it: {} for the rest, too.  In the arena or the route's own. */
const char *declared_path(const struct provider *, struct arena *);

/*
 * Set the declaration, and whose it is, if the matcher agrees that it makes the link: a host of the
 * route's repository if only that is unknown, or else a link of the caller's.
 */
void declare_link(struct match_trials *, const struct explained_call *, const struct near_route *,
    struct arena *, struct step_failure *);
#endif
