#include "shard/search/search.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/int_map.h"
#include "proto/db/db.h"
#include "proto/text/text_id.h"
#include "shard/index/index_reader.h"
#include "shard/search/name_store.h"

const char *search_column(const struct search_context *w, struct stmt *s, int col)
{
	return db_copy_text(s, col, w->a);
}

const char *search_filter_list(const struct strs *words, struct arena *a)
{
	struct buf b = { 0 };

	if (!words->n)
		return NULL;
	buf_byte(&b, '|');
	for (size_t i = 0; i < words->n; i++) {
		buf_str(&b, words->v[i]);
		buf_byte(&b, '|');
	}
	const char *s = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return s;
}

const char *search_prefix(const struct search_context *w)
{
	if (w->q->path_prefix && *w->q->path_prefix)
		return w->q->path_prefix;
	return NULL;
}

/* ---- hits ---- */

/* Keys of hits: documents are the numbers below SYMBOLS, then come symbols, then files. */
static const uint64_t SYMBOLS = (uint64_t)1 << 62, FILES = (uint64_t)1 << 63;

static struct hit *find_or_add_hit(struct search_context *w, uint64_t key)
{
	void **at = int_map_at(w->found, key);

	if (!*at)
		*at = arena_one(w->a, struct search_entry);
	return *at;
}

static void set_doc(const struct search_context *w, struct hit *h, int64_t doc)
{
	h->doc = (uint64_t)doc;
	h->text = w->ranking->texts[doc];
	h->file = w->ranking->files[doc];
}

struct hit *search_hit(struct search_context *w, int64_t doc)
{
	uint64_t key = (uint64_t)doc;

	if (w->files)
		key = FILES | w->ranking->files[doc];
	struct hit *h = find_or_add_hit(w, key);
	if (!h->text)
		set_doc(w, h, doc);
	return h;
}

/* The hit of a symbol or its file, maybe without a location. */
static struct hit *symbol_hit(struct search_context *w, int64_t symbol, int64_t file)
{
	uint64_t key = SYMBOLS | (uint64_t)symbol;

	if (w->files)
		key = FILES | (uint64_t)file;
	return find_or_add_hit(w, key);
}

struct hit *search_symbol(struct search_context *w, int64_t symbol, int64_t file)
{
	/* lookups by id in `symbols` find minor names too */
	static const char *const statements[] = {
		SEARCH_SYMBOL_SQL(NAMES_DEFINED_SQL),
		SEARCH_SYMBOL_SQL(NAMES_LEFT_OUT_SQL),
	};
	struct hit *h = symbol_hit(w, symbol, file);

	for (size_t i = 0; i < LEN(statements) && !h->text; i++) {
		struct stmt *s = db_prep(w->db, statements[i], w->e);
		if (!s || db_bind(s, "i", symbol))
			return h;
		while (db_step(s, w->e) == 1)
			search_set_location(w, s, h);
	}
	return h;
}

struct hit *search_placed_symbol(struct search_context *w, int64_t symbol, const struct hit *place)
{
	struct hit *h = symbol_hit(w, symbol, (int64_t)place->file);

	if (!h->text)
		search_place(h, place);
	return h;
}

void search_place(struct hit *h, const struct hit *place)
{
	const struct hit old = *h;

	*h = *place;
	h->lexical = old.lexical;
	h->exact = old.exact;
	h->near = old.near;
	h->cosine = old.cosine;
	h->named = old.named;
	h->around = old.around;
	((struct search_entry *)h)->placed = true;
}

void search_show_document(struct search_context *w, int64_t doc, struct hit *h)
{
	struct stmt *s = search_document_row(w, doc);

	while (s && db_step(s, w->e) == 1)
		search_set_location(w, s, h);
}

struct hit *search_file(struct search_context *w, int64_t file)
{
	return find_or_add_hit(w, FILES | (uint64_t)file);
}

void search_set_location(struct search_context *w, struct stmt *s, struct hit *h)
{
	int64_t doc = db_int(s, 10);
	struct hit place = {
		.path = search_column(w, s, 0),
		.blob = search_column(w, s, 1),
		.language = search_column(w, s, 2),
		.symbol = search_column(w, s, 3),
		.qualified = search_column(w, s, 4),
		.kind = search_column(w, s, 5),
		.signature = search_column(w, s, 6),
		.start_line = (uint64_t)db_int(s, 7),
		.end_line = (uint64_t)db_int(s, 8),
		.test = db_int(s, 9),
		.file = (uint64_t)db_int(s, 11),
	};
	if (doc)
		set_doc(w, &place, doc);
	else
		place.text = text_id(place.blob, place.start_line, place.end_line, place.qualified);
	search_place(h, &place);
}

struct stmt *search_document_row(struct search_context *w, int64_t doc)
{
	struct stmt *s = db_prep(w->db, SEARCH_DOCUMENT_SQL, w->e);

	if (s && !db_bind(s, "i", doc))
		return s;
	return NULL;
}

int search_load_location(struct search_context *w, struct hit *h)
{
	struct stmt *s = NULL;

	if (!((struct search_entry *)h)->placed && h->doc)
		s = search_document_row(w, (int64_t)h->doc);
	while (s && db_step(s, w->e) == 1)
		search_set_location(w, s, h);
	if (w->e->code)
		return -1;
	return 0;
}

bool search_precedes(struct search_context *w, int64_t doc, struct hit *h)
{
	struct stmt *s = NULL;
	bool before = false;

	if (!search_load_location(w, h))
		s = search_document_row(w, doc);
	while (s && db_step(s, w->e) == 1) {
		uint64_t start = (uint64_t)db_int(s, 7), end = (uint64_t)db_int(s, 8);
		if (start != h->start_line)
			before = start < h->start_line;
		else if (end != h->end_line)
			before = end < h->end_line;
		else
			before = h->qualified && strcmp(db_str(s, 4), h->qualified) < 0;
	}
	return before;
}

int search_locate_document(struct index_reader *r, uint64_t doc, uint64_t text, struct hit *out,
    struct arena *a, struct err *e)
{
	const struct ranking *ranking = index_reader_ranking(r, e);
	struct search_context w = { .db = r->db, .ranking = ranking, .a = a, .e = e };
	struct search_entry x = { .hit.doc = doc };

	*out = (struct hit){ 0 };
	if (!ranking)
		return -1;
	if (doc >= ranking->n || !ranking->lengths[doc] || ranking->texts[doc] != text)
		return 0;
	if (search_load_location(&w, &x.hit))
		return -1;
	*out = x.hit;
	return 0;
}

/* ---- counting texts ---- */

void search_begin_count(struct search_context *w)
{
	w->counts++;
}

bool search_is_new(struct search_context *w, const struct hit *h)
{
	void **met = int_map_at(w->texts, h->text);
	bool new = (uintptr_t)*met != w->counts;

	*met = (void *)w->counts;
	return new;
}

/* ---- filters and scores ---- */

bool search_passes(struct search_context *w, int64_t doc)
{
	struct stmt *s = db_prep(w->db, "select 1 from docs d join files f on f.id = d.file"
	    " left join symbols s on s.id = d.symbol where d.id = ?1" SEARCH_FILTERS_SQL, w->e);
	bool found = false;

	if (!s ||
	    db_bind(s, "isss", doc, search_filter_list(&w->q->kinds, w->a),
	        search_filter_list(&w->q->languages, w->a), search_prefix(w)))
		return false;
	while (db_step(s, w->e) == 1)
		found = true;
	return found;
}

bool search_accepts(struct search_context *w, int64_t doc)
{
	const struct search_req *q = w->q;
	bool filtered = q->kinds.n || q->languages.n || search_prefix(w);

	if (filtered && !search_passes(w, doc))
		return false;
	return !w->ask.nphrases || search_has_phrases(w, doc);
}

double search_score(struct search_context *w, int64_t doc)
{
	double score = bm25_scores_get(w->scores, doc);

	if (score <= 0 || !w->ask.nphrases)
		return score;
	if (search_has_phrases(w, doc))
		return score;
	return 0;
}
