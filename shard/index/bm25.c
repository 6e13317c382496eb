#include "shard/index/bm25.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/text/word_forms.h"
#include "proto/text/word_weights.h"
#include "shard/index/document_prior.h"
#include "shard/index/postings.h"

/*
 * The share of the sum, over all terms, of the best score in the document's file; measured over
 * labelled questions.
 */
static const float FILE_SHARE = 0.5f;

/* The share of the weight that other forms of a word have. */
static const float FORM_SHARE = 0.3f;

/* K1: how soon repetitions of a word stop mattering; B: how much long documents are penalised */
static const double K1 = 1.2, B = 0.5;

double bm25_idf(double documents, double all)
{
	return log(1 + (all - documents + 0.5) / (documents + 0.5));
}

/*
 * What is written per document, side by side: documents are rarely near each other, so each costs a
 * cache miss.
 */
struct score_accumulator {
	float score, weight;	/* weight: of the current term */
};

struct bm25_scores {
	const struct ranking *r;
	size_t docs, files;	/* capacity */
	double bound;		/* the maximum that all terms together could give a document */
	double by_length;	/* the penalty for each word of a document */
	struct score_accumulator *accumulators;	/* by document */
	uint8_t *terms;		/* how many each document contains; NULL if not needed */
	uint32_t *ids;		/* of the documents that contain any */
	float *sums;		/* their final scores, in the same order */
	float highest;		/* the maximum of `sums` */
	size_t n;		/* the length of `ids` and `sums` */

	/* for the current term */
	float share;		/* what half a unit of weight counts */
	uint32_t *holders;	/* the documents that contain it */
	size_t nholders;
	float *best;		/* by file: the score of its best document */
	float *file;		/* by file: the sum of `best` over all terms */
};

enum { PREFETCH_DISTANCE = 16 };	/* documents that are being fetched from memory */

static void prefetch_doc(const struct bm25_scores *s, uint32_t id)
{
	if (id >= s->r->n)
		return;
	__builtin_prefetch(&s->accumulators[id], 1);
	__builtin_prefetch(&s->r->lengths[id]);
	__builtin_prefetch(&s->r->priors[id]);
	__builtin_prefetch(&s->r->files[id]);
}

static void add_postings(void *arg, const struct posting *v, size_t n)
{
	struct bm25_scores *s = arg;
	size_t held = s->nholders;

	for (size_t i = 0; i < n; i++) {
		uint32_t id = v[i].id;
		if (i + PREFETCH_DISTANCE < n)
			prefetch_doc(s, v[i + PREFETCH_DISTANCE].id);
		if (id >= s->r->n || !s->r->lengths[id] || !s->r->priors[id])
			continue;
		struct score_accumulator *m = &s->accumulators[id];
		s->holders[held] = id;
		held += m->weight == 0;
		m->weight += s->share * (float)v[i].weight;
	}
	s->nholders = held;
}

/*
 * The score of a document for one term with idf (and constants) `decides`. Divisions are slow, so
 * there is only one.
 */
static float worth(const struct bm25_scores *s, uint32_t id, double decides)
{
	double weight = (double)s->accumulators[id].weight;

	return (float)(decides * weight * s->r->priors[id] /
	    (weight + K1 * (1 - B) + s->by_length * s->r->lengths[id]));
}

/* The current term is complete: adds each document's score for it, and each file's best score. */
static void apply_term_scores(struct bm25_scores *s, double idf)
{
	const double decides = idf * (K1 + 1) / PRIOR_FULL;
	size_t n = s->n;

	for (size_t i = 0; i < s->nholders; i++) {
		uint32_t id = s->holders[i], file = s->r->files[id];
		struct score_accumulator *m = &s->accumulators[id];
		float x = worth(s, id, decides);
		s->ids[n] = id;
		n += m->score == 0;
		*m = (struct score_accumulator){ m->score + x, 0 };
		s->best[file] = MAX(x, s->best[file]);
	}
	s->n = n;
	for (size_t i = 0; s->terms && i < s->nholders; i++)
		s->terms[s->holders[i]] += s->terms[s->holders[i]] < UINT8_MAX;
	/* Each file once, whatever the order of documents, so that no sum depends on ids. */
	for (size_t i = 0; i < s->nholders; i++) {
		uint32_t file = s->r->files[s->holders[i]];
		s->file[file] += s->best[file];
		s->best[file] = 0;
	}
	s->nholders = 0;
}

static void drop_incomplete(struct bm25_scores *s, size_t terms)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->terms[s->ids[i]] < terms)
			s->accumulators[s->ids[i]].score = 0;
}

/* A document benefits from what other documents of its file contain of the question. */
static void add_file_scores(struct bm25_scores *s)
{
	s->highest = 0;
	for (size_t i = 0; i < s->n; i++) {
		struct score_accumulator *m = &s->accumulators[s->ids[i]];
		if (m->score > 0)
			m->score += FILE_SHARE * s->file[s->r->files[s->ids[i]]];
		s->sums[i] = m->score;
		s->highest = MAX(m->score, s->highest);
	}
}

/* Zeroed memory for `n` elements, and one more. */
static void *many(size_t n, size_t size)
{
	return xcalloc(n + 1, size);
}

static struct bm25_scores *scores_alloc(const struct ranking *r)
{
	struct bm25_scores *s = many(1, sizeof *s);

	s->docs = r->n;
	s->files = r->nfiles;
	s->accumulators = many(r->n, sizeof *s->accumulators);
	s->ids = xmalloc((r->n + 1) * sizeof *s->ids);
	s->holders = xmalloc((r->n + 1) * sizeof *s->holders);
	s->sums = xmalloc((r->n + 1) * sizeof *s->sums);
	s->best = many(r->nfiles, sizeof *s->best);
	s->file = many(r->nfiles, sizeof *s->file);
	return s;
}

/* Whether the i-th term is another form of one before it. */
static bool is_earlier_form(const struct statistics *st, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (word_forms_equal(st->terms[k].term, st->terms[i].term))
			return true;
	return false;
}

/*
 * Adds the scores of a term and its other forms, which count as one word. A document counts once
 * for each form that it contains.
 */
static int add_word(
    struct bm25_scores *s, struct db *db, const struct statistics *st, size_t term, struct err *e)
{
	uint64_t in = 0;
	int rc = 0;

	for (size_t i = term; !rc && i < st->nterms; i++) {
		if (!word_forms_equal(st->terms[term].term, st->terms[i].term))
			continue;
		s->share = i == term ? 0.5f : FORM_SHARE / 2;
		in += st->terms[i].documents;
		rc = postings_each_batch(db, st->terms[i].term, add_postings, s, e);
	}
	in = MIN(in, st->documents);
	const double decides = bm25_idf((double)in, (double)st->documents) *
	    word_weight(st->terms[term].term).words;
	s->bound += (1 + (double)FILE_SHARE) * (K1 + 1) * decides;
	apply_term_scores(s, decides);
	return rc;
}

/* Memory for scores: `old` if it has the right size, else new. */
static struct bm25_scores *reuse_or_alloc(struct bm25_scores *old, const struct ranking *r)
{
	if (old && old->docs == r->n && old->files == r->nfiles)
		return old;
	bm25_scores_free(old);
	return scores_alloc(r);
}

/* The mean length of documents. */
static double mean_words(const struct statistics *st)
{
	if (!st->words)
		return 1;
	return (double)st->words / (double)st->documents;
}

struct bm25_scores *bm25_scores_new(struct bm25_scores *old, struct db *db, const struct ranking *r,
    const struct statistics *st, bool all, struct err *e)
{
	struct bm25_scores *s = reuse_or_alloc(old, r);

	s->r = r;
	s->terms = NULL;
	if (all)
		s->terms = many(r->n, sizeof *s->terms);
	s->bound = 0;
	s->by_length = K1 * B / mean_words(st);
	for (size_t i = 0; i < st->nterms; i++) {
		if (is_earlier_form(st, i))
			continue;
		if (add_word(s, db, st, i, e)) {
			bm25_scores_free(s);
			return NULL;
		}
	}
	if (all)
		drop_incomplete(s, MIN(st->nterms, UINT8_MAX));
	add_file_scores(s);
	return s;
}

/* Only the documents that contain a term need clearing: they are far fewer than all. */
void bm25_scores_clear(struct bm25_scores *s)
{
	for (size_t i = 0; i < s->n; i++) {
		uint32_t id = s->ids[i];
		s->accumulators[id].score = 0;
		s->file[s->r->files[id]] = 0;
	}
	s->n = 0;
	free(s->terms);
	s->terms = NULL;
}

void bm25_scores_free(struct bm25_scores *s)
{
	if (!s)
		return;
	free(s->accumulators);
	free(s->terms);
	free(s->ids);
	free(s->sums);
	free(s->holders);
	free(s->best);
	free(s->file);
	free(s);
}

double bm25_scores_upper_bound(const struct bm25_scores *s)
{
	return s->bound;
}

double bm25_scores_get(const struct bm25_scores *s, int64_t doc)
{
	if (doc > 0 && (size_t)doc < s->r->n)
		return (double)s->accumulators[doc].score;
	return 0;
}

/*
 * ---- the best documents: searched among those with the highest scores, then among the next ----
 */

enum { BINS = 1024 };

struct score_histogram {
	float by;		/* bins per unit of score */
	size_t n[BINS];		/* documents in each bin; higher bins have higher scores */
};

static size_t bin_of(const struct score_histogram *b, float score)
{
	float x = score * b->by;

	if (x < BINS - 1)
		return (size_t)x;
	return BINS - 1;
}

static void fill(struct score_histogram *b, const struct bm25_scores *s)
{
	b->by = 0;
	if (s->highest > 0)
		b->by = BINS / s->highest;
	for (size_t i = 0; i < s->n; i++)
		if (s->sums[i] > 0)
			b->n[bin_of(b, s->sums[i])]++;
}

static int better(const void *a, const void *b)
{
	const struct scored_doc *x = a, *y = b;

	if (x->score != y->score)
		return (x->score < y->score) - (x->score > y->score);
	return (x->doc > y->doc) - (x->doc < y->doc);
}

/* The documents of the bins from `low` up to but not including `high`, best first. */
static size_t collect_bins(const struct bm25_scores *s, const struct score_histogram *b, size_t low,
    size_t high, struct scored_doc *v)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		float score = s->sums[i];
		size_t bin = BINS;
		if (score > 0)
			bin = bin_of(b, score);
		if (bin >= low && bin < high)
			v[n++] = (struct scored_doc){ s->ids[i], (double)score };
	}
	qsort(v, n, sizeof *v, better);
	return n;
}

/* Makes room for one more, up to `limit`. */
static void room_for_one(struct scored_docs *c, size_t *cap, size_t limit, struct arena *a)
{
	if (c->n < *cap)
		return;
	*cap = MIN(2 * *cap, limit);
	struct scored_doc *v = arena_many(a, *cap, struct scored_doc);
	memcpy(v, c->v, c->n * sizeof *v);
	c->v = v;
}

struct best_docs {
	size_t want;
	double least;
	bool (*keep)(void *, int64_t);
	void *arg;
	struct arena *a;
	struct scored_docs *out;
	size_t cap;
	bool done;
};

/* Adds documents, the best first, until enough are found. */
static void add_best(struct best_docs *b, const struct scored_doc *v, size_t n)
{
	struct scored_docs *out = b->out;
	size_t limit = b->want + BM25_TIES_MAX;

	for (size_t i = 0; i < n && !b->done; i++) {
		bool worse_than_tie = out->n >= b->want && v[i].score < out->v[b->want - 1].score;
		if (v[i].score < b->least || worse_than_tie) {
			b->done = true;
			return;
		}
		room_for_one(out, &b->cap, limit, b->a);
		if (!b->keep || b->keep(b->arg, v[i].doc))
			out->v[out->n++] = v[i];
		b->done = out->n == limit;
	}
}

void bm25_scores_top(const struct bm25_scores *s, size_t want, double least,
    bool (*keep)(void *, int64_t), void *arg, struct arena *a, struct scored_docs *out)
{
	struct score_histogram bins = { 0 };
	struct best_docs best = { want, least, keep, arg, a, out, want + 1, !want };
	size_t high = BINS;

	*out = (struct scored_docs){ .v = arena_many(a, best.cap, struct scored_doc) };
	fill(&bins, s);
	for (size_t at_least = 2 * want + 64; !best.done && high; at_least *= 8) {
		size_t low = high, n = 0;
		while (low && n < at_least)
			n += bins.n[--low];
		struct scored_doc *v = xmalloc((n + 1) * sizeof *v);
		n = collect_bins(s, &bins, low, high, v);
		add_best(&best, v, n);
		free(v);
		high = low;
	}
}
