#include "shard/search_own.h"

#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "shard/prior.h"

/* How well a name begins as a word with `*` does. */
static double prefix_fit(const struct search *w, const char *name)
{
	for (size_t i = 0; name && i < w->ask.nterms; i++) {
		const char *begin = question_prefix(w->ask.terms[i], w->a);
		if (begin && !strncasecmp(name, begin, strlen(begin)))
			return 2;
	}
	return 0;
}

/* Add a document; whether its text was not in the list yet. */
static bool add_lexical(void *arg, int64_t doc)
{
	struct search *w = arg;
	struct stmt *s = search_keeps(w, doc) ? db_prep(w->db, DOCUMENT, w->e) : NULL;
	double its = scores_get(w->scores, doc);
	bool new = false;

	if (!s || db_bind(s, "i", doc))
		return false;
	while (db_step(s, w->e) == 1) {
		struct hit *h = search_hit(w, s);
		if (its == h->lexical && search_before(s, h)) {
			search_place(w, s, h->path, (struct spot *)h);
			h->lexical = its;
		}
		h->lexical = its > h->lexical ? its : h->lexical;
		new = search_is_new(h, w->counts);
		double fit = prefix_fit(w, h->symbol) * prior_of(h->test, h->language) / PRIOR_FULL;
		h->exact = fit > h->exact ? fit : h->exact;
	}
	return new;
}

int search_words(struct search *w, struct err *e)
{
	struct candidates best;

	if (w->q->least_lexical >= SEARCH_NOT)
		return 0;
	w->counts++;
	scores_best(w->scores, w->limit + 1, w->q->least_lexical, add_lexical, w, w->a, &best);
	return e->code ? -1 : 0;
}
