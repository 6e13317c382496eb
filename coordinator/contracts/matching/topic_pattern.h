#ifndef COORDINATOR_CONTRACTS_MATCHING_TOPIC_PATTERN_H
#define COORDINATOR_CONTRACTS_MATCHING_TOPIC_PATTERN_H
/*
 * Patterns that stand for several topics.  A regular expression begins with ^ (Kafka) and must
 * match from the beginning of the name.  In other patterns {} is any text that is not empty, * is
 * one word between dots, and # is any number of words.
 */

#include <stdbool.h>

struct topic_pattern;

/* Whether the name of a topic is a pattern. */
bool topic_is_pattern(const char *name);

/*
 * The text must outlive the pattern.  An invalid regular expression matches nothing.  Free with
 * topic_pattern_free.
 */
struct topic_pattern *topic_pattern_new(const char *text);
void topic_pattern_free(struct topic_pattern *);	/* NULL is fine */

/* The effort is bounded: a name for which an expression takes too many steps does not match. */
bool topic_pattern_fits(const struct topic_pattern *, const char *name);
#endif
