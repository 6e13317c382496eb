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
#include "shard/search/symbol_documents.h"
#include "shard/storage/symbol_store.h"

/*
 * The share of its document's score that a symbol without one gets: its line is a part of the text.
 */
static const double SHARE_AROUND = 0.5;

/*
 * A symbol whose name is a word of the question. `doc` is its own document, or the best of its
 * file; 0 if there is none. This, `text` and `lexical` are only known once they are needed to order
 * equal names.
 */
struct name_match {
	int64_t symbol, doc;
	uint64_t text;
	double exact, lexical;
	struct hit *place;	/* of the symbol itself */
	enum name_store store;
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

/* ---- rows ---- */

/* The columns of a row of names. */
enum { ID, FILE_ID, NAME, QUALIFIED, KIND, SIGNATURE, TEST, START, END };

#define NAMES_SQL(table) \
	"select id, file, name, qualified, kind, signature, test, start_line, end_line from " table \
	" where key = ?1 and (?2 is null or instr(?2, '|' || kind || '|'))"
/* Lines as long as those of minified code (filter_is_minified) are made by a program, too. */
#define MADE_SQL "generated or (size > 4096 and size > 250 * lines)"
#define FILE_SQL(table, made) \
	"select path, blob, language, test, generated, " made " from " table " f where id = ?1 and" \
	" (?2 is null or instr(?2, '|' || language || '|'))" \
	" and (?3 is null or substr(path, 1, length(?3)) = ?3)"

/* The file of the rows that are being read, as their store knows it. */
struct name_file {
	int64_t id;
	const char *path;	/* NULL if it does not pass the filters */
	const char *blob, *language;
	bool test, generated, left_out;
	bool made;		/* generated or minified */
};

/* Reads the file that has the rows, which come file by file. */
static void read_file(
    struct search_context *w, const char *sql, bool left_out, struct name_file *f)
{
	struct stmt *s = db_prep(w->db, sql, w->e);

	if (!s || db_bind(s, "iss", f->id, search_filter_list(&w->q->languages, w->a), search_prefix(w)))
		return;
	while (db_step(s, w->e) == 1)
		*f = (struct name_file){
			.id = f->id,
			.path = search_column(w, s, 0),
			.blob = search_column(w, s, 1),
			.language = search_column(w, s, 2),
			.test = db_int(s, 3),
			.generated = db_int(s, 4),
			.made = db_int(s, 5),
			.left_out = left_out,
		};
}

/* Minor names are those of files in the index, or all names of files that are left out. */
static void file_of_row(
    struct search_context *w, enum name_store store, int64_t id, struct name_file *f)
{
	if (f->id == id)
		return;
	*f = (struct name_file){ .id = id };
	read_file(w, FILE_SQL("files", MADE_SQL), false, f);
	if (!f->path && store == NAMES_MINOR)
		read_file(w, FILE_SQL("left_out", "generated"), true, f);
}

static bool begins_with(const char *name, const char *letters)
{
	return !strncasecmp(name, letters, strlen(letters));
}

/*
 * The score of the row's symbol, 0 if it does not match. Only who asks for nothing but a name may
 * want a heading or generated code.
 */
static double score_of_row(const struct search_context *w, enum name_store store,
    const char *word, struct stmt *s, const struct name_file *f)
{
	const struct named_definition d = {
		.name = db_str(s, NAME),
		.qualified = db_str(s, QUALIFIED),
		.kind = db_str(s, KIND),
		.path = f->path,
		.language = f->language,
		.test = (f->test || db_int(s, TEST)) && !w->tests,
		.generated = f->made,
		.minor = store == NAMES_MINOR && !f->left_out,
		.left_out = f->left_out,
	};
	enum name_fit fit = name_fit(word, &d, w->a);

	if (word == w->ask.spelled) {
		/* who asks in words means code that does something */
		if (fit == NAME_UNLIKE || f->generated)
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
	if (f->generated || !strcmp(d.kind, "section"))
		return 0;
	return name_score_in_text(fit, &d);
}

/* The place of the row's symbol. */
static struct hit *place_of_row(
    struct search_context *w, struct stmt *s, const struct name_file *f)
{
	struct hit *h = arena_one(w->a, struct hit);

	*h = (struct hit){
		.path = f->path,
		.blob = f->blob,
		.language = f->language,
		.symbol = search_column(w, s, NAME),
		.qualified = search_column(w, s, QUALIFIED),
		.kind = search_column(w, s, KIND),
		.signature = search_column(w, s, SIGNATURE),
		.start_line = (uint64_t)db_int(s, START),
		.end_line = (uint64_t)db_int(s, END),
		.test = f->test || db_int(s, TEST),
		.file = (uint64_t)f->id,
	};
	return h;
}

/* Adds the symbol of the row if its name fits. */
static void add_symbol(struct search_context *w, enum name_store store, const char *word,
    struct stmt *s, const struct name_file *f, struct name_matches *l)
{
	struct name_match x = { .symbol = db_int(s, ID), .store = store };

	x.exact = score_of_row(w, store, word, s, f);
	if (x.exact <= 0 || x.exact < w->q->least_exact)
		return;
	if (word == w->ask.spelled && !symbol_document(w, x.symbol, f->id))
		return;
	x.place = place_of_row(w, s, f);
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = x;
}

/* Finds the symbols with a key, or with one of several, each on a line. */
static int names_of_key(struct search_context *w, enum name_store store, const char *key,
    const char *word, struct name_matches *l, struct err *e)
{
	static const char *const statements[] = {
		[NAMES_DEFINED] = NAMES_SQL("symbols"),
		[NAMES_MINOR] = NAMES_SQL("minor_symbols"),
	};
	struct stmt *s = db_prep(w->db, statements[store], e);
	struct name_file f = { 0 };
	int rc;

	if (!s || db_bind(s, "ss", key, search_filter_list(&w->q->kinds, w->a)))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		file_of_row(w, store, db_int(s, FILE_ID), &f);
		if (f.path)
			add_symbol(w, store, word, s, &f, l);
	}
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
	return 0;
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

static int by_exact(const void *a, const void *b)
{
	const struct name_match *x = a, *y = b;

	return (x->exact < y->exact) - (x->exact > y->exact);
}

static int by_lexical(const void *a, const void *b)
{
	const struct name_match *x = a, *y = b;

	if (x->lexical != y->lexical)
		return (x->lexical < y->lexical) - (x->lexical > y->lexical);
	return (x->text > y->text) - (x->text < y->text);
}

/* Finds the document, text and score by words of a symbol. */
static void complete(struct search_context *w, struct name_match *x)
{
	int64_t file = (int64_t)x->place->file, line = (int64_t)x->place->start_line;

	if (x->store == NAMES_DEFINED)
		x->doc = symbol_document(w, x->symbol, file);
	if (w->files && !is_asked(w))
		x->doc = symbol_document_of_file(w, x->doc, file);
	if (x->doc) {
		x->text = w->ranking->texts[x->doc];
		x->lexical = search_score(w, x->doc);
		return;
	}
	x->place->text = text_id(
	    x->place->blob, x->place->start_line, x->place->end_line, x->place->qualified);
	x->text = x->place->text;
	x->lexical = SHARE_AROUND * search_score(w, symbol_document_around(w, file, line));
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

/* Adds symbols whose names fit equally well, until there are enough texts. */
static size_t add_equals(struct search_context *w, struct name_match *v, size_t n, size_t texts)
{
	for (size_t i = 0; i < n; i++)
		complete(w, &v[i]);
	qsort(v, n, sizeof *v, by_lexical);
	for (size_t i = 0; i < n && texts <= w->limit; i++) {
		bool lacks_phrase = w->ask.nphrases && v[i].lexical == 0;
		if (!lacks_phrase)
			texts += add_named(w, &v[i]);
	}
	return texts;
}

/*
 * Adds the hits of the symbols that score above `above`, best first, behind `texts` others, and takes
 * them off the list. Returns how many texts there are then. What it takes to order equals is only
 * found for names that are good enough.
 */
static size_t add_best(struct search_context *w, struct name_matches *l, double above, size_t texts)
{
	size_t n = 0, next;

	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, by_exact);
	for (; n < l->n && l->v[n].exact > above && texts <= w->limit; n = next) {
		for (next = n + 1; next < l->n && l->v[next].exact == l->v[n].exact;)
			next++;
		texts = add_equals(w, l->v + n, next - n, texts);
	}
	l->n -= n;
	if (l->n)
		memmove(l->v, l->v + n, l->n * sizeof *l->v);
	return texts;
}

/* Finds the minor names that are the name that is asked for. */
static int find_minor_names(struct search_context *w, struct name_matches *l, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < w->ask.nwords; i++) {
		const char *word = w->ask.words[i], *key = symbol_key(symbol_base_name(word), w->a);
		rc = names_of_key(w, NAMES_MINOR, key, word, l, e);
	}
	return rc;
}

/*
 * Adds the symbols of the question's words. Minor names are only read if definitions that are better
 * than any of them do not fill the list: those of a frequent name are in many files. Sets how many
 * texts they have.
 */
static int add_names(struct search_context *w, struct name_matches *l, size_t *texts, struct err *e)
{
	const double minor = name_score_minor_max();

	*texts = 0;
	if (find_names(w, l, e))
		return -1;
	if (is_asked(w)) {
		*texts = add_best(w, l, minor, 0);
		bool wanted = *texts <= w->limit && w->q->least_exact <= minor;
		if (wanted && find_minor_names(w, l, e))
			return -1;
	}
	*texts = add_best(w, l, 0, *texts);
	l->n = 0;
	return 0;
}

bool search_wants_longer_names(const struct search_context *w, struct err *e)
{
	struct search_req q = *w->q;

	if (!is_asked(w) || w->ask.name_is_file)
		return false;
	if (!name_beginnings_allow(symbol_base_name(w->ask.name), w->a))
		return false;
	if (w->ask.counted_name && !q.documents &&
	    symbols_count_files(w->db, w->ask.counted_name + 1, &q.names, e))
		return false;
	return question_wants_longer_names(&w->ask, &q);
}

int search_by_name(struct search_context *w, struct err *e)
{
	struct name_matches l = { 0 };
	size_t texts;
	int rc;

	if (w->q->least_exact >= SEARCH_NOT)
		return 0;
	search_begin_count(w);
	rc = add_names(w, &l, &texts, e);
	/* longer names rank behind all that were found so far */
	bool more = texts <= w->limit && w->q->least_exact < NAME_SCORE_ELSEWHERE;
	if (!rc && more && w->longer_names) {
		rc = longer_names(w, &l, e);
		add_best(w, &l, 0, 0);
	}
	free(l.v);
	if (rc || e->code)
		return -1;
	return 0;
}
