#ifndef COORDINATOR_SEARCH_MEANING_THRESHOLD_H
#define COORDINATOR_SEARCH_MEANING_THRESHOLD_H
/*
 * The cosine from which a text matches a question by its meaning alone.  It is measured on the
 * embedder, by the cosines of questions and code that have nothing to do with each other
 * (unrelated_texts.def): among many documents the nearest one is as many of their standard
 * deviations above their mean by chance alone as sqrt(2 ln(documents)), and a match is above that
 * (tests/results/ranking.md).  It does not depend on who answers, so that a hit stays what it is
 * when a member dies.
 */

#include <stdbool.h>
#include <stdint.h>

struct embedder;
struct meaning_threshold;

/* How similar unrelated texts are to an embedder. */
struct unrelated_cosines {
	double mean, deviation;
};

/* The threshold of an embedder, which must outlive it.  Thread-safe. */
struct meaning_threshold *meaning_threshold_new(struct embedder *);
void meaning_threshold_free(struct meaning_threshold *);	/* NULL is fine */

/* Whether it is to be measured now: it is not known, and nobody is at it or has just failed. */
bool meaning_threshold_is_wanted(struct meaning_threshold *);

/*
 * Measure it if it is not known yet, in at most `deadline_ms`.  A failure is logged, and measuring
 * is tried again after a minute.
 */
void meaning_threshold_measure(struct meaning_threshold *, int deadline_ms);

/*
 * The threshold for a search among so many documents; while it is not known, one that no cosine
 * reaches.
 */
double meaning_threshold_get(struct meaning_threshold *, uint64_t documents);

/* The same for given cosines; one that none reaches if there is no deviation. */
double meaning_threshold_above(const struct unrelated_cosines *, uint64_t documents);
struct unrelated_cosines meaning_threshold_cosines(const double *cosines, unsigned n);
#endif
