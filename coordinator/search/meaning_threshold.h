#ifndef COORDINATOR_SEARCH_MEANING_THRESHOLD_H
#define COORDINATOR_SEARCH_MEANING_THRESHOLD_H
/*
 * The cosine from which a text matches a question by its meaning alone.  It is measured on the
 * embedder: as many standard deviations above the mean cosine of questions and code that have
 * nothing to do with each other (unrelated_texts.def) as separates answers from texts that are near
 * by chance (tests/results/ranking.md).  It does not depend on the repositories, so that a hit
 * stays what it is when others join or die.
 */

struct embedder;
struct meaning_threshold;

/* The threshold of an embedder, which must outlive it.  Thread-safe. */
struct meaning_threshold *meaning_threshold_new(struct embedder *);
void meaning_threshold_free(struct meaning_threshold *);	/* NULL is fine */

/*
 * Measure it if it is not known yet, in at most `deadline_ms`.  A failure is logged, and measuring
 * is tried again after a minute.
 */
void meaning_threshold_measure(struct meaning_threshold *, int deadline_ms);

/* The threshold; while it is not known, one that no cosine reaches. */
double meaning_threshold_get(struct meaning_threshold *);

/* The threshold for these cosines of unrelated texts; one that none reaches if all are equal. */
double meaning_threshold_above(const double *cosines, unsigned n);
#endif
