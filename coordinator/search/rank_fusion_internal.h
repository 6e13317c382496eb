#ifndef COORDINATOR_SEARCH_RANK_FUSION_INTERNAL_H
#define COORDINATOR_SEARCH_RANK_FUSION_INTERNAL_H
/*
 * What the parts of rank_fusion.h share: hits as entries of lists, and the documents that they are
 * copies of.
 */

#include <stdint.h>

#include "coordinator/search/rank_fusion.h"
#include "proto/base/minmax.h"

/*
 * The lists, in struct hit `lexical`, `exact`, `near` and `named`; as sources FUSE_LEXICAL,
 * FUSE_SYMBOL, FUSE_VECTOR and FUSE_PATH.  FUSION.md has them side by side.
 */
enum fusion_list { LIST_WORDS, LIST_NAME, LIST_VECTOR, LIST_PATH, LISTS = FUSE_LISTS };

/* A hit of a member. */
struct fusion_ref {
	struct hit *hit;
	size_t member;
	uint64_t text, file;	/* ids; the file's is unique within its member */
	struct fusion_ref *first, *next;	/* the first and the next hit with the same text */
	struct fusion_ref *own;	/* the first hit of its member with the same text */
	size_t met, own_met;	/* the last count that met this text, this text of its member */
	struct fusion_doc *doc;	/* set in `first` only */
	double score[LISTS];	/* 0 = not in that list, or too far down */
	double local;		/* score for FUSE_PER_REPO */
};

struct fusion_doc {
	struct fused_hit f;
	const struct fusion_ref *refs;	/* its copies */
	uint64_t text;
	double score[LISTS];	/* the best of its copies */
	double known[LISTS];	/* that, or the best score of its hits outside the list */
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

/* The best score of any of the documents. */
double fuse_max_score(struct fusion_doc *const *, size_t n, enum fusion_list);

/*
 * Add to the scores of `n` documents how close their files are by meaning: by the best texts of
 * the file, where a cosine of `full` counts as 1; and by all its texts on average.
 */
void fuse_add_file_scores(struct fusion_doc **, size_t n, double full, struct arena *);
void fuse_add_around_scores(struct fusion_doc **, size_t n);

/*
 * Set the relevance of `n` documents in the order of the ranking.  `full` is what counts as 1 in
 * each list; 0: nothing does.
 */
void fuse_set_relevance(struct fusion_doc *const *, size_t n, const double full[LISTS]);

/* Reduce the scores of a file's texts beyond its first ones.  Documents are ordered by score. */
void fuse_penalize_same_file(struct fusion_doc **, size_t n, struct arena *);
#endif
