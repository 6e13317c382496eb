#ifndef COORDINATOR_CALLS_PARTIAL_ANSWERS_H
#define COORDINATOR_CALLS_PARTIAL_ANSWERS_H
/*
 * What the indexes behind an answer lack of their repositories (proto/record/gaps.def).  Whatever
 * reads a member's index says so here; when the call ends, its answer gets `coverage.partial`,
 * `coverage.notes` and `complete`, so that no tool can forget it.
 */

#include "coordinator/calls/call.h"

struct member;

/*
 * The call's answer depends on what this RPC reads from the member's index.  `stamp` may be NULL:
 * then only a failed search for a name mentions what the member lacks.
 */
void partial_note(struct call *, const struct member *, const struct freshness *, enum rpc_id);

/* Begins an answer: complete until something is noted, if the tool does not judge it itself. */
void partial_begin(struct call *);

/* Adds what was noted to the answer, or to the hint of a NOT_FOUND. */
void partial_end(struct call *);
#endif
