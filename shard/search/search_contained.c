/*
 * Definitions without a document of their own (constants, fields, enumerators), found by the words
 * of their names in the documents that contain them, when only some kinds are asked for.
 */
#include "shard/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/int_map.h"
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

/* A definition without a document of its own whose name shares words with the question. */
struct contained {
	int64_t symbol;
	int64_t line;
	size_t shared;
};

struct contained_list {
	struct contained *v;
	size_t n, cap;
};

static int read_contained(struct search_context *w, int64_t file, struct contained_list *out)
{
	struct stmt *s = db_prep(w->db,
	    "select s.id, s.name, s.start_line from files f join symbols s on s.file = f.id"
	    " left join documents own on own.file = s.file and own.number = s.id & 16777215"
	    " where f.id = ?1 and own.id is null" SEARCH_FILTERS_SQL,
	    w->e);

	if (!s ||
	    db_bind(s, "isss", file, search_filter_list(&w->q->kinds, w->a),
	        search_filter_list(&w->q->languages, w->a), search_prefix(w)))
		return -1;
	while (db_step(s, w->e) == 1) {
		struct contained x = { db_int(s, 0), db_int(s, 2), shared_terms(w, db_str(s, 1)) };
		if (!x.shared)
			continue;
		out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = x;
	}
	return 0;
}

/* Those of a file. Each file is read once: its documents may be many, and each would read it all. */
static const struct contained_list *contained_in(struct search_context *w, int64_t file)
{
	if (!w->contained_files)
		w->contained_files = int_map_new();
	void **at = int_map_at(w->contained_files, (uint64_t)file);
	if (!*at) {
		*at = xcalloc(1, sizeof(struct contained_list));
		read_contained(w, file, *at);
	}
	return *at;
}

void search_free_contained(struct search_context *w)
{
	if (!w->contained_files)
		return;
	for (size_t i = 0; i < int_map_len(w->contained_files); i++) {
		struct contained_list *l = int_map_val(w->contained_files, i);
		free(l->v);
		free(l);
	}
	int_map_free(w->contained_files);
	w->contained_files = NULL;
}

/* Adds those of a file in these lines, with the share of the score that their names account for. */
static void add_contained(
    struct search_context *w, int64_t file, int64_t from, int64_t to, double score)
{
	const struct contained_list *l = contained_in(w, file);

	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].line < from || l->v[i].line > to)
			continue;
		struct hit *h = search_symbol(w, l->v[i].symbol, file);
		double share = score * (double)l->v[i].shared / (double)w->ask.noriginal;
		h->lexical = MAX(share, h->lexical);
	}
}

void search_contained(struct search_context *w, int64_t doc)
{
	if (!w->q->kinds.n || w->contained >= DOCUMENTS_MAX)
		return;
	double score = search_score(w, doc);
	if (score <= 0)
		return;
	w->contained++;
	struct stmt *s = db_prep(
	    w->db, "select file, start_line, end_line from docs where id = ?", w->e);
	if (!s || db_bind(s, "i", doc))
		return;
	while (db_step(s, w->e) == 1)
		add_contained(w, db_int(s, 0), db_int(s, 1), db_int(s, 2), score);
}
