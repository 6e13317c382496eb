#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_TOPIC_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_TOPIC_H
/*
 * Topics and queues, which are matched by name: whoever listens to the name, to a pattern of it,
 * to its exchange, or to a queue that somebody subscribes to it.  Brokers and exchanges that are
 * known to be others are kept apart.
 */

#include "coordinator/contracts/matching/match_internal.h"

struct topic_index;

/* Of the members of `work`.  topic_index_free takes it away. */
struct topic_index *topic_index_new(const struct match_context *);
void topic_index_free(struct topic_index *);	/* NULL is fine */

/* Put the listeners of what the call publishes to into its targets, each once. */
void topic_index_add_listeners(struct match_context *, struct call_site *);
#endif
