/* How relevant each hit of a ranking is: on one scale within an answer, whatever found the hit. */
#include "coordinator/search/rank_fusion_internal.h"

#include <math.h>

#include "proto/record/hit_scores.h"

static double share(double score, double full)
{
	if (full <= 0)
		return 0;
	return fuse_smaller(1, score / full);
}

/* Whether anything was found by meaning, so that the scale is that of cosines. */
static bool has_cosines(struct fusion_doc *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i]->cosine > COSINE_UNLIKE)
			return true;
	return false;
}

/* A name that is the whole question counts by how well it fits, beside words by its share. */
static double evidence_of_name(double score, double full)
{
	if (score > NAME_IN_TEXT_MAX)
		return share(floor(score), NAME_SCORE_WRITTEN);
	return share(score, full);
}

/* The strongest evidence for a document.  Words count where its meaning is unknown. */
static double evidence_of(const struct fusion_doc *d, const double full[LISTS], double words)
{
	double best = d->cosine;

	if (best <= COSINE_UNLIKE)
		best = words * share(d->lexical, full[LIST_WORDS]);
	best = fuse_larger(best, evidence_of_name(d->known[LIST_NAME], full[LIST_NAME]));
	return fuse_larger(best, share(d->known[LIST_PATH], full[LIST_PATH]));
}

/*
 * What is ranked above a hit is at least as relevant as that hit, so that a minimum cuts off the
 * end of the ranking.
 */
void fuse_set_relevance(struct fusion_doc *const *v, size_t n, const double full[LISTS])
{
	double words = 1, least = 0;

	if (has_cosines(v, n))
		words = full[LIST_VECTOR];
	for (size_t i = n; i-- > 0;) {
		least = fuse_larger(least, evidence_of(v[i], full, words));
		v[i]->f.relevance = least;
	}
}
