#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_TOPIC_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_TOPIC_H
/*
 * Topics and queues, which are matched by name: whoever listens to the name, to a pattern of it, to its exchange, or to a queue that
 * somebody subscribes to it.  Brokers and exchanges that are known to be others are kept apart.
 */

#include "coordinator/contracts/matching/match_internal.h"

struct topics;

/* Of the members of `work`.  topics_free takes it away. */
struct topics *topics_new(const struct work *);
void topics_free(struct topics *);	/* NULL is fine */

/* Put the listeners of what the call publishes to into its targets, each once. */
void topics_find(struct work *, struct call_site *);
#endif
