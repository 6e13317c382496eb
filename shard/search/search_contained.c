/*
 * Definitions without a document of their own (constants, fields, enumerators), found by the words
 * of their names in the documents that contain them, when only some kinds are asked for.
 */
#include "shard/search/search.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/text/tokens.h"

enum {
	DOCUMENTS_MAX = 500,	/* whose definitions are read, the best ones */
	NAME_TERMS = 16
};

/* How many of the question's terms the name consists of. */
static size_t shared_terms(const struct search_context *w, const char *name)
{
	struct terms t = terms_of(name, NAME_TERMS, w->a);
	size_t shared = 0;

	for (size_t i = 0; i < w->ask.noriginal; i++)
		for (size_t k = 0; k < t.n; k++)
			if (!strcmp(w->ask.terms[i], t.v[k].text)) {
				shared++;
				break;
			}
	return shared;
}

/* Adds the row's definition with the share of its document's score that its name accounts for. */
static void add_contained(struct search_context *w, double score, struct stmt *s)
{
	size_t shared = shared_terms(w, db_str(s, 1));

	if (!shared)
		return;
	struct hit *h = search_symbol(w, db_int(s, 0), db_int(s, 2));
	score = score * (double)shared / (double)w->ask.noriginal;
	h->lexical = MAX(score, h->lexical);
}

void search_contained(struct search_context *w, int64_t doc)
{
	double score = search_score(w, doc);

	if (!w->q->kinds.n || score <= 0 || w->contained >= DOCUMENTS_MAX)
		return;
	w->contained++;
	struct stmt *s = db_prep(w->db,
	    "select s.id, s.name, s.file from docs d join files f on f.id = d.file"
	    " join symbols s on s.file = d.file and s.start_line between d.start_line and d.end_line"
	    " left join documents own on own.file = s.file and own.number = s.id & 16777215"
	    " where d.id = ?1 and own.id is null" SEARCH_FILTERS_SQL,
	    w->e);
	if (!s ||
	    db_bind(s, "isss", doc, search_filter_list(&w->q->kinds, w->a),
	        search_filter_list(&w->q->languages, w->a), search_prefix(w)))
		return;
	while (db_step(s, w->e) == 1)
		add_contained(w, score, s);
}
