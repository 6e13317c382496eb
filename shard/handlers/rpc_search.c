#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/int_map.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "proto/record/light_hit.h"
#include "proto/wire/wire.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/index/document_prior.h"
#include "shard/index/postings.h"
#include "shard/search/search.h"
#include "shard/search/symbol_documents.h"

enum { HITS_MAX = 200 };		/* hits of a list */
enum { SHORT_QUERY_TERMS = 4 };		/* maximum terms of a question that is not a sentence */
enum { LARGE_INDEX_DOCS = 100000 };	/* documents that take some milliseconds to search */

/* Adds the scores by words to the hits of other lists. */
static void add_scores(struct search_context *w)
{
	for (size_t i = 0; i < int_map_len(w->found); i++) {
		struct hit *h = int_map_val(w->found, i);
		if (h->doc && h->lexical == 0)
			h->lexical = search_score(w, (int64_t)h->doc);
	}
}

static int compare_scores(double x, double y)
{
	return (x < y) - (x > y);
}

static int compare(
    double x, double y, double x2, double y2, const struct hit *a, const struct hit *b)
{
	int c = compare_scores(x, y);

	if (!c)
		c = compare_scores(x2, y2);
	if (c)
		return c;
	return (a->text > b->text) - (a->text < b->text);
}

static int by_lexical(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->lexical, y->lexical, 0, 0, x, y);
}

static int by_exact(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->exact, y->exact, x->lexical, y->lexical, x, y);
}

static int by_named(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->named, y->named, x->lexical, y->lexical, x, y);
}

static int by_nearness(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->near, y->near, 0, 0, x, y);
}

/*
 * Takes the best of one list: those with a useful score there, until there is one text more than is
 * wanted.
 */
static void take(struct search_context *w, struct hit *const *v, size_t n,
    int (*order)(const void *, const void *), size_t score, double least)
{
	struct hit **list = arena_many(w->a, n + 1, struct hit *);
	size_t texts = 0, k = 0;

	for (size_t i = 0; i < n; i++) {
		const double *own = (const void *)((const char *)v[i] + score);
		if (*own > 0 && *own >= least)
			list[k++] = v[i];
	}
	search_begin_count(w);
	qsort(list, k, sizeof *list, order);
	for (size_t i = 0; i < k; i++) {
		texts += search_is_new(w, list[i]);
		if (texts > w->limit)
			break;
		((struct search_entry *)list[i])->taken = true;
	}
}

/* Whether the hit can be returned as a struct light_hit. */
static bool is_light(const struct search_context *w, const struct hit *h)
{
	return w->q->light && h->doc && h->named == 0;
}

static int by_place(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	int c = compare_scores(x->lexical, y->lexical);

	if (!c)
		c = strcmp(x->path, y->path);
	if (!c)
		c = (x->start_line > y->start_line) - (x->start_line < y->start_line);
	if (!c)
		c = (x->end_line > y->end_line) - (x->end_line < y->end_line);
	if (c)
		return c;
	return compare_texts(x->qualified, y->qualified);
}

/*
 * Removes the numbers of this index, which mean nothing to a caller that gets locations, so that
 * equal sources give equal answers.
 */
static void forget_numbers(struct hit *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i].doc = v[i].file = 0;
	qsort(v, n, sizeof *v, by_place);
}

/* Returns what was taken: light hits, and hits with their locations. */
static void put(struct search_context *w, struct hit *const *v, size_t n, struct search_res *out)
{
	struct light_hit *light = arena_many(w->a, n + 1, struct light_hit);
	double *around = arena_many(w->a, n + 1, double);
	size_t k = 0;

	out->hits.v = arena_many(w->a, n + 1, struct hit);
	for (size_t i = 0; i < n; i++) {
		struct hit *h = v[i];
		if (is_light(w, h)) {
			around[k] = h->around;
			light[k++] = (struct light_hit){ h->text, (uint32_t)h->doc, (uint32_t)h->file,
				h->lexical, h->exact, h->cosine, h->near };
		} else if (!search_load_location(w, h)) {
			out->hits.v[out->hits.n++] = *h;
		}
	}
	if (!w->q->light)
		forget_numbers(out->hits.v, out->hits.n);
	out->light = (struct bytes){ light, k * sizeof *light };
	if (w->near.query)
		out->light_around = (struct bytes){ around, k * sizeof *around };
}

/* Takes the best of each list. */
static void best(struct search_context *w, struct search_res *out)
{
	size_t n = int_map_len(w->found);
	struct hit **v = arena_many(w->a, n + 1, struct hit *);

	for (size_t i = 0; i < n; i++)
		v[i] = int_map_val(w->found, i);
	take(w, v, n, by_exact, offsetof(struct hit, exact), w->q->least_exact);
	take(w, v, n, by_named, offsetof(struct hit, named), w->q->least_named);
	take(w, v, n, by_nearness, offsetof(struct hit, near), w->q->least_near);
	take(w, v, n, by_lexical, offsetof(struct hit, lexical), w->q->least_lexical);
	out->total = n;
	size_t taken = 0;
	for (size_t i = 0; i < n; i++)
		if (((struct search_entry *)v[i])->taken)
			v[taken++] = v[i];
	search_fill_around(w, v, taken);
	put(w, v, taken, out);
}

/* The statistics for the scores: those of the request, or else of this index. */
static int statistics(
    struct search_context *w, const struct ranking *r, struct statistics *out, struct err *e)
{
	size_t n = w->ask.nterms;

	*out = (struct statistics){ w->q->terms.v, w->q->terms.n, w->q->documents, w->q->words };
	if (w->q->documents)
		return 0;
	struct term_count *v = arena_many(w->a, n + 1, struct term_count);
	for (size_t i = 0; i < n; i++) {
		v[i].term = w->ask.terms[i];
		if (postings_count_documents(w->db, v[i].term, &v[i].documents, e))
			return -1;
	}
	*out = (struct statistics){ v, question_select_terms(&w->ask, v, n), r->documents, r->words };
	return 0;
}

static bool is_test_word(const char *term)
{
	return !strcmp(term, "test") || !strcmp(term, "testing") || !strcmp(term, "unittest");
}

/* Whether a short question contains `test`; in a sentence it is a word like any other. */
static bool asks_for_tests(const struct question *q)
{
	if (q->noriginal > SHORT_QUERY_TERMS)
		return false;
	for (size_t i = 0; i < q->noriginal; i++)
		if (is_test_word(q->terms[i]))
			return true;
	return false;
}

static const uint8_t *priors_for_tests(const struct search_context *w, const struct ranking *r)
{
	uint8_t *priors = arena_many(w->a, r->n + 1, uint8_t);

	for (size_t i = 0; i < r->n; i++)
		priors[i] = (uint8_t)document_prior_for_tests(r->priors[i]);
	return priors;
}

/*
 * The ranking.  If the question asks for tests, they count as much as other code; if it is a name,
 * short methods do.
 */
static const struct ranking *ranking_for(const struct search_context *w, const struct ranking *r)
{
	if (!w->tests && !w->ask.name)
		return r;
	struct ranking *own = arena_one(w->a, struct ranking);
	*own = *r;
	own->for_tests = w->tests;
	if (w->tests)
		own->priors = priors_for_tests(w, r);
	else
		own->priors = index_reader_name_priors(w->r);
	return own;
}

/* Whether no indexed path has the prefix of the request, so that no words could find anything. */
static bool is_nowhere(struct search_context *w)
{
	const char *prefix = search_prefix(w);
	bool found = false;

	if (!prefix)
		return false;
	struct stmt *s = db_prep(
	    w->db, "select 1 from files where substr(path, 1, length(?1)) = ?1 limit 1", w->e);
	if (!s || db_bind(s, "s", prefix))
		return false;
	while (db_step(s, w->e) == 1)
		found = true;
	return !found;
}

static int find_hits(struct search_context *w, struct search_res *out, struct err *e)
{
	if (w->by_words) {
		w->longer_names = search_wants_longer_names(w, e);
		if (search_by_terms(w, e))
			return -1;
		if (search_by_name(w, e))
			return -1;
		if (search_by_route(w, e))
			return -1;
		if (search_by_path(w, e))
			return -1;
	}
	if (search_by_vector(w, out, e) || e->code)
		return -1;
	if (w->by_words) {
		add_scores(w);
		out->most_lexical = bm25_scores_upper_bound(w->scores);
	}
	best(w, out);
	out->nowhere = !out->total && is_nowhere(w);
	if (e->code)
		return -1;
	return 0;
}

static int run(struct search_context *w, struct search_res *out, struct err *e)
{
	const struct ranking *r = index_reader_ranking(w->r, e);
	struct statistics st;

	w->tests = asks_for_tests(&w->ask);
	if (!r || statistics(w, r, &st, e))
		return -1;
	out->documents = r->documents;
	w->ranking = ranking_for(w, r);
	w->r->scores = bm25_scores_new(w->r->scores, w->db, w->ranking, &st, w->ask.nphrases > 0, e);
	w->scores = w->r->scores;
	if (!w->scores)
		return -1;
	w->by_words = !w->q->mode || strcmp(w->q->mode, "vector") != 0;
	int rc = find_hits(w, out, e);
	bm25_scores_clear(w->scores);
	return rc;
}

int rpc_search(struct shard *shard, struct index_reader *r, const struct search_req *q,
    struct search_res *out, struct arena *a, struct err *e)
{
	struct search_context w = {
		.q = q,
		.r = r,
		.db = r->db,
		.a = a,
		.limit = MIN(MAX(q->limit, 1), HITS_MAX),
		.files = q->granularity && !strcmp(q->granularity, "file"),
		.e = e,
	};

	(void)shard;
	if (question_parse(&w.ask, q->query, a, e))
		return -1;
	bool large = r->info.documents > LARGE_INDEX_DOCS;
	if (large || w.ask.nphrases || q->kinds.n || q->languages.n)
		wire_yield();
	w.found = int_map_new();
	w.texts = int_map_new();
	int rc = run(&w, out, e);
	out->verbatim = w.ask.nphrases > 0;
	out->unchecked = w.unchecked;
	int_map_free(w.found);
	int_map_free(w.texts);
	symbol_documents_free(&w);
	search_free_contained(&w);
	search_free_phrases(&w);
	return rc;
}
