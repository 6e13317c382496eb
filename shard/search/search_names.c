#include "shard/search/search.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/text/symbol_match.h"
#include "proto/text/text_id.h"
#include "shard/index/document_prior.h"
#include "shard/storage/symbol_store.h"

_Static_assert((1 << SYMBOL_BITS) - 1 == 16777215, "as the statement below has it");

/*
 * A symbol that is called as a word of the question says; `doc`: its own, or the best of its file;
 * 0: none.
 */
struct name_match {
	int64_t symbol, doc, file;
	uint64_t text;
	double exact, lexical;
};

struct name_matches {
	struct name_match *v;
	size_t n, cap;
};

/* How well a name fits a word of the question: as written, but for case, but for separators. */
static double fit(const char *word, const char *name, const char *qualified)
{
	const char *last = symbol_base_name(word);
	size_t n = strlen(qualified), m = strlen(word);

	if (last > word)	/* Class.method, pkg::function */ {
		if (n >= m && !strcasecmp(qualified + n - m, word))
			return 3;
		return 1;
	}
	if (!strcmp(last, name))
		return 3;
	if (!strcasecmp(last, name))
		return 2;
	return 1.5;
}

/*
 * The document that answers for a symbol: its own, or the best one of its file when files are
 * asked for.
 */
static int64_t document_of(struct search_context *w, int64_t doc, int64_t file)
{
	struct stmt *s = NULL;
	double most = 0;

	if (w->files)
		s = db_prep(
		    w->db, "select id from docs where file = ? order by start_line, end_line, id", w->e);
	if (!s || db_bind(s, "i", file))
		return doc;
	while (db_step(s, w->e) == 1) {
		double its = bm25_scores_get(w->scores, db_int(s, 0));
		if (its > most)
			doc = db_int(s, 0);
		most = MAX(its, most);
	}
	return doc;
}

static int names_of_word(
    struct search_context *w, const char *word, struct name_matches *l, struct err *e)
{
	struct stmt *s = db_prep(w->db,
	    "select s.id, ifnull(d.id, 0), s.name, s.qualified, f.path, f.language,"
	    " f.test or s.test, ifnull(d.start_line, s.start_line), ifnull(d.start_line + d.more, s.end_line), f.id, f.blob"
	    " from symbols s join files f on f.id = s.file left join documents d on d.file = s.file and d.number = s.id & 16777215"
	    " where s.key = ?1 and s.kind <> 'section' and not f.generated" SEARCH_FILTERS_SQL,
	    e);
	int rc;

	if (!s)
		return -1;
	db_bind(s, "ssss", symbol_key(symbol_base_name(word), w->a),
	    search_filter_list(&w->q->kinds, w->a), search_filter_list(&w->q->languages, w->a),
	    search_prefix(w));
	while ((rc = db_step(s, e)) == 1) {
		int64_t doc = document_of(w, db_int(s, 1), db_int(s, 9));
		double lexical = search_score(w, doc);
		/* it bears a word of a phrase, and does not say it */
		if (w->ask.nphrases && lexical == 0)
			continue;
		l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
		l->v[l->n++] = (struct name_match){
			.symbol = db_int(s, 0),
			.doc = doc,
			.file = db_int(s, 9),
			.text = doc ? w->ranking->texts[doc] :
			              text_id(db_str(s, 10), (uint64_t)db_int(s, 7), (uint64_t)db_int(s, 8),
			                  db_str(s, 3)),
			.exact = fit(word, db_str(s, 2), db_str(s, 3)) *
			    document_prior_of_file(db_int(s, 6) && !w->tests, db_str(s, 5), db_str(s, 4)) /
			    PRIOR_FULL,
			.lexical = lexical,
		};
	}
	return rc;
}

static int by_fit(const void *a, const void *b)
{
	const struct name_match *x = a, *y = b;

	if (x->exact != y->exact) {
		if (x->exact > y->exact)
			return -1;
		return 1;
	}
	if (x->lexical != y->lexical) {
		if (x->lexical > y->lexical)
			return -1;
		return 1;
	}
	return (x->text > y->text) - (x->text < y->text);
}

/* Add a symbol; whether its text was not in the list yet. */
static bool add_named(struct search_context *w, const struct name_match *x)
{
	struct hit *h = x->doc ? search_hit(w, x->doc) : search_symbol(w, x->symbol, x->file);

	h->exact = MAX(x->exact, h->exact);
	h->lexical = MAX(x->lexical, h->lexical);
	return search_is_new(w, h);
}

int search_by_name(struct search_context *w, struct err *e)
{
	struct map *seen = map_new();
	struct name_matches l = { 0 };
	size_t texts = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < w->ask.nwords && w->q->least_exact < SEARCH_NOT; i++) {
		void **at = map_at(seen, w->ask.words[i]);
		if (!*at)
			rc = names_of_word(w, w->ask.words[i], &l, e);
		*at = w;
	}
	map_free(seen);
	if (l.n)
		qsort(l.v, l.n, sizeof *l.v, by_fit);
	search_begin_count(w);
	for (size_t i = 0; !rc && i < l.n && texts <= w->limit && l.v[i].exact >= w->q->least_exact;
	     i++)
		texts += add_named(w, &l.v[i]);
	free(l.v);
	return rc || e->code ? -1 : 0;
}
