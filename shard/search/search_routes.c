#include "shard/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "proto/text/route_question.h"
#include "proto/text/symbol_match.h"
#include "shard/search/name_fit.h"
#include "shard/storage/symbol_store.h"

_Static_assert((1 << SYMBOL_BITS) - 1 == 16777215, "the statement below contains this number");

enum {
	FACTS_MAX = 100000,	/* facts that are compared with a question */
	ROUTES_MAX = 500	/* routes that it finds, best first */
};

/* A route as good as a definition whose name fits so. */
static const enum name_fit fits[] = {
	[ROUTE_UNLIKE] = NAME_UNLIKE,
	[ROUTE_END] = NAME_ELSEWHERE,
	[ROUTE_WITHIN] = NAME_SIMILAR,
	[ROUTE_VALUE] = NAME_FOLDED,
	[ROUTE_WHOLE] = NAME_WRITTEN,
};

struct route_match {
	int64_t id, file;	/* of the fact; of its file */
	enum name_fit fit;
	struct fact fact;	/* read when it is among the best */
};

struct route_matches {
	struct route_match *v;
	size_t n, cap;
};

/* The columns of a row of handlers. */
enum { ID, DOC, NAME, QUALIFIED, LANGUAGE, PATH, TEST, FILE_ID, KIND, GENERATED };

/* The definitions with the key of a handler's name; of equally good ones the first counts. */
static struct stmt *handlers(struct search_context *w, const char *symbol, struct err *e)
{
	struct stmt *s = db_prep(w->db,
	    "select s.id, ifnull(d.id, 0), s.name, s.qualified, f.language, f.path, f.test or s.test,"
	    " f.id, s.kind, f.generated"
	    " from symbols s join files f on f.id = s.file left join documents d on d.file = s.file"
	    " and d.number = s.id & 16777215 where s.key = ?1" SEARCH_FILTERS_SQL
	    " order by f.path, s.start_byte, s.kind, s.ordinal",
	    e);

	if (!s ||
	    db_bind(s, "ssss", symbol_key(symbol_base_name(symbol), w->a),
	        search_filter_list(&w->q->kinds, w->a), search_filter_list(&w->q->languages, w->a),
	        search_prefix(w)))
		return NULL;
	return s;
}

/* What the handler of a route is; better: in the route's file, and with its whole name. */
struct handler {
	int64_t symbol, doc, file;
	double exact;
	int better;
};

static void take_handler(
    const struct search_context *w, const struct route_match *m, struct stmt *s, struct handler *h)
{
	const struct named_definition d = {
		.name = db_str(s, NAME),
		.qualified = db_str(s, QUALIFIED),
		.kind = db_str(s, KIND),
		.path = db_str(s, PATH),
		.language = db_str(s, LANGUAGE),
		.test = db_int(s, TEST) && !w->tests,
		.generated = db_int(s, GENERATED),
	};
	enum name_fit named = name_fit(m->fact.symbol, &d, w->a);
	int better = 0;

	if (named > NAME_ELSEWHERE)
		better = 2 * (named == NAME_WRITTEN) + 1;
	if (db_int(s, FILE_ID) == m->file)
		better += 4;
	if (better <= h->better)
		return;
	*h = (struct handler){ db_int(s, ID), db_int(s, DOC), db_int(s, FILE_ID),
		name_score_asked(m->fit, &d), better };
}

static int find_handler(
    struct search_context *w, const struct route_match *m, struct handler *out, struct err *e)
{
	struct stmt *s;
	int rc;

	*out = (struct handler){ 0 };
	if (!m->fact.symbol || !*m->fact.symbol)
		return 0;
	s = handlers(w, m->fact.symbol, e);
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1)
		take_handler(w, m, s, out);
	return rc;
}

/* The document with the statement that registers the route; 0 if there is none that passes. */
static int64_t registration(struct search_context *w, const struct route_match *m, struct err *e)
{
	struct stmt *s = db_prep(w->db,
	    "select id from docs where file = ?1 and start_line <= ?2 and end_line >= ?2"
	    " order by end_line - start_line, start_line, id limit 1",
	    e);
	int64_t doc = 0;

	if (!s || db_bind(s, "ii", m->file, (int64_t)m->fact.line))
		return 0;
	while (db_step(s, e) == 1)
		doc = db_int(s, 0);
	if (!doc || !search_passes(w, doc))
		return 0;
	return doc;
}

/* Without a handler that is known, the place where the route is registered answers. */
static int add_route(struct search_context *w, const struct route_match *m, struct err *e)
{
	const struct named_definition place = {
		.name = "", .qualified = "", .kind = "", .path = m->fact.file, .language = ""
	};
	struct handler h;
	struct hit *hit;

	if (find_handler(w, m, &h, e))
		return -1;
	if (!h.better) {
		h.doc = registration(w, m, e);
		h.exact = name_score_asked(m->fit, &place);
	}
	if (h.exact < w->q->least_exact || (!h.doc && !h.symbol))
		return 0;
	if (h.doc)
		hit = search_hit(w, h.doc);
	else
		hit = search_symbol(w, h.symbol, h.file);
	hit->exact = MAX(hit->exact, h.exact);
	if (h.doc)
		hit->lexical = MAX(hit->lexical, search_score(w, h.doc));
	return 0;
}

/* How well the fact's route fits the question. */
static enum name_fit fit_of(
    const struct search_context *w, const struct fact *f, struct arena *a)
{
	const char *method = w->ask.route_method;
	struct route_path path;

	if (strcmp(f->side, "provides") || strcmp(f->kind, "http"))
		return NAME_UNLIKE;
	if (method && strcmp(f->method, method) && strcmp(f->method, "ANY"))
		return NAME_UNLIKE;
	route_path_read(f->path, &path, a);
	return fits[route_path_fit(w->ask.route, &path)];
}

static int by_fit(const void *x, const void *y)
{
	const struct route_match *a = x, *b = y;

	if (a->fit != b->fit)
		return (a->fit < b->fit) - (a->fit > b->fit);
	return compare_signed(a->id, b->id);
}

/* Notes the row's fact if its route fits.  It is decoded in `scratch`, as most do not fit. */
static int note_route(const struct search_context *w, struct stmt *s, struct arena *scratch,
    struct route_matches *out, struct err *e)
{
	struct route_match m = { .id = db_int(s, 0), .file = db_int(s, 1) };
	struct fact fact;
	size_t size;
	const void *p = db_blob(s, 2, &size);

	if (codec_get(&rec_fact, &fact, p, size, scratch, e))
		return -1;
	m.fit = fit_of(w, &fact, scratch);
	if (m.fit == NAME_UNLIKE)
		return 0;
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = m;
	return 0;
}

/* Finds the routes that fit, best first. */
static int find_routes(struct search_context *w, struct route_matches *out, struct err *e)
{
	struct stmt *s = db_prep(w->db,
	    "select id, file, fact from contracts where joined <> 4 order by id limit ?1", e);
	struct arena *scratch = arena_new();
	int rc = -1;

	if (s && !db_bind(s, "i", (int64_t)FACTS_MAX))
		while ((rc = db_step(s, e)) == 1) {
			if (note_route(w, s, scratch, out, e))
				break;
			arena_reset(scratch);
		}
	arena_free(scratch);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_fit);
	return rc ? -1 : 0;
}

static int read_fact(struct search_context *w, struct route_match *m, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select fact from contracts where id = ?", e);
	int rc;

	if (!s || db_bind(s, "i", m->id))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		size_t size;
		const void *p = db_blob(s, 0, &size);
		if (codec_get(&rec_fact, &m->fact, p, size, w->a, e))
			return -1;
	}
	return rc;
}

int search_by_route(struct search_context *w, struct err *e)
{
	struct route_matches found = { 0 };

	if (!w->ask.route || w->ask.nphrases || w->q->least_exact >= SEARCH_NOT)
		return 0;
	int rc = find_routes(w, &found, e);
	for (size_t i = 0; !rc && i < MIN(found.n, ROUTES_MAX); i++) {
		rc = read_fact(w, &found.v[i], e);
		if (!rc)
			rc = add_route(w, &found.v[i], e);
	}
	free(found.v);
	return rc;
}
