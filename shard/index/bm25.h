#ifndef SHARD_INDEX_BM25_H
#define SHARD_INDEX_BM25_H
/*
 * Ranks documents by BM25 as in Robertson and Zaragoza (2009) with k1 = 1.2 and b = 0.5, and these
 * changes:
 *
 * - The frequency of a term is its weight in the document (postings.h).  Other forms of the word
 *   (proto/text/word_forms.h) count a share of their weight.
 * - The score is multiplied by the document's prior (document_prior.h).
 * - A term's idf is multiplied by the weight of its word (proto/text/word_weights.h).
 * - For each term a document also gets half of what the best document of its file gets.
 *
 * A score depends on nothing but the document and the statistics.  Shards that are given the
 * statistics of all of them together therefore compute exactly the scores, to the last bit, that
 * one index of all repositories would.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct db;
struct err;

/* What ranking needs to know about each document, by id; id 0 is unused. */
struct ranking {
	const uint16_t *lengths;	/* in words; 0 = removed */
	const uint8_t *priors;		/* percent */
	const uint32_t *files;		/* the id of the document's file */
	const uint64_t *texts;		/* identifies the document's text (text_id.h) */
	const uint32_t *hashes;		/* the low bits of docs.hash */
	size_t n, nfiles;		/* numbers of ids of documents and files, including free ones */
	uint64_t documents, words;	/* number of live documents, and the sum of their lengths */
	int64_t generation;		/* of the index */
	bool for_tests;			/* priors as for a question about tests (document_prior_for_tests) */
};

/*
 * What scores are based on: for each term the number of documents that contain it, out of
 * `documents` with `words` words in total.
 */
struct statistics {
	const struct term_count *terms;
	size_t nterms;
	uint64_t documents, words;
};

/*
 * The inverse document frequency of a term that is in `documents` of `all`: log(1 + (all -
 * documents + 0.5) / (documents + 0.5)).
 */
double bm25_idf(double documents, double all);

/* The scores of all documents of an index for one question. Not thread-safe. */
struct bm25_scores;

/*
 * Computes the scores, terms in the order of the statistics. With `all`, documents that do not
 * contain every term have no score. Returns NULL with `e`. The ranking must outlive the scores.
 * `old` is a set of cleared scores whose memory is reused, or NULL; it is consumed.
 */
struct bm25_scores *bm25_scores_new(struct bm25_scores *old, struct db *, const struct ranking *,
    const struct statistics *, bool all, struct err *);
/* Sets all scores to none. The ranking must still exist. */
void bm25_scores_clear(struct bm25_scores *);
void bm25_scores_free(struct bm25_scores *);	/* NULL is fine */

/*
 * An upper bound of every score by these statistics, whatever the documents are; the same in each
 * index that is given them. 0 if there are no terms.
 */
double bm25_scores_upper_bound(const struct bm25_scores *);

/* The score of a document; 0 if it has none. */
double bm25_scores_get(const struct bm25_scores *, int64_t doc);

struct scored_doc {
	int64_t doc;
	double score;
};

struct scored_docs {
	struct scored_doc *v;	/* best first; equal ones in order of id */
	size_t n;
};

/*
 * Finds the `want` best documents that `keep` accepts (NULL accepts all), and all that score the
 * same as the last of them (up to BM25_TIES_MAX more), in the arena. `keep` is called at most once
 * per document, for better ones first, and for none that scores less than `least`.
 */
enum { BM25_TIES_MAX = 4000 };
void bm25_scores_top(const struct bm25_scores *, size_t want, double least,
    bool (*keep)(void *, int64_t doc), void *arg, struct arena *, struct scored_docs *out);
#endif
