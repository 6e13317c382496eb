#ifndef COORDINATOR_SEARCH_RANK_FUSION_INTERNAL_H
#define COORDINATOR_SEARCH_RANK_FUSION_INTERNAL_H
/*
 * What the parts of rank_fusion.h share: hits as members of lists, and the documents that they are
 * copies of.
 */

#include <stdint.h>

#include "coordinator/search/rank_fusion.h"
#include "proto/base/minmax.h"

enum fusion_list { LIST_WORDS, LIST_NAME, LIST_VECTOR, LIST_PATH, LISTS = FUSE_LISTS };

/* A hit of a member. */
struct fusion_ref {
	struct hit *hit;
	size_t member;
	uint64_t text, file;	/* which; a file of this member */
	struct fusion_ref *first, *next;	/* of the hits that are the same text; the next of these */
	struct fusion_ref *own;	/* the first of these of its member */
	size_t met, own_met;	/* of the first, of the first of a member: the last count that met it */
	struct fusion_doc *doc;	/* of the first */
	double score[LISTS];	/* 0: not in that list, or too far down */
	double local;		/* FUSE_PER_REPO */
};

struct fusion_doc {
	struct fused_hit f;
	const struct fusion_ref *refs;	/* its copies */
	uint64_t text;
	double score[LISTS];	/* the best of its copies */
	double known[LISTS];	/* that, or what its hits have beside the list */
	double lexical, cosine, around;
};

static inline double fuse_larger(double a, double b)
{
	return MAX(a, b);
}

static inline double fuse_smaller(double a, double b)
{
	return MIN(a, b);
}

/* Whether a hit is in any list. */
bool fuse_listed(const struct fusion_ref *);

/* The best that any of the documents has. */
double fuse_max_score(struct fusion_doc *const *, size_t n, enum fusion_list);

/*
 * Add to the scores of `n` documents what the texts of their files say by meaning: the best of
 * them, of which `full` counts as 1, and all on average.
 */
void fuse_add_file_scores(struct fusion_doc **, size_t n, double full, struct arena *);
void fuse_add_around_scores(struct fusion_doc **, size_t n);

/*
 * Lessen the scores of what a file has beyond its first texts; the documents are in order of
 * score.
 */
void fuse_penalize_same_file(struct fusion_doc **, size_t n, struct arena *);
#endif
