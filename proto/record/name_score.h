#ifndef PROTO_RECORD_NAME_SCORE_H
#define PROTO_RECORD_NAME_SCORE_H
/*
 * What the numbers in hit.exact mean.  Up to NAME_IN_TEXT_MAX, the name is one of several words of
 * the question.  Above it, the question is nothing but this name, or its beginning: the integer is
 * the fit (shard/search/name_fit.h), the rest orders equal fits.
 */

enum {
	NAME_IN_TEXT_MAX = 3,
	NAME_SCORE_BEGINS = 4,
	NAME_SCORE_ELSEWHERE,
	NAME_SCORE_SIMILAR,
	NAME_SCORE_FOLDED,
	NAME_SCORE_WRITTEN,
	NAME_SCORE_END		/* every score is below */
};
#endif
