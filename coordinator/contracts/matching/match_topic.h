#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_TOPIC_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_TOPIC_H
/*
 * Matches topics and queues by name: the listeners of the name, of a pattern that it fits, of its
 * exchange, or of a queue that is subscribed to it.  Brokers and exchanges that are known to differ
 * do not match.
 */

#include "coordinator/contracts/matching/match_internal.h"

struct topic_index;

/* Indexes the topics of all members of the context.  Free with topic_index_free. */
struct topic_index *topic_index_new(const struct match_context *);
void topic_index_free(struct topic_index *);	/* NULL is fine */

/* Add the listeners of the topic that the call publishes to to its targets, without duplicates. */
void topic_index_add_listeners(struct match_context *, struct call_site *);
#endif
