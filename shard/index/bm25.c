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
 * Of what the best documents of a file get for each term, together; measured over labelled
 * questions.
 */
static const float FILE_SHARE = 0.5f;

/* Of the weight of a word's other forms. */
static const float FORM_SHARE = 0.3f;

/* how soon a word saturates; how much a long document loses */
static const double K1 = 1.2, B = 0.5;

double bm25_idf(double documents, double all)
{
	return log(1 + (all - documents + 0.5) / (documents + 0.5));
}

/*
 * What is written of a document, side by side: few are near each other, so each is a way to memory
 * of its own.
 */
struct score_accumulator {
	float score, weight;	/* weight: of the term that is being read */
};

struct bm25_scores {
	const struct ranking *r;
	size_t docs, files;	/* that there is room for */
	double bound;		/* what all terms together could give a document */
	double by_length;	/* how much a word more lessens what a term is worth */
	struct score_accumulator *accumulators;	/* of each document */
	uint8_t *terms;		/* how many each document holds; NULL: nobody asks */
	uint32_t *ids;		/* of those that hold any */
	float *sums;		/* their scores when all terms are read, in that order, and the highest */
	float most;
	size_t n;

	/* of the term that is being read */
	float share;		/* what a form of it counts, for half a unit */
	uint32_t *holders;	/* the documents that have one */
	size_t nholders;
	float *best;		/* of each file: what its best document gets for it */
	float *file;		/* the sum of these over all terms */
};

enum { PREFETCH_DISTANCE = 16 };	/* documents that are on their way from memory */

static void prefetch_doc(const struct bm25_scores *s, uint32_t id)
{
	if (id >= s->r->n)
		return;
	__builtin_prefetch(&s->accumulators[id], 1);
	__builtin_prefetch(&s->r->lengths[id]);
	__builtin_prefetch(&s->r->priors[id]);
	__builtin_prefetch(&s->r->files[id]);
}

static void hold(void *arg, const struct posting *v, size_t n)
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
 * What a term is worth in a document, to be multiplied by what it decides; divisions are slow, so
 * there is one.
 */
static float worth(const struct bm25_scores *s, uint32_t id, double decides)
{
	double weight = (double)s->accumulators[id].weight;

	return (float)(decides * weight * s->r->priors[id] /
	    (weight + K1 * (1 - B) + s->by_length * s->r->lengths[id]));
}

/*
 * What was read is a term: give each document that holds it what it is worth, and each file what
 * its best document gets.
 */
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
	/* in any order each file once, so that no sum depends on ids */
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

/* A document is helped by what the others of its file hold of the question. */
static void add_file_scores(struct bm25_scores *s)
{
	s->most = 0;
	for (size_t i = 0; i < s->n; i++) {
		struct score_accumulator *m = &s->accumulators[s->ids[i]];
		m->score += m->score > 0 ? FILE_SHARE * s->file[s->r->files[s->ids[i]]] : 0;
		s->sums[i] = m->score;
		s->most = MAX(m->score, s->most);
	}
}

static void *many(size_t n, size_t size)
{
	void *p = xcalloc(n + 1, size);

	return p;
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
 * Score by a term and the other forms of it, which are one word.  A document counts for each form
 * that it holds.
 */
static int add_word(
    struct bm25_scores *s, struct db *db, const struct statistics *st, size_t term, struct err *e)
{
	uint64_t in = 0;
	int rc = 0;

	for (size_t i = term; !rc && i < st->nterms; i++) {
		if (!word_forms_equal(st->terms[term].term, st->terms[i].term))
			continue;
		s->share = (i == term ? 1 : FORM_SHARE) / 2;
		in += st->terms[i].documents;
		rc = postings_each_batch(db, st->terms[i].term, hold, s, e);
	}
	in = MIN(in, st->documents);
	const double decides = bm25_idf((double)in, (double)st->documents) *
	    word_weight(st->terms[term].term).words;
	s->bound += (1 + (double)FILE_SHARE) * (K1 + 1) * decides;
	apply_term_scores(s, decides);
	return rc;
}

struct bm25_scores *bm25_scores_new(struct bm25_scores *old, struct db *db, const struct ranking *r,
    const struct statistics *st, bool all, struct err *e)
{
	bool fits = old && old->docs == r->n && old->files == r->nfiles;
	struct bm25_scores *s = old;
	int rc = 0;

	if (!fits)
		s = scores_alloc(r);
	if (!fits)
		bm25_scores_free(old);
	s->r = r;
	if (all)
		s->terms = many(r->n, sizeof *s->terms);
	else
		s->terms = NULL;
	s->bound = 0;
	s->by_length = K1 * B / (st->words ? (double)st->words / (double)st->documents : 1);
	for (size_t i = 0; !rc && i < st->nterms; i++)
		if (!is_earlier_form(st, i))
			rc = add_word(s, db, st, i, e);
	if (rc) {
		bm25_scores_free(s);
		return NULL;
	}
	if (all)
		drop_incomplete(s, MIN(st->nterms, UINT8_MAX));
	add_file_scores(s);
	return s;
}

/* Fewer documents hold a word than there are. */
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

/* ---- the best: looked for among those of the highest scores, then among the next ---- */

enum { BINS = 1024 };

struct score_histogram {
	float by;		/* bins for each unit of a score */
	size_t n[BINS];		/* documents in each; the higher the better */
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
	if (s->most > 0)
		b->by = BINS / s->most;
	else
		b->by = 0;
	for (size_t i = 0; i < s->n; i++)
		if (s->sums[i] > 0)
			b->n[bin_of(b, s->sums[i])]++;
}

static int better(const void *a, const void *b)
{
	const struct scored_doc *x = a, *y = b;

	if (x->score != y->score) {
		if (x->score > y->score)
			return -1;
		return 1;
	}
	return (x->doc > y->doc) - (x->doc < y->doc);
}

/* The documents of bins from `low` on and below `high`, in order. */
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

/* Room for one more, of at most `most`. */
static void room_for_one(struct scored_docs *c, size_t *cap, size_t most, struct arena *a)
{
	if (c->n < *cap)
		return;
	*cap = MIN(2 * *cap, most);
	struct scored_doc *v = arena_many(a, *cap, struct scored_doc);
	memcpy(v, c->v, c->n * sizeof *v);
	c->v = v;
}

void bm25_scores_top(const struct bm25_scores *s, size_t want, double least,
    bool (*keep)(void *, int64_t), void *arg, struct arena *a, struct scored_docs *out)
{
	struct score_histogram bins = { 0 };
	size_t high = BINS, most = want + BM25_TIES_MAX, cap = want + 1;
	bool done = !want;

	*out = (struct scored_docs){ .v = arena_many(a, cap, struct scored_doc) };
	fill(&bins, s);
	for (size_t at_least = 2 * want + 64; !done && high; at_least *= 8) {
		size_t low = high, n = 0;
		while (low && n < at_least)
			n += bins.n[--low];
		struct scored_doc *v = xmalloc((n + 1) * sizeof *v);
		n = collect_bins(s, &bins, low, high, v);
		for (size_t i = 0; i < n && !done; i++) {
			done = v[i].score < least || (out->n >= want && v[i].score < out->v[want - 1].score);
			room_for_one(out, &cap, most, a);
			if (!done && (!keep || keep(arg, v[i].doc)))
				out->v[out->n++] = v[i];
			done |= out->n == most;
		}
		free(v);
		high = low;
	}
}
