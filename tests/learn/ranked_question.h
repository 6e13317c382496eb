#ifndef TESTS_LEARN_RANKED_QUESTION_H
#define TESTS_LEARN_RANKED_QUESTION_H
/* A question that is played, and what it gives the documents of a federation. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/question.h"
#include "tests/learn/federation.h"
#include "tests/learn/offline_ranker.h"

struct model;
struct model_counts;

enum { WORDS = 100, NAME = 64 };

struct ranked_question {
	int id;
	bool without_tests;
	char *terms, *text, *words;	/* of the comment that is taken out; what is embedded then; what is asked */
	struct question q;
	size_t *stripped, nstripped;		/* the documents whose comment is taken out */
	float vec[DIM], stripped_vec[DIM];	/* of the words; of those documents without it */
};

/* What one word gives. */
struct term_scores {
	char name[NAME];
	float idf;
	int32_t documents;
	float *doc, *file;		/* each document; the best of each file */
};

struct score_table {
	struct federation f;
	struct model *model;
	struct model_counts *counts;
	struct term_scores by_term[WORDS];
	int32_t nterms;
	float *words, *near, *named;	/* what each document has of the question by words, by meaning, by name */
	float *weight;			/* of the word at hand; 0 between words */
	size_t *held, nheld;		/* the documents with a weight */
	int32_t *pool, npool;		/* what word_weights.py chooses from */
	bool *pooled;
};

/* What is scored is worth that much of it. */
static inline float prior_of(const struct ranked_question *k, const struct doc *d)
{
	return k->without_tests && d->test ? 0 : d->prior / 100;
}

/* Score all documents by words (term_scores.c): as shard/index/bm25.c, but that what each word gives is kept.  Fills `by_term`, `words`. */
void score_words(struct score_table *, const struct ranked_question *);
#endif
