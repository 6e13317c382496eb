#include "shard/vectors/vector_scan.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/cpu_features.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"
#include "proto/embed/embedder.h"

_Static_assert((int)SCAN_DIM_MAX >= (int)EMBED_DIM_MAX, "vectors of every embedder fit");

enum { RUN = 1024 };		/* rows whose dot products are on the stack at a time */
enum { CHUNK = 128, QUARTER = CHUNK / 4 };	/* numbers whose codes are in QUARTER bytes */

void scan_quantise(const float *v, size_t dim, int8_t *row, float *scale)
{
	float largest = 0;

	for (size_t i = 0; i < dim; i++)
		largest = fmaxf(largest, fabsf(v[i]));
	*scale = 0;
	if (isfinite(largest))
		*scale = largest / 127;
	if (!(*scale > 0) || !isfinite(1 / *scale)) {
		*scale = 0;
		memset(row, 0, dim);
		return;
	}
	for (size_t i = 0; i < dim; i++) {
		if (isnan(v[i]))
			row[i] = 0;
		else
			row[i] = (int8_t)lrintf(v[i] / *scale);
	}
}

/* ---- codes ---- */

static size_t chunks(size_t dim)
{
	return (dim + CHUNK - 1) / CHUNK;
}

size_t scan_front_size(size_t dim)
{
	return (chunks(dim) + 1) / 2 * QUARTER;
}

size_t scan_back_size(size_t dim)
{
	return chunks(dim) / 2 * QUARTER;
}

void scan_code(
    const int8_t *row, float scale, size_t dim, uint8_t *front, uint8_t *back, float *step)
{
	int64_t squares = 0, both = 0, own = 0;
	size_t half = scan_front_size(dim) * 4;

	for (size_t i = 0; i < dim; i++)
		squares += row[i] * row[i];
	memset(front, 0, scan_front_size(dim));
	memset(back, 0, scan_back_size(dim));
	for (size_t i = 0; i < dim; i++) {
		bool far = (int64_t)row[i] * row[i] * (int64_t)dim > squares;
		int level = row[i] > 0 ? 2 + far : 1 - far;	/* 0 to 3 stand for -3, -1, 1, 3 */
		uint8_t *code;
		if (i < half)
			code = front + i / CHUNK * QUARTER;
		else
			code = back + (i - half) / CHUNK * QUARTER;
		code[i % QUARTER] |= (uint8_t)(level << i % CHUNK / QUARTER * 2);
		both += row[i] * (2 * level - 3);
		own += (2 * level - 3) * (2 * level - 3);
	}
	*step = 0;
	if (own)
		*step = scale * (float)both / (float)own;
}

/*
 * ---- the best so far: whenever there are twice as many as wanted, the worse half is dropped ----
 */

struct top_hits {
	struct scan_hit *v;	/* in order of row */
	size_t n, max;
	float least;		/* a score must be above this to be added */
};

enum { BINS = 256 };

struct hit_histogram {
	float low, by;
	size_t n[BINS];
};

static size_t bin_of(const struct hit_histogram *b, float score)
{
	float x = (score - b->low) * b->by;

	if (x < BINS - 1)
		return (size_t)x;
	return BINS - 1;
}

static void fill(struct hit_histogram *b, const struct scan_hit *v, size_t n)
{
	float high = v->score;

	b->low = v->score;
	for (size_t i = 1; i < n; i++) {
		b->low = MIN(v[i].score, b->low);
		high = MAX(v[i].score, high);
	}
	b->by = 0;
	if (high > b->low)
		b->by = (BINS - 1) / (high - b->low);
	for (size_t i = 0; i < n; i++)
		b->n[bin_of(b, v[i].score)]++;
}

/*
 * Keeps the `max` best hits, as far as bins distinguish them; of the last bin those that came
 * first.
 */
static void cut(struct top_hits *b)
{
	struct hit_histogram bins = { 0 };
	size_t last = BINS, above = 0, k = 0;

	if (b->n < b->max || !b->n)
		return;
	fill(&bins, b->v, b->n);
	while (above + bins.n[--last] < b->max)
		above += bins.n[last];
	size_t room = b->max - above;
	/* the outcome is unpredictable, so there are no branches */
	for (size_t i = 0; i < b->n; i++) {
		size_t bin = bin_of(&bins, b->v[i].score), tie = (bin == last) & (room > 0);
		b->v[k] = b->v[i];
		k += (bin > last) | tie;
		room -= tie;
	}
	b->least = FLT_MAX;
	for (size_t i = 0; i < k; i++)
		b->least = MIN(b->v[i].score, b->least);
	b->n = k;
}

/* ---- the scan ---- */

/* The number of rows that are scored with the query itself. */
static size_t candidates(size_t want)
{
	return want + want / 2 + 32;
}

/* The number of the best codes whose rows are scored. */
static size_t coded(size_t want)
{
	return 4 * want + 160;
}

/* The number of the best of n fronts whose codes are scored. */
static size_t fronted(size_t want, size_t n)
{
	size_t limit = 5 * coded(want) + 300;

	return MIN(limit, n / 4);
}

struct scan_state {
	const struct scan_rows *r;
	const struct scan_kernel *way;
	const int8_t *q;
	bool coded;
	size_t *first;		/* by part: the rows of the parts before it */
	struct top_hits best;
};

static float worth(const struct scan_rows *r, size_t row)
{
	if (r->worth)
		return r->worth[row];
	return 1;
}

/* Adds a row. Most callers have already dropped scores that are too low even with full weight. */
static void offer(struct scan_state *s, size_t row, float score)
{
	float own = worth(s->r, row);

	if (!(own > 0) || !(score * own > s->best.least))
		return;
	s->best.v[s->best.n++] = (struct scan_hit){ (uint32_t)row, score * own };
	if (s->best.n == 2 * s->best.max)
		cut(&s->best);
}

static void score_run(
    const struct scan_state *s, const struct scan_segment *p, size_t from, size_t n, float *out)
{
	size_t dim = s->r->dim, front = scan_front_size(dim);
	int32_t dot[RUN];

	if (s->coded) {
		s->way->codes(p->fronts + from * front, p->steps + from, n, front, s->q, out);
		return;
	}
	s->way->dots(p->rows + from * dim, n, dim, s->q, dot);
	for (size_t i = 0; i < n; i++)
		out[i] = (float)dot[i] * p->scales[from + i];
}

static void offer_rows(struct scan_state *s, size_t row, const float *score, size_t n)
{
	uint32_t above[RUN + 16];
	size_t k = s->way->above(score, n, s->best.least, above);

	for (size_t i = 0; i < k; i++)
		offer(s, row + above[i], score[above[i]]);
}

/* Scans rows of a part; `base` is the number of its first row. */
static void scan_run(
    struct scan_state *s, const struct scan_segment *p, size_t base, size_t from, size_t n)
{
	float score[RUN];

	for (size_t end = from + n; from < end; from += n) {
		n = MIN(end - from, RUN);
		score_run(s, p, from, n, score);
		offer_rows(s, base + from, score, n);
	}
}

/* The first row from i on whose bit is `is`, or n. */
static size_t next_bit(const uint64_t *keep, size_t i, size_t n, bool is)
{
	while (i < n) {
		uint64_t word = keep[i / 64];
		if (!is)
			word = ~word;
		word >>= i % 64;
		if (word) {
			i += (size_t)__builtin_ctzll(word);
			return MIN(i, n);
		}
		i += 64 - i % 64;
	}
	return n;
}

static void scan_part(
    struct scan_state *s, const struct scan_segment *p, size_t base, const uint64_t *keep)
{
	size_t n = base + p->n;

	if (!keep) {
		scan_run(s, p, base, 0, p->n);
		return;
	}
	size_t i = next_bit(keep, base, n, true);
	while (i < n) {
		size_t end = next_bit(keep, i, n, false);
		scan_run(s, p, base, i - base, end - i);
		i = next_bit(keep, end, n, true);
	}
}

static void scan_all(struct scan_state *s, const uint64_t *keep)
{
	for (size_t i = 0; i < s->r->parts; i++)
		scan_part(s, &s->r->v[i], s->first[i], keep);
}

/* ---- the threshold ---- */

enum { SAMPLED = 2048, SAMPLE_BLOCKS = 32 };

/* A score that about `rank` of n are above, as far as bins distinguish them. */
static float about(const float *score, size_t n, size_t rank)
{
	struct hit_histogram b = { .low = FLT_MAX };
	float high = -FLT_MAX;
	size_t bin = BINS, above = 0;

	for (size_t i = 0; i < n; i++) {
		b.low = MIN(score[i], b.low);
		high = MAX(score[i], high);
	}
	if (high > b.low)
		b.by = (BINS - 1) / (high - b.low);
	for (size_t i = 0; i < n; i++)
		b.n[bin_of(&b, score[i])]++;
	while (bin && above < rank)
		above += b.n[--bin];
	if (bin)
		return b.low + (float)bin / b.by;
	return -FLT_MAX;
}

/*
 * Estimates the lowest score of the best from rows in many places, so that most others need not be
 * added.  Rather too low: more rows than are wanted must be above it.
 */
static float estimate_threshold(const struct scan_state *s, size_t n)
{
	float score[SAMPLED + RUN];
	size_t k = 0, step = n / SAMPLE_BLOCKS;

	for (size_t i = 0; i < s->r->parts; i++) {
		const struct scan_segment *p = &s->r->v[i];
		size_t base = s->first[i];
		size_t at = (base + step - 1) / step * step;
		while (at < base + p->n && k < SAMPLED) {
			size_t from = at - base, m = MIN(p->n - from, SAMPLED / SAMPLE_BLOCKS);
			score_run(s, p, from, m, score + k);
			for (size_t j = 0; j < m; j++, k++)
				score[k] *= worth(s->r, at + j);
			at += step;
		}
	}
	return about(score, k, s->best.max * k * 3 / 2 / n + 8);
}

/* Scans all rows with the estimated threshold; if too few are above it, once more without one. */
static void scan_fronts(struct scan_state *s, size_t n)
{
	s->best.least = estimate_threshold(s, n);
	scan_all(s, NULL);
	if (s->best.n >= s->best.max)
		return;
	s->best.n = 0;
	s->best.least = -FLT_MAX;
	scan_all(s, NULL);
}

/* The number of rows to keep. */
static size_t count(const uint64_t *keep, size_t n)
{
	size_t sum = 0;

	if (!keep)
		return n;
	for (size_t i = 0; i < n / 64; i++)
		sum += (size_t)__builtin_popcountll(keep[i]);
	return sum;
}

/* ---- the order ---- */

static const struct scan_kernel *best_kernel(void)
{
	const struct scan_kernel *way = scan_kernels;

	while ((way->needs & cpu_features()) != way->needs)
		way++;
	return way;
}

void scan_query(struct scan_query *q, const float *query, size_t dim)
{
	float largest = 0;

	assert(dim <= SCAN_DIM_MAX);
	for (size_t i = 0; i < dim; i++)
		largest = fmaxf(largest, fabsf(query[i]));
	q->way = best_kernel();
	q->scale = 0;
	if (isfinite(largest))
		q->scale = (double)largest / (INT16_MAX << SCAN_LOW);
	for (size_t i = 0; i < dim; i++) {
		int32_t x = 0;
		if (q->scale > 0 && !isnan(query[i]))
			x = (int32_t)lrint((double)query[i] / q->scale);
		q->low[i] = (int16_t)(x & ((1 << SCAN_LOW) - 1));
		q->high[i] = (int16_t)((x - q->low[i]) / (1 << SCAN_LOW));
	}
}

float scan_score(
    const struct scan_segment *part, size_t dim, size_t row, const struct scan_query *q)
{
	int64_t sum = q->way->sum(part->rows + row * dim, dim, q->high, q->low);

	return (float)((double)sum * q->scale * (double)part->scales[row]);
}

/* Finds the part of a row, and makes the row relative to it. */
static const struct scan_segment *part_of(const struct scan_state *s, size_t *row)
{
	size_t lo = 0, hi = s->r->parts;

	while (hi - lo > 1) {
		size_t mid = (lo + hi) / 2;
		if (s->first[mid] <= *row)
			lo = mid;
		else
			hi = mid;
	}
	*row -= s->first[lo];
	return &s->r->v[lo];
}

/* rows that are being fetched from memory; bytes of a cache line */
enum { PREFETCH_ROWS = 8, CACHE_LINE_BYTES = 64 };

static void fetch(const struct scan_state *s, size_t i)
{
	if (i >= s->best.n)
		return;
	size_t row = s->best.v[i].row;
	const struct scan_segment *p = part_of(s, &row);
	for (size_t k = 0; k < s->r->dim; k += CACHE_LINE_BYTES)
		__builtin_prefetch(p->rows + row * s->r->dim + k);
}

/*
 * The size is mostly a quarter of a chunk: known to the compiler, that is one load and one store.
 */
static void copy_back(uint8_t *to, const uint8_t *from, size_t size)
{
	if (size == QUARTER)
		memcpy(to, from, QUARTER);
	else
		memcpy(to, from, size);
}

static void fetch_back(const struct scan_state *s, size_t i, size_t size)
{
	if (i >= s->best.n)
		return;
	size_t row = s->best.v[i].row;
	const struct scan_segment *p = part_of(s, &row);
	__builtin_prefetch(p->backs + row * size);
}

/*
 * Keeps the hits with the best full codes.  The back halves are copied side by side first, so that
 * many of them come from memory at once.
 */
static void rescore_codes(struct scan_state *s, size_t max)
{
	struct top_hits *b = &s->best;
	size_t dim = s->r->dim, size = scan_back_size(dim), half = scan_front_size(dim) * 4;

	if (size) {
		uint8_t *backs = xmalloc(b->n * size);
		float *steps = xmalloc(2 * (b->n + 1) * sizeof *steps), *more = steps + b->n + 1;
		for (size_t i = 0; i < b->n; i++) {
			size_t row = b->v[i].row;
			const struct scan_segment *p = part_of(s, &row);
			fetch_back(s, i + 2 * PREFETCH_ROWS, size);
			copy_back(backs + i * size, p->backs + row * size, size);
			steps[i] = p->steps[row] * worth(s->r, b->v[i].row);
		}
		s->way->codes(backs, steps, b->n, size, s->q + half, more);
		for (size_t i = 0; i < b->n; i++)
			b->v[i].score += more[i];
		free(backs);
		free(steps);
	}
	b->max = max;
	cut(b);
}

/* Keeps the hits with the best rows. */
static void rescore_rows(struct scan_state *s, size_t max)
{
	for (size_t i = 0; i < s->best.n; i++) {
		struct scan_hit *h = &s->best.v[i];
		size_t row = h->row, dim = s->r->dim;
		const struct scan_segment *p = part_of(s, &row);
		int32_t dot;
		fetch(s, i + PREFETCH_ROWS);
		s->way->dots(p->rows + row * dim, 1, dim, s->q, &dot);
		h->score = (float)dot * p->scales[row] * worth(s->r, h->row);
	}
	s->best.max = max;
	cut(&s->best);
}

static float exact(const struct scan_state *s, size_t row, const struct scan_query *q)
{
	const struct scan_segment *p = part_of(s, &row);

	return scan_score(p, s->r->dim, row, q);
}

/* A hit, and its score without the weight of its row. */
struct rescored_hit {
	struct scan_hit hit;
	float unweighted;
};

static int compare(const void *a, const void *b)
{
	const struct rescored_hit *p = a, *q = b;
	const struct scan_hit *x = &p->hit, *y = &q->hit;

	if (x->score != y->score)
		return (x->score < y->score) - (x->score > y->score);
	return (x->row > y->row) - (x->row < y->row);
}

/* Scores the best with the query itself, and sorts them. */
static size_t score_exactly(
    struct scan_state *s, const float *query, size_t want, struct scan_hit *out)
{
	struct top_hits *b = &s->best;
	struct scan_query q;

	scan_query(&q, query, s->r->dim);
	q.way = s->way;
	cut(b);
	if (s->coded) {
		rescore_codes(s, coded(want));
		rescore_rows(s, candidates(want));
	}
	struct rescored_hit *v = xmalloc((b->n + 1) * sizeof *v);
	for (size_t i = 0; i < b->n; i++) {
		uint32_t row = b->v[i].row;
		float score = exact(s, row, &q);
		v[i] = (struct rescored_hit){ { row, score * worth(s->r, row) }, score };
	}
	qsort(v, b->n, sizeof *v, compare);
	want = MIN(want, b->n);
	for (size_t i = 0; i < want; i++)
		out[i] = (struct scan_hit){ v[i].hit.row, v[i].unweighted };
	free(v);
	return want;
}

/* Notes where each part begins, in memory that the caller frees. Returns the number of all rows. */
static size_t number_parts(struct scan_state *s)
{
	size_t n = 0;

	s->first = xcalloc(s->r->parts + 1, sizeof *s->first);
	for (size_t i = 0; i < s->r->parts; i++) {
		s->first[i] = n;
		n += s->r->v[i].n;
	}
	return n;
}

/* How many of the best rows must be kept while n, of which `kept` count, are scanned. */
static size_t rows_to_keep(const struct scan_state *s, size_t want, size_t kept, size_t n)
{
	if (s->coded)
		return fronted(want, kept);
	if (want < n)
		return candidates(want);
	return n;
}

size_t scan_best_with(const struct scan_kernel *way, const struct scan_rows *r, const float *query,
    const uint64_t *keep, size_t want, struct scan_hit *out)
{
	int8_t q[SCAN_DIM_MAX] = { 0 };
	float scale;
	struct scan_state s = { .r = r, .way = way, .q = q, .best.least = -FLT_MAX };

	assert(r->dim <= SCAN_DIM_MAX);
	size_t n = number_parts(&s);
	want = MIN(want, n);
	if (!want) {
		free(s.first);
		return 0;
	}
	size_t kept = count(keep, n);
	s.coded = r->v->fronts && way->codes && kept > 4 * coded(want);
	s.best.max = rows_to_keep(&s, want, kept, n);
	s.best.v = xmalloc(2 * s.best.max * sizeof *s.best.v);
	scan_quantise(query, r->dim, q, &scale);
	if (s.coded && !keep)
		scan_fronts(&s, n);
	else
		scan_all(&s, keep);
	want = score_exactly(&s, query, want, out);
	free(s.best.v);
	free(s.first);
	return want;
}

size_t scan_best(const struct scan_rows *r, const float *query, const uint64_t *keep, size_t want,
    struct scan_hit *out)
{
	return scan_best_with(best_kernel(), r, query, keep, want, out);
}
