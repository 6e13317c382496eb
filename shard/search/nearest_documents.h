#ifndef SHARD_SEARCH_NEAREST_DOCUMENTS_H
#define SHARD_SEARCH_NEAREST_DOCUMENTS_H
/*
 * The documents whose vectors are nearest to a query's.  A file of vectors is one thread's for
 * that: what was worked out stays with it.
 */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct ranking;
struct vectors;

struct nearest_document {
	int64_t doc;
	double cosine;		/* above 0, at most 1 */
	double score;		/* that times the document's prior (document_prior.h) */
};

struct nearest_documents {
	struct nearest_document *v;	/* the best first; equal ones in order of id */
	size_t n;
};

/*
 * The `want` best by score, in the arena.  `keep`: a bit for each document that may be found
 * (NULL: all).
 */
void nearest_documents_find(struct vectors *, const struct ranking *, const float *query,
    const uint64_t *keep, size_t want, struct arena *, struct nearest_documents *out);

/* Documents of the index that have a vector. */
size_t nearest_documents_count(struct vectors *, const struct ranking *);

/*
 * Of documents that are named: the cosines of all texts of the file on average, and a share of
 * that of what commits say of the file (commit_subjects.h), times the document's own prior; never
 * below 0.  The average is the cosine of their mean, which is kept when it is known; a sum of
 * whole numbers, so their order does not matter.
 */
void nearest_documents_file_scores(struct vectors *, const struct ranking *, const float *query,
    const uint64_t *docs, size_t n, struct arena *, double *out);

/* Fill in cosine and score of documents that are named; one without a vector keeps its own. */
void nearest_documents_rescore(struct vectors *, const struct ranking *, const float *query,
    struct nearest_document *v, size_t n);
#endif
