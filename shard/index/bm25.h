#ifndef SHARD_INDEX_BM25_H
#define SHARD_INDEX_BM25_H
/*
 * Documents ranked by BM25 as in Robertson and Zaragoza (2009), k1 = 1.2, b = 0.5, where the
 * frequency of a term is its weight in the document (postings.h) and of its other forms
 * (proto/text/word_forms.h) a share of theirs, times the document's prior (document_prior.h), and
 * how much a term decides is times what its word tells (proto/text/word_weights.h); and half of
 * what the best documents of its file get so for each term.
 *
 * A score depends on nothing but the document and the statistics.  So shards that are given the
 * statistics of all of them together give each document the score that it would have in one index
 * of everything, to the last bit.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct db;
struct err;

/* What an index knows of its documents, by id from 0 (which is none). */
struct ranking {
	const uint16_t *lengths;	/* 0: removed */
	const uint8_t *priors;		/* percent */
	const uint32_t *files;		/* which file each is of */
	const uint64_t *texts;		/* which text each is (text_id.h) */
	const uint32_t *hashes;		/* the low bits of docs.hash */
	size_t n, nfiles;		/* how many ids of documents and files there are, also free ones */
	uint64_t documents, words;	/* how many are there, and their lengths together */
	int64_t generation;		/* of the index that it is of */
	/* the priors are those of a question for tests (document_prior_for_tests) */
	bool for_tests;
};

/*
 * What scores rest on: terms with the number of documents that hold them, of so many with so many
 * words.
 */
struct statistics {
	const struct term_count *terms;
	size_t nterms;
	uint64_t documents, words;
};

/*
 * How much a term decides that is in `documents` of `all`: log(1 + (all - documents + 0.5) /
 * (documents + 0.5)).
 */
double bm25_idf(double documents, double all);

/* Scores of all documents of an index for one question.  Not thread-safe. */
struct bm25_scores;

/*
 * Score by the statistics, terms in their order; `all`: documents that do not hold every term have
 * none.  NULL with `e`. The ranking must outlive the scores.  `old`: scores that are cleared,
 * whose memory is used again, or NULL; they end.
 */
struct bm25_scores *bm25_scores_new(struct bm25_scores *old, struct db *, const struct ranking *,
    const struct statistics *, bool all, struct err *);
/* no document has any more; while the ranking still is there */
void bm25_scores_clear(struct bm25_scores *);
void bm25_scores_free(struct bm25_scores *);	/* NULL is fine */

/*
 * What no score by these statistics is above, whatever the documents are; the same in each index
 * that is given them.  0: no terms.
 */
double bm25_scores_upper_bound(const struct bm25_scores *);

/* The score of a document; 0: none. */
double bm25_scores_get(const struct bm25_scores *, int64_t doc);

struct scored_doc {
	int64_t doc;
	double score;
};

struct scored_docs {
	struct scored_doc *v;	/* the best first; equal ones in order of id */
	size_t n;
};

/*
 * The `want` best documents that `keep` (NULL: all) keeps, and all that score as the last of them
 * (up to BM25_TIES_MAX more), in the arena.  `keep` is asked of each document at most once, of the
 * better ones first, and of none that scores less than `least`.
 */
enum { BM25_TIES_MAX = 4000 };
void bm25_scores_top(const struct bm25_scores *, size_t want, double least,
    bool (*keep)(void *, int64_t doc), void *arg, struct arena *, struct scored_docs *out);
#endif
