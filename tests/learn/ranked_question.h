#ifndef TESTS_LEARN_RANKED_QUESTION_H
#define TESTS_LEARN_RANKED_QUESTION_H
/* A question, and the scores that it gives the documents of a federation. */

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
	char *terms, *text, *words;	/* of the removed comment; the text without it; of the question */
	struct question q;
	size_t *stripped, nstripped;	/* the documents whose comment is removed */
	float vec[DIM], stripped_vec[DIM];	/* of the question; of those documents without their comment */
};

/* The scores that one word gives. */
struct term_scores {
	char name[NAME];
	float idf;
	int32_t documents;
	float *doc, *file;		/* of each document; the best of each file */
};

struct score_table {
	struct federation f;
	struct model *model;
	struct model_counts *counts;
	struct term_scores by_term[WORDS];
	int32_t nterms;
	float *words, *near, *named;	/* scores of each document by words, by vectors, by name */
	float *weight;			/* of the current word; 0 between words */
	size_t *held, nheld;		/* the documents with a weight */
	int32_t *pool, npool;		/* the candidates of word_weights.py */
	bool *pooled;
};

/* The factor of a document's score. */
static inline float prior_of(const struct ranked_question *k, const struct doc *d)
{
	return k->without_tests && d->test ? 0 : d->prior / 100;
}

/* Score all documents by words, like shard/index/bm25.c, but record the score of each word.  Fills `by_term` and `words`. */
void score_words(struct score_table *, const struct ranked_question *);
#endif
