#ifndef PROTO_RECORD_HIT_SCORES_H
#define PROTO_RECORD_HIT_SCORES_H
/* What some numbers in a hit's scores mean. */

/*
 * hit.exact: up to NAME_IN_TEXT_MAX, the name is one of several words of the question.  Above it,
 * the question is nothing but this name, or its beginning: the integer is the fit
 * (shard/search/name_fit.h), the rest orders equal fits.
 */
enum {
	NAME_IN_TEXT_MAX = 3,
	NAME_SCORE_BEGINS_SIMILAR = 4,
	NAME_SCORE_BEGINS,
	NAME_SCORE_ELSEWHERE,
	NAME_SCORE_SIMILAR,
	NAME_SCORE_FOLDED,
	NAME_SCORE_WRITTEN,
};

/* hit.cosine of a document with a vector that is not similar at all; 0 is one without a vector. */
#define COSINE_UNLIKE 1e-9
#endif
