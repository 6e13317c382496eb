#include "shard/scan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/cpu.h"
#include "proto/text/embedder.h"

_Static_assert((int)SCAN_DIM_MAX >= (int)EMBED_DIM_MAX, "whatever an embedder makes");

enum { RUN = 1024 };		/* rows whose dot products are on the stack at a time */

void scan_quantise(const float *v, size_t dim, int8_t *row, float *scale)
{
	float most = 0;

	for (size_t i = 0; i < dim; i++)
		most = fmaxf(most, fabsf(v[i]));
	*scale = isfinite(most) ? most / 127 : 0;
	if (!(*scale > 0) || !isfinite(1 / *scale)) {
		*scale = 0;
		memset(row, 0, dim);
		return;
	}
	for (size_t i = 0; i < dim; i++)
		row[i] = isnan(v[i]) ? 0 : (int8_t)lrintf(v[i] / *scale);
}

/* ---- the best so far: a heap, its worst on top ---- */

struct best {
	struct scan_hit *v;
	size_t n, max;
};

static int worse(const struct scan_hit *a, const struct scan_hit *b)
{
	return a->score != b->score ? a->score < b->score : a->row > b->row;
}

static void sift_down(struct best *b, struct scan_hit h)
{
	size_t i = 0, k;

	while ((k = 2 * i + 1) < b->n) {
		if (k + 1 < b->n && worse(&b->v[k + 1], &b->v[k]))
			k++;
		if (!worse(&b->v[k], &h))
			break;
		b->v[i] = b->v[k];
		i = k;
	}
	b->v[i] = h;
}

static void sift_up(struct best *b, struct scan_hit h)
{
	size_t i = b->n++;

	for (; i && worse(&h, &b->v[(i - 1) / 2]); i = (i - 1) / 2)
		b->v[i] = b->v[(i - 1) / 2];
	b->v[i] = h;
}

/* Rows come in order, so of equal ones the first stays. */
static void offer(struct best *b, uint32_t row, float score)
{
	if (b->n < b->max)
		sift_up(b, (struct scan_hit){ row, score });
	else if (score > b->v->score)
		sift_down(b, (struct scan_hit){ row, score });
}

/* ---- the scan ---- */

struct scan {
	const int8_t *rows;
	const float *scales;
	size_t dim;
	const int8_t *q;
	scan_dots_fn *dots;
	struct best best;
};

static void scan_run(struct scan *s, size_t from, size_t n)
{
	int32_t dot[RUN];

	for (size_t end = from + n; from < end; from += n) {
		n = end - from < RUN ? end - from : RUN;
		s->dots(s->rows + from * s->dim, n, s->dim, s->q, dot);
		for (size_t i = 0; i < n; i++)
			offer(&s->best, (uint32_t)(from + i), (float)dot[i] * s->scales[from + i]);
	}
}

/* The first row at or behind i whose bit is `is`, or n. */
static size_t next_bit(const uint64_t *keep, size_t i, size_t n, int is)
{
	while (i < n) {
		uint64_t word = (is ? keep[i / 64] : ~keep[i / 64]) >> i % 64;
		if (word) {
			i += (size_t)__builtin_ctzll(word);
			return i < n ? i : n;
		}
		i += 64 - i % 64;
	}
	return n;
}

static void scan_kept(struct scan *s, size_t n, const uint64_t *keep)
{
	for (size_t i = 0, end; (i = next_bit(keep, i, n, 1)) < n; i = end) {
		end = next_bit(keep, i, n, 0);
		scan_run(s, i, end - i);
	}
}

/* ---- the order ---- */

static float score_of(const struct scan *s, uint32_t row, const float *query)
{
	const int8_t *p = s->rows + (size_t)row * s->dim;
	double sum = 0;

	for (size_t i = 0; i < s->dim; i++)
		sum += (double)query[i] * p[i];
	return (float)(sum * s->scales[row]);
}

static int best_first(const void *a, const void *b)
{
	return worse(a, b) ? 1 : -1;
}

size_t scan_best_by(const struct scan_way *way, const int8_t *rows, const float *scales, size_t n, size_t dim,
    const float *query, const uint64_t *keep, size_t want, struct scan_hit *out)
{
	int8_t q[SCAN_DIM_MAX];
	float scale;
	struct scan s = { rows, scales, dim, q, way->dots, { .max = want < n ? 4 * want + 64 : n } };

	assert(dim <= SCAN_DIM_MAX);
	if (!n || !want)
		return 0;
	if (!(s.best.v = malloc(s.best.max * sizeof *s.best.v)))
		abort();
	scan_quantise(query, dim, q, &scale);
	if (keep)
		scan_kept(&s, n, keep);
	else
		scan_run(&s, 0, n);
	for (size_t i = 0; i < s.best.n; i++)
		s.best.v[i].score = score_of(&s, s.best.v[i].row, query);
	qsort(s.best.v, s.best.n, sizeof *s.best.v, best_first);
	want = want < s.best.n ? want : s.best.n;
	memcpy(out, s.best.v, want * sizeof *out);
	free(s.best.v);
	return want;
}

size_t scan_best(const int8_t *rows, const float *scales, size_t n, size_t dim, const float *query, const uint64_t *keep,
    size_t want, struct scan_hit *out)
{
	const struct scan_way *way = scan_ways;

	while ((way->needs & cpu_has()) != way->needs)
		way++;
	return scan_best_by(way, rows, scales, n, dim, query, keep, want, out);
}
