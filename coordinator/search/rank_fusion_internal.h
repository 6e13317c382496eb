#ifndef COORDINATOR_SEARCH_RANK_FUSION_INTERNAL_H
#define COORDINATOR_SEARCH_RANK_FUSION_INTERNAL_H
/* What the parts of rank_fusion.h share: hits as members of lists, and the documents that they are copies of. */

#include <stdint.h>

#include "coordinator/search/rank_fusion.h"

enum list { BY_WORDS, BY_NAME, BY_MEANING, BY_PATH, LISTS = FUSE_LISTS };

/* A hit of a member. */
struct ref {
	struct hit *hit;
	size_t member;
	uint64_t text, file;	/* which; a file of this member */
	struct ref *first, *next;	/* of the hits that are the same text; the next of these */
	struct ref *own;	/* the first of these of its member */
	size_t met, own_met;	/* of the first, of the first of a member: the last count that met it */
	struct doc *doc;	/* of the first */
	double score[LISTS];	/* 0: not in that list, or too far down */
	double local;		/* FUSE_PER_REPO */
};

struct doc {
	struct fused f;
	const struct ref *refs;	/* its copies */
	uint64_t text;
	double score[LISTS];	/* the best of its copies */
	double known[LISTS];	/* that, or what its hits have beside the list */
	double lexical, cosine, around;
};

static inline double fuse_larger(double a, double b)
{
	return a > b ? a : b;
}

static inline double fuse_smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Whether a hit is in any list. */
bool fuse_listed(const struct ref *);

/* The best that any of the documents has. */
double fuse_best(struct doc *const *, size_t n, enum list);

/* Add to the scores of `n` documents what the texts of their files say by meaning: the best of them, of which `full` counts as 1, and all on average. */
void fuse_files(struct doc **, size_t n, double full, struct arena *);
void fuse_around(struct doc **, size_t n);

/* Lessen the scores of what a file has beyond its first texts; the documents are in order of score. */
void fuse_crowd(struct doc **, size_t n, struct arena *);
#endif
