#include "shard/vector_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "shard/prior.h"
#include "shard/rank.h"
#include "shard/scan.h"
#include "shard/vectors.h"

/*
 * The scan knows cosines alone, so each prior is scanned for by itself: what is worth less than its cosine says takes nobody's
 * place.  A row belongs to one prior, and the scan leaves out the others'.
 */
struct listing {
	const struct vectors *f;
	const struct ranking *r;
	const float *query;
	const uint64_t *keep;
	size_t want;
	struct scan_hit *hits;
	struct near_doc *v;
	size_t n, cap, rows;
};

static bool bit(const uint64_t *map, size_t i)
{
	return map[i / 64] >> i % 64 & 1;
}

static int compare(const void *a, const void *b)
{
	const struct near_doc *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return (x->doc > y->doc) - (x->doc < y->doc);
}

/* Forget all but the best. */
static void cut(struct listing *l)
{
	qsort(l->v, l->n, sizeof *l->v, compare);
	l->n = l->n < l->want ? l->n : l->want;
}

static void add(struct listing *l, const struct vectors_segment *s, const struct scan_hit *h, int prior)
{
	double cosine = h->score < 1 ? h->score : 1;

	if (cosine <= 0)
		return;
	l->v[l->n++] = (struct near_doc){ s->docs[h->row], s->hashes[h->row], cosine, cosine * prior / PRIOR_FULL };
	if (l->n == l->cap)
		cut(l);
}

/* The rows that may be found, a bitmap for each prior; NULL for one without. */
static void select_rows(struct listing *l, const struct vectors_segment *s, uint64_t *maps[PRIOR_FULL + 1], struct arena *a)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t doc = s->docs[i];
		if (doc >= l->r->n || !l->r->lengths[doc] || l->r->priors[doc] > PRIOR_FULL)
			continue;
		l->rows++;
		if (l->keep && !bit(l->keep, doc))
			continue;
		uint64_t **map = &maps[l->r->priors[doc]];
		if (!*map)
			*map = arena_many(a, s->n / 64 + 1, uint64_t);
		(*map)[i / 64] |= (uint64_t)1 << i % 64;
	}
}

static void scan_segment(struct listing *l, const struct vectors_segment *s)
{
	uint64_t *maps[PRIOR_FULL + 1] = { NULL };
	struct arena *a = arena_new();

	select_rows(l, s, maps, a);
	for (int prior = 0; prior <= PRIOR_FULL; prior++) {
		size_t n = maps[prior] ? scan_best(s->rows, s->scales, s->n, l->f->head.dim, l->query, maps[prior], l->want, l->hits) : 0;
		for (size_t i = 0; i < n; i++)
			add(l, s, &l->hits[i], prior);
	}
	arena_free(a);
}

void vector_list(const struct vectors *f, const struct ranking *r, const float *query, const uint64_t *keep, size_t want,
    struct arena *a, struct near_docs *out)
{
	struct listing l = { .f = f, .r = r, .query = query, .keep = keep, .want = want, .cap = 4 * want };

	l.hits = arena_many(a, want, struct scan_hit);
	l.v = arena_many(a, l.cap, struct near_doc);
	for (size_t i = 0; i < f->n; i++)
		scan_segment(&l, &f->v[i]);
	cut(&l);
	*out = (struct near_docs){ l.v, l.n, l.rows };
}

static int by_doc(const void *a, const void *b)
{
	const struct near_doc *x = *(struct near_doc *const *)a, *y = *(struct near_doc *const *)b;

	return (x->doc > y->doc) - (x->doc < y->doc);
}

static double dot(const int8_t *row, float scale, const float *query, size_t dim)
{
	float sum = 0;

	for (size_t i = 0; i < dim; i++)
		sum += (float)row[i] * query[i];
	return (double)(sum * scale);
}

/* Those of v, in order of document, that the row is of. */
static void compare_row(const struct vectors *f, const struct vectors_segment *s, size_t row, const struct ranking *r,
    const float *query, struct near_doc **v, size_t n)
{
	struct near_doc key = { .doc = s->docs[row] }, *at = &key;
	struct near_doc **x = bsearch(&at, v, n, sizeof(struct near_doc *), by_doc);

	while (x && x > v && x[-1]->doc == key.doc)
		x--;
	for (; x && x < v + n && (*x)->doc == key.doc; x++) {
		if ((*x)->hash != s->hashes[row])
			continue;
		double cosine = dot(s->rows + row * f->head.dim, s->scales[row], query, f->head.dim);
		(*x)->cosine = cosine < 0 ? 0 : cosine < 1 ? cosine : 1;
		(*x)->score = (*x)->cosine * r->priors[key.doc] / PRIOR_FULL;
	}
}

void vector_cosines(const struct vectors *f, const struct ranking *r, const float *query, struct near_doc *v, size_t n)
{
	struct arena *a = arena_new();
	uint64_t *wanted = arena_many(a, r->n / 64 + 1, uint64_t);
	struct near_doc **sorted = arena_many(a, n + 1, struct near_doc *);

	for (size_t i = 0; i < n; i++) {
		size_t doc = (size_t)v[i].doc < r->n ? (size_t)v[i].doc : 0;
		sorted[i] = &v[i];
		wanted[doc / 64] |= (uint64_t)1 << doc % 64;
	}
	qsort(sorted, n, sizeof *sorted, by_doc);
	for (size_t k = 0; k < f->n; k++)
		for (size_t i = 0; i < f->v[k].n; i++)
			if (f->v[k].docs[i] < r->n && bit(wanted, f->v[k].docs[i]))
				compare_row(f, &f->v[k], i, r, query, sorted, n);
	arena_free(a);
}
