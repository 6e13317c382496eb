#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_KEPT_ROWS_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_KEPT_ROWS_H
/* The rows of a former match that stay as they are. */

#include "coordinator/contracts/matching/match_internal.h"

/* Rows of `before` that are not yet passed, in the order of the callers. */
struct kept_rows {
	const struct match_result *before;
	size_t contracts, unresolved;
};

/* Whether the rows of all callers that are not matched again lead to what the members provide. */
bool kept_rows_fit(
    const struct match_context *, const struct match_result *before, const bool *again);

/*
 * Pass the rows of the next caller.  If they stay, append them to those of the context, and mark
 * the providers to which they lead as used.
 */
void kept_rows_pass(struct kept_rows *, struct match_context *, size_t caller, bool stay);
#endif
