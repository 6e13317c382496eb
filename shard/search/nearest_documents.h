#ifndef SHARD_SEARCH_NEAREST_DOCUMENTS_H
#define SHARD_SEARCH_NEAREST_DOCUMENTS_H
/*
 * Finds the documents whose vectors are nearest to a query's. A struct vectors belongs to one
 * thread: derived data is cached in it.
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
	struct nearest_document *v;	/* best first; equal ones in order of id */
	size_t n;
};

/*
 * Finds the `want` best documents by score, in the arena. `keep` has a bit for each document that
 * may be found (NULL: all).
 */
void nearest_documents_find(struct vectors *, const struct ranking *, const float *query,
    const uint64_t *keep, size_t want, struct arena *, struct nearest_documents *out);

/* The number of documents of the index that have a vector. */
size_t nearest_documents_count(struct vectors *, const struct ranking *);

/*
 * For given documents: the mean cosine of all texts of their file, plus a share of the cosine of
 * the file's commit subjects (commit_subjects.h), times the document's own prior; never below 0.
 * The mean cosine is the cosine of the mean vector, which is cached; it is a sum of integers, so
 * that the order of texts does not matter.
 */
void nearest_documents_file_scores(struct vectors *, const struct ranking *, const float *query,
    const uint64_t *docs, size_t n, struct arena *, double *out);

/* Fills in cosine and score of given documents; one without a vector stays as it is. */
void nearest_documents_rescore(struct vectors *, const struct ranking *, const float *query,
    struct nearest_document *v, size_t n);
#endif
