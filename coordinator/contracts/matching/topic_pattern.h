#ifndef COORDINATOR_CONTRACTS_MATCHING_TOPIC_PATTERN_H
#define COORDINATOR_CONTRACTS_MATCHING_TOPIC_PATTERN_H
/*
 * What stands for several topics.  An expression, which begins with ^ (Kafka), must fit from the
 * beginning; else {} is some text, * a word between dots, # any words.
 */

#include <stdbool.h>

struct topic_pattern;

/* Whether the name of a topic is a pattern. */
bool topic_is_pattern(const char *name);

/*
 * Of a text that outlives it.  An expression that is wrong fits nothing.  topic_pattern_free takes
 * it away.
 */
struct topic_pattern *topic_pattern_new(const char *text);
void topic_pattern_free(struct topic_pattern *);	/* NULL is fine */

/* Bounded: a name that an expression would have to be tried on for long does not fit. */
bool topic_pattern_fits(const struct topic_pattern *, const char *name);
#endif
