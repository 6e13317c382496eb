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

_Static_assert((1 << SYMBOL_BITS) - 1 == 16777215, "the statement below contains this number");

/*
 * A symbol whose name is a word of the question. `doc` is its own document, or the best of its
 * file; 0 if there is none.
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

/*
 * How well a name matches a word of the question: exactly, except for case, except for separators.
 */
static double fit(const char *word, const char *name, const char *qualified)
{
	const char *last = symbol_base_name(word);
	size_t n = strlen(qualified), m = strlen(word);

	if (last > word) {	/* Class.method, pkg::function */
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
 * The document that represents a symbol: its own, or the best one of its file when the search is
 * for files.
 */
static int64_t document_of(struct search_context *w, int64_t doc, int64_t file)
{
	struct stmt *s = NULL;
	double highest = 0;

	if (w->files)
		s = db_prep(
		    w->db, "select id from docs where file = ? order by start_line, end_line, id", w->e);
	if (!s || db_bind(s, "i", file))
		return doc;
	while (db_step(s, w->e) == 1) {
		double score = search_score(w, db_int(s, 0));
		if (score > highest && (!w->q->kinds.n || search_passes(w, db_int(s, 0)))) {
			doc = db_int(s, 0);
			highest = score;
		}
	}
	return doc;
}

static int prior_of_row(const struct search_context *w, struct stmt *s)
{
	bool test = db_int(s, 6) && !w->tests;

	return document_prior_of_file(test, db_str(s, 5), db_str(s, 4));
}

/* Adds the symbol of the row, unless its document lacks a phrase of the question. */
static void add_symbol(
    struct search_context *w, const char *word, struct stmt *s, struct name_matches *l)
{
	struct name_match x = { .symbol = db_int(s, 0), .file = db_int(s, 9) };

	x.doc = document_of(w, db_int(s, 1), x.file);
	x.lexical = search_score(w, x.doc);
	if (w->ask.nphrases && x.lexical == 0)
		return;
	if (x.doc)
		x.text = w->ranking->texts[x.doc];
	else
		x.text = text_id(
		    db_str(s, 10), (uint64_t)db_int(s, 7), (uint64_t)db_int(s, 8), db_str(s, 3));
	x.exact = fit(word, db_str(s, 2), db_str(s, 3)) * prior_of_row(w, s) / PRIOR_FULL;
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = x;
}

static int names_of_word(
    struct search_context *w, const char *word, struct name_matches *l, struct err *e)
{
	struct stmt *s = db_prep(w->db,
	    "select s.id, ifnull(d.id, 0), s.name, s.qualified, f.path, f.language,"
	    " f.test or s.test, ifnull(d.start_line, s.start_line), ifnull(d.start_line + d.more,"
	    " s.end_line), f.id, f.blob"
	    " from symbols s join files f on f.id = s.file left join documents d on d.file = s.file"
	    " and d.number = s.id & 16777215"
	    " where s.key = ?1 and s.kind <> 'section' and not f.generated" SEARCH_FILTERS_SQL,
	    e);
	int rc;

	if (!s)
		return -1;
	db_bind(s, "ssss", symbol_key(symbol_base_name(word), w->a),
	    search_filter_list(&w->q->kinds, w->a), search_filter_list(&w->q->languages, w->a),
	    search_prefix(w));
	while ((rc = db_step(s, e)) == 1)
		add_symbol(w, word, s, l);
	return rc;
}

static int by_fit(const void *a, const void *b)
{
	const struct name_match *x = a, *y = b;

	if (x->exact != y->exact)
		return (x->exact < y->exact) - (x->exact > y->exact);
	if (x->lexical != y->lexical)
		return (x->lexical < y->lexical) - (x->lexical > y->lexical);
	return (x->text > y->text) - (x->text < y->text);
}

/* Adds a symbol.  Returns whether its text was not in the list yet. */
static bool add_named(struct search_context *w, const struct name_match *x)
{
	struct hit *h;

	if (x->doc)
		h = search_hit(w, x->doc);
	else
		h = search_symbol(w, x->symbol, x->file);
	h->exact = MAX(x->exact, h->exact);
	h->lexical = MAX(x->lexical, h->lexical);
	return search_is_new(w, h);
}

/* Finds the symbols of all words of the question, each word once. */
static int find_names(struct search_context *w, struct name_matches *l, struct err *e)
{
	struct map *seen = map_new();
	int rc = 0;

	for (size_t i = 0; !rc && i < w->ask.nwords; i++) {
		void **at = map_at(seen, w->ask.words[i]);
		if (!*at)
			rc = names_of_word(w, w->ask.words[i], l, e);
		*at = w;
	}
	map_free(seen);
	return rc;
}

int search_by_name(struct search_context *w, struct err *e)
{
	struct name_matches l = { 0 };
	size_t texts = 0;
	int rc = 0;

	if (w->q->least_exact < SEARCH_NOT)
		rc = find_names(w, &l, e);
	if (l.n)
		qsort(l.v, l.n, sizeof *l.v, by_fit);
	search_begin_count(w);
	for (size_t i = 0; !rc && i < l.n && texts <= w->limit; i++) {
		if (l.v[i].exact < w->q->least_exact)
			break;
		texts += add_named(w, &l.v[i]);
	}
	free(l.v);
	if (rc || e->code)
		return -1;
	return 0;
}
