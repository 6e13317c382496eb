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

int rank_weigh(struct db *db, const struct ranking *r, struct weighed *terms, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (postings_documents(db, terms[i].text, &terms[i].documents, e))
			return -1;
		terms[i].idf = rank_idf((double)terms[i].documents, r->documents);
	}
	return 0;
}

/* One question's scores by document, and how many of its terms each holds. */
struct scores {
	const struct ranking *r;
	double idf;
	float *score;
	uint8_t *terms;
};

static void add(void *arg, int64_t id, double weight)
{
	static const double k1 = 1.2, b = 0.75;
	struct scores *s = arg;

	if ((size_t)id >= s->r->n || !s->r->lengths[id])
		return;
	double norm = k1 * (1 - b + b * s->r->lengths[id] / s->r->average);
	s->terms[id]++;
	s->score[id] += (float)(s->idf * weight * (k1 + 1) / (weight + norm) * s->r->priors[id] / PRIOR_FULL);
}

static void only_complete(struct scores *s, size_t terms)
{
	for (size_t id = 0; id < s->r->n; id++)
		if (s->terms[id] < terms)
			s->score[id] = 0;
}

/* Put a score into the heap of the best, the least on top. */
static void heap_put(float *heap, size_t *n, size_t want, float score)
{
	size_t i = 0;

	if (*n < want) {
		for (i = (*n)++; i && heap[(i - 1) / 2] > score; i = (i - 1) / 2)
			heap[i] = heap[(i - 1) / 2];
		heap[i] = score;
		return;
	}
	for (size_t k; (k = 2 * i + 1) < *n; i = k) {
		k += k + 1 < *n && heap[k + 1] < heap[k];
		if (heap[k] >= score)
			break;
		heap[i] = heap[k];
	}
	heap[i] = score;
}

static bool kept(const struct rank_request *q, size_t id)
{
	return !q->keep || q->keep(q->arg, (int64_t)id);
}

/* The score of the last of the best. */
static float least_score(const struct scores *s, const struct rank_request *q)
{
	float *heap = malloc((q->want + 1) * sizeof *heap);
	size_t n = 0;

	if (!heap)
		abort();
	for (size_t id = 0; id < s->r->n; id++)
		if (s->score[id] > 0 && (n < q->want || s->score[id] > *heap) && kept(q, id))
			heap_put(heap, &n, q->want, s->score[id]);
	float least = n == q->want && n ? *heap : 0;
	free(heap);
	return least;
}

static int best_first(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return (a->doc > b->doc) - (a->doc < b->doc);
}

static void collect(const struct scores *s, const struct rank_request *q, struct arena *a, struct candidates *out)
{
	float least = least_score(s, q);
	size_t ties = 0;

	out->v = arena_many(a, q->want + RANK_TIES, struct candidate);
	for (size_t id = 0; id < s->r->n && q->want; id++) {
		float score = s->score[id];
		if (score <= 0 || score < least || (score == least && ties > RANK_TIES) || !kept(q, id))
			continue;
		ties += score == least;
		if (out->n < q->want + RANK_TIES)
			out->v[out->n++] = (struct candidate){ (int64_t)id, (double)score };
	}
	qsort(out->v, out->n, sizeof *out->v, best_first);
}

int rank_documents(struct db *db, const struct ranking *r, const struct rank_request *q, struct arena *a,
    struct candidates *out, struct err *e)
{
	struct scores s = { .r = r, .score = calloc(r->n + 1, sizeof *s.score), .terms = calloc(r->n + 1, 1) };
	int rc = 0;

	*out = (struct candidates){ 0 };
	if (!s.score || !s.terms)
		abort();
	for (size_t i = 0; !rc && i < q->nterms; i++) {
		s.idf = q->terms[i].idf;
		rc = postings_each(db, q->terms[i].text, add, &s, e);
	}
	if (!rc) {
		if (q->all)
			only_complete(&s, q->nterms);
		collect(&s, q, a, out);
	}
	free(s.score);
	free(s.terms);
	return rc;
}
