#ifndef COORDINATOR_CONTRACTS_MATCHING_FAILING_STEP_TEXT_H
#define COORDINATOR_CONTRACTS_MATCHING_FAILING_STEP_TEXT_H
/* What fails between a call and a route, in words. */

#include "coordinator/contracts/matching/failing_step.h"

/* Set the text of a failure whose step is known, and the place of what is computed. */
void failing_step_text(const struct match_context *, const struct explained_call *,
    const struct near_route *, struct arena *, struct step_failure *);

/* A name of an address in the call's expression that is no member's, as FOO of FOO_URL; or NULL. */
const char *unknown_variable(const struct match_context *, const struct fact *call, struct arena *);
#endif
