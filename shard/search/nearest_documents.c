#include "shard/search/nearest_documents.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/int_map.h"
#include "proto/base/minmax.h"
#include "proto/record/hit_scores.h"
#include "shard/index/bm25.h"
#include "shard/index/document_prior.h"
#include "shard/vectors/vector_file.h"
#include "shard/vectors/vector_scan.h"

/* The unit of sums in integers: there is room for a million texts. */
static const double UNIT = (double)((int64_t)1 << 36);

/*
 * Derived once for the documents that a file of vectors is searched for: the weight of each row,
 * and the row of each document. It is cached with the file, and rebuilt when the documents change.
 */
struct vector_index {
	const uint16_t *lengths;
	int64_t generation;
	bool for_tests;
	size_t docs;			/* number of document ids */
	size_t live_rows;		/* rows of existing documents */
	uint32_t *row;			/* by document: its newest row + 1; 0 = none */
	float *row_weight;		/* by row over all segments; 0 if its document is gone */
	uint32_t *first;		/* by file: its first document; 0 = none */
	uint32_t *next;			/* by document: the next document of its file; 0 = none */
	uint32_t *summary_row;		/* by file: the row of its commit subjects + 1; 0 = none */
	/* by file, in the arena `means` of the struct vectors; NULL if not yet computed */
	const struct file_mean **means;
};

/*
 * The mean vector of a file's texts: the sum of two quantised rows, which is as precise as 16 bits
 * per number.
 */
struct file_mean {
	float scales[2];
	int8_t rows[];
};

static void add_row(
    struct vector_index *x, const struct ranking *r, size_t row, size_t doc, uint32_t hash)
{
	if (doc >= VECTORS_FILE_ROW && doc - VECTORS_FILE_ROW < r->nfiles)
		x->summary_row[doc - VECTORS_FILE_ROW] = (uint32_t)row + 1;
	if (doc >= r->n || !r->lengths[doc])
		return;
	if (hash != r->hashes[doc])
		return;	/* the document has another text by now */
	x->live_rows++;
	if (!x->row[doc]) {
		x->next[doc] = x->first[r->files[doc]];
		x->first[r->files[doc]] = (uint32_t)doc;
	}
	x->row[doc] = (uint32_t)row + 1;
	x->row_weight[row] = (float)r->priors[doc] / PRIOR_FULL;
}

static void fill(struct vector_index *x, const struct vectors *f, const struct ranking *r)
{
	size_t row = 0;

	for (size_t k = 0; k < f->n; k++)
		for (size_t i = 0; i < f->v[k].n; i++, row++)
			add_row(x, r, row, f->v[k].docs[i], (uint32_t)f->v[k].hashes[i]);
}

static const struct file_mean **means_alloc(struct vectors *f, const struct ranking *r)
{
	if (!f->means)
		f->means = arena_new();
	arena_reset(f->means);
	return arena_many(f->means, r->nfiles, const struct file_mean *);
}

static bool same_documents(const struct vector_index *x, const struct ranking *r)
{
	if (!x || x->lengths != r->lengths)
		return false;
	return x->generation == r->generation && x->docs == r->n;
}

static struct vector_index *index_of(struct vectors *f, const struct ranking *r)
{
	struct vector_index *old = f->index;
	bool same = same_documents(old, r);
	const struct file_mean **means;

	if (same && old->for_tests == r->for_tests)
		return old;
	if (same)
		means = old->means;	/* they do not depend on priors */
	else
		means = means_alloc(f, r);
	free(old);
	size_t words = 2 * r->n + 2 * r->nfiles;
	struct vector_index *x = xcalloc(
	    1, sizeof *x + words * sizeof *x->row + f->rows * sizeof *x->row_weight);
	f->index = x;
	*x = (struct vector_index){
		.lengths = r->lengths,
		.generation = r->generation,
		.for_tests = r->for_tests,
		.docs = r->n,
		.means = means,
	};
	x->row = (uint32_t *)(x + 1);
	x->next = x->row + r->n;
	x->first = x->next + r->n;
	x->summary_row = x->first + r->nfiles;
	x->row_weight = (float *)(x->summary_row + r->nfiles);
	fill(x, f, r);
	return x;
}

static struct scan_segment part_of(const struct vectors_segment *s)
{
	return (struct scan_segment){ s->rows, s->scales, s->fronts, s->backs, s->steps, s->n };
}

/* ---- the list ---- */

static bool bit(const uint64_t *map, size_t i)
{
	return map[i / 64] >> i % 64 & 1;
}

/* The rows of the documents to keep, as a bit set; NULL if all are. */
static uint64_t *kept_rows(
    const struct vectors *f, size_t docs, const uint64_t *keep, struct arena *a)
{
	size_t row = 0;

	if (!keep)
		return NULL;
	uint64_t *map = arena_many(a, f->rows / 64 + 1, uint64_t);
	for (size_t k = 0; k < f->n; k++)
		for (size_t i = 0; i < f->v[k].n; i++, row++)
			if (f->v[k].docs[i] < docs && bit(keep, f->v[k].docs[i]))
				map[row / 64] |= (uint64_t)1 << row % 64;
	return map;
}

static int compare(const void *a, const void *b)
{
	const struct nearest_document *x = a, *y = b;

	if (x->score != y->score)
		return (x->score < y->score) - (x->score > y->score);
	return (x->doc > y->doc) - (x->doc < y->doc);
}

static void add(struct nearest_documents *l, const struct vectors *f, const struct ranking *r,
    const struct scan_hit *h)
{
	size_t row = h->row;
	const struct vectors_segment *s = vectors_segment_of(f, &row);
	double cosine = MIN((double)h->score, 1);

	if (cosine > 0)
		l->v[l->n++] = (struct nearest_document){ s->docs[row], cosine,
			cosine * r->priors[s->docs[row]] / PRIOR_FULL };
}

void nearest_documents_find(struct vectors *f, const struct ranking *r, const float *query,
    const uint64_t *keep, size_t want, struct arena *a, struct nearest_documents *out)
{
	const struct vector_index *x = index_of(f, r);
	struct scan_segment *parts = arena_many(a, f->n + 1, struct scan_segment);
	struct scan_hit *hits = arena_many(a, want, struct scan_hit);

	for (size_t i = 0; i < f->n; i++)
		parts[i] = part_of(&f->v[i]);
	struct scan_rows rows = { parts, f->n, f->head.dim, x->row_weight };
	size_t n = scan_best(&rows, query, kept_rows(f, r->n, keep, a), want, hits);
	*out = (struct nearest_documents){ .v = arena_many(a, n + 1, struct nearest_document) };
	for (size_t i = 0; i < n; i++)
		add(out, f, r, &hits[i]);
	qsort(out->v, out->n, sizeof *out->v, compare);
}

size_t nearest_documents_count(struct vectors *f, const struct ranking *r)
{
	return index_of(f, r)->live_rows;
}

/* ---- given documents ---- */

/* rows that are being fetched from memory; bytes of a cache line */
enum { PREFETCH_ROWS = 8, CACHE_LINE_BYTES = 64 };

/* The segment with the row of a document; NULL if it has none. */
static const struct vectors_segment *row_of(
    const struct vectors *f, const struct vector_index *x, int64_t doc, size_t *row)
{
	if (doc < 0 || (size_t)doc >= x->docs || !x->row[doc])
		return NULL;
	*row = x->row[doc] - 1;
	return vectors_segment_of(f, row);
}

static void fetch(const struct vectors *f, const struct vector_index *x, int64_t doc)
{
	size_t row;
	const struct vectors_segment *s = row_of(f, x, doc, &row);

	for (size_t i = 0; s && i < f->head.dim; i += CACHE_LINE_BYTES)
		__builtin_prefetch(s->rows + row * f->head.dim + i);
}

enum { MEANS_BYTES_MAX = 4 << 20 };	/* bytes of cached means */
/* the weight of a file's commit subjects relative to its texts: tests/results/ranking.md */
static const double SUMMARY_WEIGHT = 0.75;

/*
 * Adds up the vectors of a file's texts in integers, so that their order does not matter. Returns
 * the number of texts that are not empty.
 */
static int64_t add_texts(
    const struct vectors *f, const struct vector_index *x, uint32_t file, int64_t *sums)
{
	int64_t n = 0;

	for (uint32_t doc = x->first[file]; doc; doc = x->next[doc]) {
		size_t row = x->row[doc] - 1;
		const struct vectors_segment *s = vectors_segment_of(f, &row);
		const int8_t *v = s->rows + row * f->head.dim;
		fetch(f, x, x->next[doc]);
		int64_t scale = llrint(fmin((double)s->scales[row], 1) * UNIT);
		for (size_t i = 0; i < f->head.dim; i++)
			sums[i] += scale * v[i];
		n += scale > 0;		/* 0 for an empty text */
	}
	return n;
}

static const struct file_mean *mean_new(
    const struct vectors *f, const struct vector_index *x, uint32_t file)
{
	size_t dim = f->head.dim;
	struct file_mean *m = arena_get(f->means, 1, sizeof *m + 2 * dim);
	int64_t sums[SCAN_DIM_MAX];
	float v[SCAN_DIM_MAX];

	memset(sums, 0, dim * sizeof *sums);
	int64_t n = add_texts(f, x, file, sums);
	for (size_t i = 0; i < dim; i++) {
		v[i] = 0;
		if (n)
			v[i] = (float)((double)sums[i] / UNIT / (double)n);
	}
	scan_quantise(v, dim, m->rows, &m->scales[0]);
	for (size_t i = 0; i < dim; i++)	/* exact in doubles, so it is the same on every machine */
		v[i] = (float)((double)v[i] - (double)m->scales[0] * m->rows[i]);
	scan_quantise(v, dim, m->rows + dim, &m->scales[1]);
	return m;
}

/* Prefetches the mean of a file that is used soon, in two steps: its address, then its content. */
static void fetch_mean(
    const struct vector_index *x, const uint32_t *files, size_t i, size_t n, size_t size)
{
	const struct file_mean *m = NULL;

	if (i + PREFETCH_ROWS / 2 < n)
		m = x->means[files[i + PREFETCH_ROWS / 2]];
	if (i + PREFETCH_ROWS < n)
		__builtin_prefetch(&x->means[files[i + PREFETCH_ROWS]]);
	for (size_t k = 0; m && k < size; k += CACHE_LINE_BYTES)
		__builtin_prefetch((const char *)m + k);
}

/* The cosine of a file's commit subjects. */
static double summary_cosine(const struct vectors *f, const struct vector_index *x, uint32_t file,
    const struct scan_query *q)
{
	if (!x->summary_row[file])
		return 0;
	size_t row = x->summary_row[file] - 1;
	const struct vectors_segment *s = vectors_segment_of(f, &row);
	struct scan_segment part = part_of(s);
	double score = (double)scan_score(&part, f->head.dim, row, q);
	return MAX(score, 0);
}

/* The mean cosine of a file's texts. */
static double average(struct vectors *f, const struct ranking *r, struct vector_index *x,
    uint32_t file, const struct scan_query *q)
{
	if (arena_used(f->means) > MEANS_BYTES_MAX)
		x->means = means_alloc(f, r);
	if (!x->means[file])
		x->means[file] = mean_new(f, x, file);
	const struct file_mean *m = x->means[file];
	struct scan_segment part = { .rows = m->rows, .scales = m->scales, .n = 2 };
	double score = (double)scan_score(&part, f->head.dim, 0, q) +
	    (double)scan_score(&part, f->head.dim, 1, q);
	return MAX(score, 0);
}

void nearest_documents_file_scores(struct vectors *f, const struct ranking *r, const float *query,
    const uint64_t *docs, size_t n, struct arena *a, double *out)
{
	struct vector_index *x = index_of(f, r);
	struct int_map *known = int_map_new();
	uint32_t *files = arena_many(a, n + 1, uint32_t);
	struct scan_query q;

	scan_query(&q, query, f->head.dim);
	for (size_t i = 0; i < n; i++) {
		files[i] = 0;	/* no file */
		if (docs[i] < r->n && r->files[docs[i]] < r->nfiles)
			files[i] = r->files[docs[i]];
	}
	for (size_t i = 0; i < n && r->nfiles; i++) {
		fetch_mean(x, files, i, n, sizeof(struct file_mean) + 2 * f->head.dim);
		void **at = int_map_at(known, files[i]);
		if (!*at) {
			*at = arena_one(a, double);
			if (files[i])
				*(double *)*at = average(f, r, x, files[i], &q) +
				    SUMMARY_WEIGHT * summary_cosine(f, x, files[i], &q);
			else
				*(double *)*at = 0;
		}
		if (docs[i] < r->n)
			out[i] = *(double *)*at * r->priors[docs[i]] / PRIOR_FULL;
		else
			out[i] = 0;
	}
	int_map_free(known);
}

void nearest_documents_rescore(struct vectors *f, const struct ranking *r, const float *query,
    struct nearest_document *v, size_t n)
{
	const struct vector_index *x = index_of(f, r);
	struct scan_query q;

	scan_query(&q, query, f->head.dim);
	for (size_t i = 0; i < n; i++) {
		size_t row;
		const struct vectors_segment *s = row_of(f, x, v[i].doc, &row);
		if (i + PREFETCH_ROWS < n)
			fetch(f, x, v[i + PREFETCH_ROWS].doc);
		if (!s)
			continue;
		struct scan_segment part = part_of(s);
		double cosine = (double)scan_score(&part, f->head.dim, row, &q);
		v[i].cosine = MIN(MAX(cosine, COSINE_UNLIKE), 1);
		if (cosine > 0)
			v[i].score = v[i].cosine * r->priors[v[i].doc] / PRIOR_FULL;
	}
}
