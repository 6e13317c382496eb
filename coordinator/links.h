#ifndef COORDINATOR_LINKS_H
#define COORDINATOR_LINKS_H
/* Edges between repositories that follow from their contracts.  Pure and deterministic. */

#include <stddef.h>

#include "coordinator/match.h"

/*
 * A link per cross-repository contract, and per pair of repositories depends_on and consumer_of (its reverse);
 * each once, ordered by source and target.  In the arena.
 */
struct link *links_of(const struct matched *, struct arena *, size_t *n);
#endif
