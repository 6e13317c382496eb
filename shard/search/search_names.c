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
#include "proto/record/hit_scores.h"
#include "proto/text/symbol_match.h"
#include "proto/text/text_id.h"
#include "shard/search/name_beginnings.h"
#include "shard/search/name_fit.h"
#include "shard/search/name_store.h"
#include "shard/storage/symbol_store.h"

_Static_assert((1 << SYMBOL_BITS) - 1 == 16777215, "the statement below contains this number");

/*
 * The share of its document's score that a symbol without one gets: its line is a part of the text.
 */
static const double SHARE_AROUND = 0.5;

/*
 * A symbol whose name is a word of the question. `doc` is its own document, or the best of its
 * file; 0 if there is none.
 */
struct name_match {
	int64_t symbol, doc, file;
	uint64_t text;
	double exact, lexical;
	const struct hit *place;	/* of a symbol without a document */
};

struct name_matches {
	struct name_match *v;
	size_t n, cap;
};

/* Whether the question is nothing but the name. */
static bool is_asked(const struct search_context *w)
{
	return w->ask.name != NULL;
}

/*
 * The document that represents a symbol: its own, or the best one of its file when the search is
 * for files that mention it among other things.
 */
static int64_t document_of(struct search_context *w, int64_t doc, int64_t file)
{
	struct stmt *s = NULL;
	double highest = 0;

	if (w->files && !is_asked(w))
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

/* The lines behind the first of a document, if it is around this line; else -1. */
static int64_t lines_if_around(struct search_context *w, int64_t doc, int64_t line)
{
	struct stmt *s = db_prep(w->db,
	    "select more from documents where id = ?1 and start_line <= ?2 and start_line + more >= ?2",
	    w->e);
	int64_t more = -1;

	if (!s || db_bind(s, "ii", doc, line))
		return -1;
	while (db_step(s, w->e) == 1)
		more = db_int(s, 0);
	return more;
}

/*
 * The smallest document around a line of a file among those with a score, and of equal ones the one
 * with the higher score; 0 if there is none. Most documents have none, so their lines are not read.
 */
static int64_t document_around(struct search_context *w, int64_t file, int64_t line)
{
	struct stmt *s = db_prep(w->db, "select id from documents where file = ?", w->e);
	int64_t smallest = INT64_MAX, found = 0;
	double highest = 0;

	if (!s || db_bind(s, "i", file))
		return 0;
	while (db_step(s, w->e) == 1) {
		int64_t doc = db_int(s, 0), more = -1;
		double score = bm25_scores_get(w->scores, doc);
		if (score > 0)
			more = lines_if_around(w, doc, line);
		if (more < 0 || more > smallest || (more == smallest && score <= highest))
			continue;
		found = doc;
		smallest = more;
		highest = score;
	}
	return found;
}

/* The columns of a row of matching_symbols. */
enum {
	ID,
	DOC,
	NAME,
	QUALIFIED,
	LANGUAGE,
	PATH,
	TEST,
	START,
	END,
	FILE_ID,
	BLOB,
	KIND,
	GENERATED,
	SIGNATURE
};

#define MATCHING_SQL(names) \
	"select s.id, ifnull(d.id, 0), s.name, s.qualified, f.language, f.path," \
	" f.test or s.test, ifnull(d.start_line, s.start_line), ifnull(d.start_line + d.more," \
	" s.end_line), f.id, f.blob, s.kind, f.generated, s.signature" names \
	" left join documents d on d.file = s.file and" \
	" d.number = s.id & 16777215 where s.key = ?1" SEARCH_FILTERS_SQL

static struct stmt *matching_symbols(
    struct search_context *w, enum name_store store, const char *key, struct err *e)
{
	static const char *const statements[NAME_STORES] = {
		[NAMES_DEFINED] = MATCHING_SQL(NAMES_DEFINED_SQL),
		[NAMES_MINOR] = MATCHING_SQL(NAMES_MINOR_SQL),
		[NAMES_LEFT_OUT] = MATCHING_SQL(NAMES_LEFT_OUT_SQL),
	};
	struct stmt *s = db_prep(w->db, statements[store], e);

	if (!s ||
	    db_bind(s, "ssss", key, search_filter_list(&w->q->kinds, w->a),
	        search_filter_list(&w->q->languages, w->a), search_prefix(w)))
		return NULL;
	return s;
}

static bool begins_with(const char *name, const char *letters)
{
	return !strncasecmp(name, letters, strlen(letters));
}

/*
 * The score of the row's symbol, 0 if it does not match. Only who asks for nothing but a name may
 * want a heading or generated code.
 */
static double score_of_row(
    const struct search_context *w, enum name_store store, const char *word, struct stmt *s)
{
	const struct named_definition d = {
		.name = db_str(s, NAME),
		.qualified = db_str(s, QUALIFIED),
		.kind = db_str(s, KIND),
		.path = db_str(s, PATH),
		.language = db_str(s, LANGUAGE),
		.test = db_int(s, TEST) && !w->tests,
		.generated = db_int(s, GENERATED),
		.minor = store == NAMES_MINOR,
		.left_out = store == NAMES_LEFT_OUT,
	};
	enum name_fit fit = name_fit(word, &d, w->a);

	if (word == w->ask.spelled) {
		/* who asks in words means code that does something */
		if (fit == NAME_UNLIKE || !db_int(s, DOC) || d.generated)
			return 0;
		return name_score_asked(NAME_SIMILAR, &d);
	}
	if (w->ask.name_is_prefix && !begins_with(d.name, symbol_base_name(word)))
		return 0;
	if (is_asked(w)) {
		if (w->ask.name_is_file && fit <= NAME_ELSEWHERE)
			return 0;
		return name_score_asked(fit, &d);
	}
	if (d.generated || !strcmp(d.kind, "section"))
		return 0;
	return name_score_in_text(fit, &d);
}

/* The place of the row's symbol. */
static const struct hit *place_of_row(struct search_context *w, struct stmt *s)
{
	struct hit *h = arena_one(w->a, struct hit);

	*h = (struct hit){
		.path = search_column(w, s, PATH),
		.blob = search_column(w, s, BLOB),
		.language = search_column(w, s, LANGUAGE),
		.symbol = search_column(w, s, NAME),
		.qualified = search_column(w, s, QUALIFIED),
		.kind = search_column(w, s, KIND),
		.signature = search_column(w, s, SIGNATURE),
		.start_line = (uint64_t)db_int(s, START),
		.end_line = (uint64_t)db_int(s, END),
		.test = db_int(s, TEST),
		.file = (uint64_t)db_int(s, FILE_ID),
	};
	h->text = text_id(h->blob, h->start_line, h->end_line, h->qualified);
	return h;
}

/* Adds the symbol of the row, unless its document lacks a phrase of the question. */
static void add_symbol(struct search_context *w, enum name_store store, const char *word,
    struct stmt *s, struct name_matches *l)
{
	struct name_match x = { .symbol = db_int(s, ID), .file = db_int(s, FILE_ID) };

	x.exact = score_of_row(w, store, word, s);
	if (x.exact <= 0)
		return;
	x.doc = document_of(w, db_int(s, DOC), x.file);
	if (x.doc) {
		x.text = w->ranking->texts[x.doc];
		x.lexical = search_score(w, x.doc);
	} else {
		x.place = place_of_row(w, s);
		x.text = x.place->text;
		x.lexical = SHARE_AROUND * search_score(w, document_around(w, x.file, db_int(s, START)));
	}
	if (w->ask.nphrases && x.lexical == 0)
		return;
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = x;
}

/* Finds the symbols with a key, or with one of several, each on a line. */
static int names_of_key(struct search_context *w, enum name_store store, const char *key,
    const char *word, struct name_matches *l, struct err *e)
{
	struct stmt *s = matching_symbols(w, store, key, e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1)
		add_symbol(w, store, word, s, l);
	return rc;
}

/*
 * Finds the symbols with a name. Some names have separators in them, so that their key is not that
 * of their last part.
 */
static int names_of_word(
    struct search_context *w, const char *word, struct name_matches *l, struct err *e)
{
	const char *last = symbol_key(symbol_base_name(word), w->a), *all = symbol_key(word, w->a);

	if (names_of_key(w, NAMES_DEFINED, last, word, l, e))
		return -1;
	if (strcmp(last, all) && names_of_key(w, NAMES_DEFINED, all, word, l, e))
		return -1;
	if (!is_asked(w))
		return 0;
	if (names_of_key(w, NAMES_MINOR, last, word, l, e))
		return -1;
	return names_of_key(w, NAMES_LEFT_OUT, last, word, l, e);
}

/* Finds the symbols whose names begin like the name that is asked for, all with one statement. */
static int longer_names(struct search_context *w, struct name_matches *l, struct err *e)
{
	struct strs keys;
	struct buf lines = { 0 };

	if (name_beginnings_find(w->db, symbol_base_name(w->ask.name), w->a, &keys, e))
		return -1;
	if (!keys.n)
		return 0;
	for (size_t i = 0; i < keys.n; i++) {
		if (i)
			buf_byte(&lines, '\n');
		buf_str(&lines, keys.v[i]);
	}
	int rc = names_of_key(w, NAMES_DEFINED, arena_strn(w->a, lines.p, lines.n), w->ask.name, l, e);
	buf_free(&lines);
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

/* The hit of a symbol. If the search is for files, the one with the best name shows it. */
static struct hit *hit_of(struct search_context *w, const struct name_match *x)
{
	struct hit *h;

	if (x->doc)
		h = search_hit(w, x->doc);
	else
		h = search_placed_symbol(w, x->symbol, x->place);
	if (!w->files || !is_asked(w) || h->exact >= x->exact)
		return h;
	if (x->doc)
		search_show_document(w, x->doc, h);
	else
		search_place(h, x->place);
	return h;
}

/* Adds a symbol. Returns whether its text was not in the list yet. */
static bool add_named(struct search_context *w, const struct name_match *x)
{
	struct hit *h = hit_of(w, x);

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
	if (!rc && w->ask.spelled)
		rc = names_of_key(w, NAMES_DEFINED, w->ask.spelled, w->ask.spelled, l, e);
	return rc;
}

/* Adds the hits of the symbols, best first. Returns how many texts they have. */
static size_t add_best(struct search_context *w, struct name_matches *l)
{
	size_t texts = 0;

	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, by_fit);
	for (size_t i = 0; i < l->n && texts <= w->limit; i++) {
		if (l->v[i].exact < w->q->least_exact)
			break;
		texts += add_named(w, &l->v[i]);
	}
	l->n = 0;
	return texts;
}

/* Whether longer names are wanted too; without statistics of the request by those of this index. */
static bool wants_longer_names(const struct search_context *w, struct err *e)
{
	struct search_req q = *w->q;

	if (!is_asked(w) || w->ask.name_is_file)
		return false;
	if (w->ask.counted_name && !q.documents &&
	    symbols_count_files(w->db, w->ask.counted_name + 1, &q.names, e))
		return false;
	return question_wants_longer_names(&w->ask, &q);
}

int search_by_name(struct search_context *w, struct err *e)
{
	struct name_matches l = { 0 };
	int rc;

	if (w->q->least_exact >= SEARCH_NOT)
		return 0;
	search_begin_count(w);
	rc = find_names(w, &l, e);
	/* longer names rank behind all that were found so far */
	bool more = add_best(w, &l) <= w->limit && w->q->least_exact < NAME_SCORE_ELSEWHERE;
	if (!rc && more && wants_longer_names(w, e)) {
		rc = longer_names(w, &l, e);
		add_best(w, &l);
	}
	free(l.v);
	if (rc || e->code)
		return -1;
	return 0;
}
