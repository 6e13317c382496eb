#include "shard/search/nearest_documents.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/int_map.h"
#include "proto/base/minmax.h"
#include "shard/index/bm25.h"
#include "shard/index/document_prior.h"
#include "shard/vectors/vector_file.h"
#include "shard/vectors/vector_scan.h"

/* of sums in whole numbers: a million texts have room */
static const double UNIT = (double)((int64_t)1 << 36);

/*
 * What is worked out once for the documents that a file of vectors is looked through for: what
 * each row counts, which row a document has.  It is kept with the file, and made anew when the
 * documents are others.
 */
struct vector_index {
	const uint16_t *lengths;
	int64_t generation;
	bool for_tests;
	size_t docs, live_rows;	/* rows of documents that are there */
	uint32_t *row;		/* of a document, + 1; 0: none.  The last one counts: it is the newest */
	float *row_weight;		/* of a row, counted over all segments; 0: its document is gone */
	/* of a file, of a document: the next document of the file; 0: there is none */
	uint32_t *first, *next;
	/* of a file: the row of what commits say of it, + 1; 0: there is none */
	uint32_t *summary_row;
	/* of files, in the arena of the file of vectors; NULL: nobody asked yet */
	const struct file_mean **means;
};

/*
 * What the texts of a file mean on average: the sum of two rows, as near as 16 bits a number come.
 */
struct file_mean {
	float scales[2];
	int8_t rows[];
};

static void fill(struct vector_index *x, const struct vectors *f, const struct ranking *r)
{
	size_t row = 0;

	for (size_t k = 0; k < f->n; k++)
		for (size_t i = 0; i < f->v[k].n; i++, row++) {
			size_t doc = f->v[k].docs[i];
			if (doc >= VECTORS_FILE_ROW && doc - VECTORS_FILE_ROW < r->nfiles)
				x->summary_row[doc - VECTORS_FILE_ROW] = (uint32_t)row + 1;
			if (doc >= r->n || !r->lengths[doc] || (uint32_t)f->v[k].hashes[i] != r->hashes[doc])
				continue;	/* another text by now */
			x->live_rows++;
			if (!x->row[doc]) {
				x->next[doc] = x->first[r->files[doc]];
				x->first[r->files[doc]] = (uint32_t)doc;
			}
			x->row[doc] = (uint32_t)row + 1;
			x->row_weight[row] = (float)r->priors[doc] / PRIOR_FULL;
		}
}

static const struct file_mean **means_alloc(struct vectors *f, const struct ranking *r)
{
	if (!f->means)
		f->means = arena_new();
	arena_reset(f->means);
	return arena_many(f->means, r->nfiles, const struct file_mean *);
}

static struct vector_index *index_of(struct vectors *f, const struct ranking *r)
{
	struct vector_index *x = f->index;
	bool same = x && x->lengths == r->lengths && x->generation == r->generation && x->docs == r->n;

	if (same && x->for_tests == r->for_tests)
		return x;
	/* no prior changes them */
	const struct file_mean **means = same ? x->means : means_alloc(f, r);
	free(x);
	if (!(f->index = x = calloc(1,
	          sizeof *x + (2 * r->n + 2 * r->nfiles) * sizeof *x->row +
	              f->rows * sizeof *x->row_weight)))
		die("out of memory");
	*x = (struct vector_index){ .lengths = r->lengths, .generation = r->generation, .for_tests = r->for_tests, .docs = r->n, .means = means };
	x->row = (uint32_t *)(x + 1);
	x->next = x->row + r->n;
	x->first = x->next + r->n;
	x->summary_row = x->first + r->nfiles;
	x->row_weight = (float *)(x->summary_row + r->nfiles);
	fill(x, f, r);
	return x;
}

/* The segment of a row of all, which becomes one of it. */
static const struct vectors_segment *segment_of(const struct vectors *f, size_t *row)
{
	const struct vectors_segment *s = f->v;

	for (; *row >= s->n; s++)
		*row -= s->n;
	return s;
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

/* The rows of the documents that are kept; NULL: all are. */
static uint64_t *kept_rows(
    const struct vectors *f, size_t docs, const uint64_t *keep, struct arena *a)
{
	uint64_t *map = NULL;
	size_t row = 0;

	if (keep)
		map = arena_many(a, f->rows / 64 + 1, uint64_t);
	for (size_t k = 0; map && k < f->n; k++)
		for (size_t i = 0; i < f->v[k].n; i++, row++)
			if (f->v[k].docs[i] < docs && bit(keep, f->v[k].docs[i]))
				map[row / 64] |= (uint64_t)1 << row % 64;
	return map;
}

static int compare(const void *a, const void *b)
{
	const struct nearest_document *x = a, *y = b;

	if (x->score != y->score) {
		if (x->score > y->score)
			return -1;
		return 1;
	}
	return (x->doc > y->doc) - (x->doc < y->doc);
}

static void add(struct nearest_documents *l, const struct vectors *f, const struct ranking *r,
    const struct scan_hit *h)
{
	size_t row = h->row;
	const struct vectors_segment *s = segment_of(f, &row);
	double cosine = 1;

	if (h->score < 1)
		cosine = (double)h->score;
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

/* ---- documents that are named ---- */

/* rows that are on their way from memory; bytes that come at once */
enum { PREFETCH_ROWS = 8, CACHE_LINE_BYTES = 64 };

/* The row of a document, in the segment that has it; NULL: it has none. */
static const struct vectors_segment *row_of(
    const struct vectors *f, const struct vector_index *x, int64_t doc, size_t *row)
{
	if (doc >= 0 && (size_t)doc < x->docs)
		*row = x->row[doc];
	else
		*row = 0;
	if ((*row)--)
		return segment_of(f, row);
	return NULL;
}

static void fetch(const struct vectors *f, const struct vector_index *x, int64_t doc)
{
	size_t row;
	const struct vectors_segment *s = row_of(f, x, doc, &row);

	for (size_t i = 0; s && i < f->head.dim; i += CACHE_LINE_BYTES)
		__builtin_prefetch(s->rows + row * f->head.dim + i);
}

enum { MEANS_BYTES_MAX = 4 << 20 };	/* bytes of means that are kept */
/* what commits say of a file, to what its texts do: tests/results/ranking.md */
static const double SUMMARY_WEIGHT = 0.75;

/*
 * The sums of the numbers of a file's vectors, in whole numbers, so that no order of them matters;
 * how many say anything.
 */
static int64_t add_texts(
    const struct vectors *f, const struct vector_index *x, uint32_t file, int64_t *sums)
{
	int64_t n = 0;

	for (uint32_t doc = x->first[file]; doc; doc = x->next[doc]) {
		size_t row = x->row[doc] - 1;
		const struct vectors_segment *s = segment_of(f, &row);
		const int8_t *v = s->rows + row * f->head.dim;
		fetch(f, x, x->next[doc]);
		int64_t scale = llrint(fmin((double)s->scales[row], 1) * UNIT);
		for (size_t i = 0; i < f->head.dim; i++)
			sums[i] += scale * v[i];
		n += scale > 0;		/* of a text that says nothing it is 0 */
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
		if (n)
			v[i] = (float)((double)sums[i] / UNIT / (double)n);
		else
			v[i] = 0;
	}
	scan_quantise(v, dim, m->rows, &m->scales[0]);
	for (size_t i = 0; i < dim; i++)	/* exact in doubles, so it is the same on every machine */
		v[i] = (float)((double)v[i] - (double)m->scales[0] * m->rows[i]);
	scan_quantise(v, dim, m->rows + dim, &m->scales[1]);
	return m;
}

/* Bring what is kept of a file nearer, in two steps: where it is, and then what it is. */
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

/* The cosine of what commits say of a file. */
static double summary_cosine(const struct vectors *f, const struct vector_index *x, uint32_t file,
    const struct scan_query *q)
{
	size_t row = x->summary_row[file];

	if (!row--)
		return 0;
	const struct vectors_segment *s = segment_of(f, &row);
	struct scan_segment part = part_of(s);
	double score = (double)scan_score(&part, f->head.dim, row, q);
	return MAX(score, 0);
}

/* The cosines of the texts of a file on average. */
static double average(struct vectors *f, const struct ranking *r, struct vector_index *x,
    uint32_t file, const struct scan_query *q)
{
	if (arena_used(f->means) > MEANS_BYTES_MAX)
		x->means = means_alloc(f, r);
	const struct file_mean *m = x->means[file] ? x->means[file] :
	                                             (x->means[file] = mean_new(f, x, file));
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
		/* 0: of none */
		if (docs[i] < r->n && r->files[docs[i]] < r->nfiles)
			files[i] = r->files[docs[i]];
		else
			files[i] = 0;
	}
	for (size_t i = 0; i < n && r->nfiles; i++) {
		fetch_mean(x, files, i, n, sizeof(struct file_mean) + 2 * f->head.dim);
		void **at = int_map_at(known, files[i]);
		if (!*at) {
			*at = arena_one(a, double);
			if (files[i])
				*(double *)*at = average(f, r, x, files[i], &q) + SUMMARY_WEIGHT * summary_cosine(f, x, files[i], &q);
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
		if (cosine < 0)
			v[i].cosine = 0;
		else if (cosine < 1)
			v[i].cosine = cosine;
		else
			v[i].cosine = 1;
		v[i].score = v[i].cosine * r->priors[v[i].doc] / PRIOR_FULL;
	}
}
