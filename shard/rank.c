#include "shard/rank.h"

#include <math.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/postings.h"
#include "shard/prior.h"

double rank_idf(double documents, double all)
{
	return log(1 + (all - documents + 0.5) / (documents + 0.5));
}

struct scores {
	const struct ranking *r;
	double average, idf;
	float *score;
	uint8_t *terms;		/* how many each document holds */
};

static void add(void *arg, int64_t id, double weight)
{
	static const double k1 = 1.2, b = 0.75;
	struct scores *s = arg;

	if ((size_t)id >= s->r->n || !s->r->lengths[id])
		return;
	double norm = k1 * (1 - b + b * s->r->lengths[id] / s->average);
	s->terms[id] += s->terms[id] < UINT8_MAX;
	s->score[id] += (float)(s->idf * weight * (k1 + 1) / (weight + norm) * s->r->priors[id] / PRIOR_FULL);
}

static void only_complete(struct scores *s, size_t terms)
{
	for (size_t id = 0; id < s->r->n; id++)
		if (s->terms[id] < terms)
			s->score[id] = 0;
}

struct scores *scores_new(struct db *db, const struct ranking *r, const struct statistics *st, bool all, struct err *e)
{
	struct scores *s = calloc(1, sizeof *s);
	int rc = 0;

	if (!s || !(s->score = calloc(r->n + 1, sizeof *s->score)) || !(s->terms = calloc(r->n + 1, 1)))
		abort();
	s->r = r;
	s->average = st->words ? (double)st->words / (double)st->documents : 1;
	for (size_t i = 0; !rc && i < st->nterms; i++) {
		/* a prefix counts a document for each of its terms */
		uint64_t in = st->terms[i].documents < st->documents ? st->terms[i].documents : st->documents;
		s->idf = rank_idf((double)in, (double)st->documents);
		rc = postings_each(db, st->terms[i].term, add, s, e);
	}
	if (rc) {
		scores_free(s);
		return NULL;
	}
	if (all)
		only_complete(s, st->nterms < UINT8_MAX ? st->nterms : UINT8_MAX);
	return s;
}

void scores_free(struct scores *s)
{
	if (!s)
		return;
	free(s->score);
	free(s->terms);
	free(s);
}

double scores_get(const struct scores *s, int64_t doc)
{
	return doc > 0 && (size_t)doc < s->r->n ? (double)s->score[doc] : 0;
}

/* ---- the best: documents in a heap, those left are looked at in order ---- */

static bool better(const struct scores *s, int64_t a, int64_t b)
{
	return s->score[a] != s->score[b] ? s->score[a] > s->score[b] : a < b;
}

/* Put `id` where the heap has a hole at `i`. */
static void sift(const struct scores *s, int64_t *heap, size_t n, size_t i, int64_t id)
{
	for (size_t k; (k = 2 * i + 1) < n; i = k) {
		k += k + 1 < n && better(s, heap[k + 1], heap[k]);
		if (!better(s, heap[k], id))
			break;
		heap[i] = heap[k];
	}
	heap[i] = id;
}

static size_t heap_of(const struct scores *s, int64_t **heap)
{
	size_t n = 0;

	for (size_t id = 0; id < s->r->n; id++)
		n += s->score[id] > 0;
	if (!(*heap = malloc((n + 1) * sizeof **heap)))
		abort();
	n = 0;
	for (size_t id = 0; id < s->r->n; id++)
		if (s->score[id] > 0)
			(*heap)[n++] = (int64_t)id;
	for (size_t i = n / 2; i-- > 0;)
		sift(s, *heap, n, i, (*heap)[i]);
	return n;
}

void scores_best(const struct scores *s, size_t want, bool (*keep)(void *, int64_t), void *arg, struct arena *a,
    struct candidates *out)
{
	int64_t *heap;
	size_t n = heap_of(s, &heap);

	*out = (struct candidates){ .v = arena_many(a, want + SCORES_TIES, struct candidate) };
	while (n && want && out->n < want + SCORES_TIES) {
		int64_t id = heap[0];
		double score = (double)s->score[id];
		if (out->n >= want && score < out->v[want - 1].score)
			break;
		sift(s, heap, n - 1, 0, heap[n - 1]);
		n--;
		if (!keep || keep(arg, id))
			out->v[out->n++] = (struct candidate){ id, score };
	}
	free(heap);
}
