#include "shard/search/search.h"

#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/index/document_prior.h"

/* How well a name matches a word with `*`. */
static double prefix_fit(const struct search_context *w, const char *name)
{
	for (size_t i = 0; name && i < w->ask.nterms; i++) {
		const char *begin = question_prefix(w->ask.terms[i], w->a);
		if (begin && !strncasecmp(name, begin, strlen(begin)))
			return 2;
	}
	return 0;
}

static void add_prefix(struct search_context *w, struct hit *h)
{
	if (!w->begins || search_load_location(w, h))
		return;
	double fit = prefix_fit(w, h->symbol) * document_prior_of_file(h->test, h->language, h->path) /
	    PRIOR_FULL;
	h->exact = MAX(fit, h->exact);
}

/* Adds a document. Returns whether its text was not in the list yet. */
static bool add_lexical(void *arg, int64_t doc)
{
	struct search_context *w = arg;
	double score = bm25_scores_get(w->scores, doc);

	search_contained(w, doc);
	if (!search_accepts(w, doc))
		return false;
	struct hit *h = search_hit(w, doc);
	if (score == h->lexical && search_precedes(w, doc, h))
		search_show_document(w, doc, h);
	h->lexical = MAX(score, h->lexical);
	add_prefix(w, h);
	return search_is_new(w, h);
}

/* Whether a word of the question is `begins*`. */
static bool any_prefix(const struct search_context *w)
{
	for (size_t i = 0; i < w->ask.nterms; i++)
		if (question_prefix(w->ask.terms[i], w->a))
			return true;
	return false;
}

int search_by_terms(struct search_context *w, struct err *e)
{
	struct scored_docs best;

	if (w->q->least_lexical >= SEARCH_NOT)
		return 0;
	w->begins = !w->longer_names && any_prefix(w);	/* else they are found with a better score */
	search_begin_count(w);
	bm25_scores_top(w->scores, w->limit + 1, w->q->least_lexical, add_lexical, w, w->a, &best);
	if (e->code)
		return -1;
	return 0;
}
