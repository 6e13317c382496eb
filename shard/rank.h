#ifndef SHARD_RANK_H
#define SHARD_RANK_H
/*
 * Documents ranked by BM25 as in Robertson and Zaragoza (2009), k1 = 1.2, b = 0.75, where the frequency of a term is its
 * weight in the document (postings.h), times the document's prior (prior.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct db;
struct err;

/* What an index knows of its documents, by id from 0 (which is none). */
struct ranking {
	const uint16_t *lengths;	/* 0: removed */
	const uint8_t *priors;		/* percent */
	size_t n;
	double documents, average;	/* how many are there, and their length */
};

/* A term, and how much it decides. */
struct weighed {
	const char *text;
	double idf;
	int64_t documents;
};

/* How much a term decides that is in `documents` of `all`: log(1 + (all - documents + 0.5) / (documents + 0.5)). */
double rank_idf(double documents, double all);

/* Count the documents of each term (weighed.documents) and what it decides in this index. */
int rank_weigh(struct db *, const struct ranking *, struct weighed *terms, size_t n, struct err *);

struct candidate {
	int64_t doc;
	double score;
};

struct candidates {
	struct candidate *v;	/* the best first; equal ones in order of id */
	size_t n;
};

/* What is asked of the documents. */
struct rank_request {
	const struct weighed *terms;
	size_t nterms;
	bool all;		/* hold every term; else at least one */
	size_t want;
	bool (*keep)(void *, int64_t doc);	/* of those that score high enough; NULL: all */
	void *arg;
};

/*
 * The `want` best documents, and all that score as the last of them (up to RANK_TIES more), in the arena.  The sums are made
 * in the order of the terms.
 */
enum { RANK_TIES = 2000 };
int rank_documents(struct db *, const struct ranking *, const struct rank_request *, struct arena *, struct candidates *out,
    struct err *);
#endif
