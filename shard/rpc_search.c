#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/text/question.h"
#include "proto/text/symbol.h"
#include "shard/near.h"
#include "shard/phrase.h"
#include "shard/postings.h"
#include "shard/prior.h"
#include "shard/repo.h"
#include "shard/rpc.h"
#include "shard/text.h"
#include "shard/vector_list.h"

/*
 * Three lists: `lexical` by BM25 over the documents, `exact` by names of symbols, `near` by vectors.  Each hit carries all of
 * its scores, so that whoever puts lists of several shards together can order and cut them as if they were one.
 */

enum { LARGEST = 200, MORE_FILES = 12, CHECKED = 2000 };	/* hits; documents for each file wanted; looked at for a phrase */

struct search {
	const struct search_req *q;
	struct reader *r;
	struct question ask;
	struct db *db;
	struct arena *a;
	size_t limit;
	bool files;		/* one hit per file */
	bool by_words;		/* and by names, not by vectors alone */
	struct scores *scores;
	struct map *found;	/* document or file -> struct spot */
	size_t checked;
	struct err *e;		/* of what `keep` calls */
};

/* A hit, and the document whose place it shows. */
struct spot {
	struct hit hit;		/* the first member: a struct hit * is one of it */
	int64_t doc;
	uint64_t hash;
	bool taken;		/* it is among the best of a list */
};

#define COLUMNS "f.path, f.blob, f.language, s.name, s.qualified, s.kind, s.signature," \
	" ifnull(d.start_line, s.start_line), ifnull(d.end_line, s.end_line), f.test or ifnull(s.test, 0), d.id, d.hash"
#define FILTERS " and (?2 is null or instr(?2, '|' || s.kind || '|'))" \
	" and (?3 is null or instr(?3, '|' || f.language || '|'))" \
	" and (?4 is null or substr(f.path, 1, length(?4)) = ?4)"

static const char *text(struct stmt *s, int col, struct arena *a)
{
	return db_null(s, col) ? NULL : arena_str(a, db_str(s, col));
}

/* `|a|b|`, or NULL for no filter. */
static const char *bars(const struct strs *words, struct arena *a)
{
	const char *s = words->n ? "|" : NULL;

	for (size_t i = 0; i < words->n; i++)
		s = arena_printf(a, "%s%s|", s, words->v[i]);
	return s;
}

static const char *prefix(const struct search *w)
{
	return w->q->path_prefix && *w->q->path_prefix ? w->q->path_prefix : NULL;
}

/* Make `x` the row's place, without scores. */
static void set_place(struct search *w, struct stmt *s, const char *path, struct spot *x)
{
	x->doc = db_int(s, 10);
	x->hash = (uint64_t)db_int(s, 11);
	x->hit = (struct hit){
		.path = path, .blob = text(s, 1, w->a), .language = text(s, 2, w->a),
		.symbol = text(s, 3, w->a), .qualified = text(s, 4, w->a), .kind = text(s, 5, w->a),
		.signature = text(s, 6, w->a), .start_line = (uint64_t)db_int(s, 7), .end_line = (uint64_t)db_int(s, 8),
		.test = db_int(s, 9),
	};
}

/* The hit of the row's place, or of its file; added when it is new. */
static struct hit *hit(struct search *w, struct stmt *s)
{
	const char *path = arena_str(w->a, db_str(s, 0));
	void **at = map_at(w->found, w->files ? path :
	    arena_printf(w->a, "%s:%lld:%s", path, (long long)db_int(s, 7), db_str(s, 4)));

	if (*at)
		return *at;
	struct spot *x = arena_one(w->a, struct spot);
	set_place(w, s, path, x);
	return *at = &x->hit;
}

/* Whether the row stands before the hit in its file: of equals, that is the one. */
static bool before(struct stmt *s, const struct hit *h)
{
	uint64_t start = (uint64_t)db_int(s, 7), end = (uint64_t)db_int(s, 8);

	if (start != h->start_line)
		return start < h->start_line;
	return end != h->end_line ? end < h->end_line : strcmp(db_str(s, 4), h->qualified ? h->qualified : "") < 0;
}

/* ---- by words ---- */

/* Whether the document's own text, or one of its lines of the head, holds the phrase. */
static bool says(const struct phrase *p, struct stmt *s, const char *body, size_t nbody)
{
	for (int col = 0; col < 4; col++)
		if (phrase_in(p, db_str(s, col), strlen(db_str(s, col))))
			return true;
	return phrase_in(p, body, nbody);
}

/* Whether a document holds every phrase.  Its text is in git. */
static bool says_all(struct search *w, int64_t doc)
{
	struct stmt *s = db_prep(w->db, "select s.qualified, s.signature, s.doc, f.path, f.blob, d.start_line, d.end_line"
	    " from docs d join files f on f.id = d.file left join symbols s on s.id = d.symbol where d.id = ?", w->e);
	bool found = false;

	if (!s || w->checked++ > CHECKED || db_bind(s, "i", doc))
		return false;
	while (db_step(s, w->e) == 1) {
		struct repo *repo = reader_repo(w->r, w->e);
		struct buf text = { 0 };
		if (repo && !repo_text(repo, db_str(s, 4), &text, NULL)) {
			struct arena *a = arena_new();
			size_t from = (size_t)db_int(s, 5), to = (size_t)db_int(s, 6);
			struct lines l = text_lines(text.p, text.n, to, a);
			to = to < l.n ? to : l.n;
			found = from && from <= to;
			for (size_t i = 0; found && i < w->ask.nphrases; i++)
				found = says(&w->ask.phrases[i], s, text.p + l.v[from - 1], l.v[to] - l.v[from - 1]);
			arena_free(a);
		}
		buf_free(&text);
	}
	return found;
}

static bool passes(struct search *w, int64_t doc)
{
	struct stmt *s = db_prep(w->db, "select 1 from docs d join files f on f.id = d.file"
	    " left join symbols s on s.id = d.symbol where d.id = ?1" FILTERS, w->e);
	bool found = false;

	if (!s || db_bind(s, "isss", doc, bars(&w->q->kinds, w->a), bars(&w->q->languages, w->a), prefix(w)))
		return false;
	while (db_step(s, w->e) == 1)
		found = true;
	return found;
}

static bool keep(void *arg, int64_t doc)
{
	struct search *w = arg;
	const struct search_req *q = w->q;
	bool filtered = q->kinds.n || q->languages.n || prefix(w);

	return (!filtered || passes(w, doc)) && (!w->ask.nphrases || says_all(w, doc));
}

static int add_lexical(struct search *w, const struct candidate *c, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select " COLUMNS " from docs d join files f on f.id = d.file"
	    " left join symbols s on s.id = d.symbol where d.id = ?", e);
	int rc;

	if (!s || db_bind(s, "i", c->doc))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		struct hit *h = hit(w, s);
		if (c->score == h->lexical && before(s, h))
			set_place(w, s, h->path, (struct spot *)h);
		if (c->score > h->lexical || !h->lexical)
			h->lexical = c->score;
	}
	return rc;
}

static int lexical(struct search *w, struct err *e)
{
	struct candidates best;
	int rc = 0;

	scores_best(w->scores, w->limit * (w->files ? MORE_FILES : 1), keep, w, w->a, &best);
	if (e->code)
		return -1;
	for (size_t i = 0; !rc && i < best.n; i++)
		rc = add_lexical(w, &best.v[i], e);
	return rc;
}

/* ---- by names ---- */

/* A symbol that is called as a word of the question says; `doc` 0: it is no document of its own. */
struct named {
	int64_t symbol, doc;
	const char *path, *qualified;
	uint64_t start, end;
	double exact, lexical;
};

struct names {
	struct named *v;
	size_t n, cap;
};

/* How well a name fits a word of the question: as written, but for case, but for separators. */
static double fit(const char *word, const char *name, const char *qualified)
{
	const char *last = symbol_last(word);
	size_t n = strlen(qualified), m = strlen(word);

	if (last > word)	/* Class.method, pkg::function */
		return n >= m && !strcasecmp(qualified + n - m, word) ? 3 : 1;
	if (!strcmp(last, name))
		return 3;
	return !strcasecmp(last, name) ? 2 : 1.5;
}

/* How well a document answers by its words; with phrases nothing when it does not say them. */
static double score(struct search *w, int64_t doc)
{
	double score = scores_get(w->scores, doc);

	return score > 0 && w->ask.nphrases && !says_all(w, doc) ? 0 : score;
}

static int names_of_word(struct search *w, const char *word, struct names *l, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select s.id, ifnull(d.id, 0), s.name, s.qualified, f.path, f.language,"
	    " f.test or s.test, ifnull(d.start_line, s.start_line), ifnull(d.end_line, s.end_line)"
	    " from symbols s join files f on f.id = s.file left join docs d on d.file = s.file and d.symbol = s.id"
	    " where s.key = ?1 and s.kind <> 'section' and not f.generated" FILTERS, e);
	int rc;

	if (!s)
		return -1;
	db_bind(s, "ssss", symbol_key(symbol_last(word), w->a), bars(&w->q->kinds, w->a), bars(&w->q->languages, w->a), prefix(w));
	while ((rc = db_step(s, e)) == 1) {
		l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
		l->v[l->n++] = (struct named){
			.symbol = db_int(s, 0), .doc = db_int(s, 1), .qualified = arena_str(w->a, db_str(s, 3)),
			.path = arena_str(w->a, db_str(s, 4)), .start = (uint64_t)db_int(s, 7), .end = (uint64_t)db_int(s, 8),
			.exact = fit(word, db_str(s, 2), db_str(s, 3)) * prior_of(db_int(s, 6), db_str(s, 5)) / PRIOR_FULL,
			.lexical = score(w, db_int(s, 1)),
		};
	}
	return rc;
}

static int by_place(const char *path, const char *x_path, uint64_t start, uint64_t x_start, uint64_t end, uint64_t x_end,
    const char *qualified, const char *x_qualified)
{
	int rc = strcmp(path, x_path);

	rc = rc ? rc : (start > x_start) - (start < x_start);
	rc = rc ? rc : (end > x_end) - (end < x_end);
	return rc ? rc : strcmp(qualified ? qualified : "", x_qualified ? x_qualified : "");
}

static int by_fit(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->exact != y->exact)
		return x->exact > y->exact ? -1 : 1;
	if (x->lexical != y->lexical)
		return x->lexical > y->lexical ? -1 : 1;
	return by_place(x->path, y->path, x->start, y->start, x->end, y->end, x->qualified, y->qualified);
}

static int add_named(struct search *w, const struct named *x, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select " COLUMNS " from symbols s join files f on f.id = s.file"
	    " left join docs d on d.id = ?2 where s.id = ?1", e);
	int rc;

	if (!s || db_bind(s, "ii", x->symbol, x->doc))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		struct hit *h = hit(w, s);
		if (x->exact > h->exact)
			h->exact = x->exact;
		if (x->lexical > h->lexical)
			h->lexical = x->lexical;
	}
	return rc;
}

static int exact(struct search *w, struct err *e)
{
	struct map *seen = map_new();
	struct names l = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < w->ask.nwords; i++) {
		void **at = map_at(seen, w->ask.words[i]);
		if (!*at)
			rc = names_of_word(w, w->ask.words[i], &l, e);
		*at = w;
	}
	map_free(seen);
	if (l.n)
		qsort(l.v, l.n, sizeof *l.v, by_fit);
	size_t enough = map_len(w->found) + w->limit;
	for (size_t i = 0; !rc && i < l.n && map_len(w->found) < enough; i++)
		rc = add_named(w, &l.v[i], e);
	free(l.v);
	return rc;
}

/* ---- by meaning ---- */

/* The documents that pass the filters, a bit each; NULL: all do. */
static int filtered(struct search *w, size_t n, uint64_t **out, struct err *e)
{
	struct stmt *s;
	int rc;

	*out = NULL;
	if (!w->q->kinds.n && !w->q->languages.n && !prefix(w))
		return 0;
	*out = arena_many(w->a, n / 64 + 1, uint64_t);
	if (!(s = db_prep(w->db, "select d.id from docs d join files f on f.id = d.file left join symbols s on s.id = d.symbol"
	    " where ?1 is null" FILTERS, e)))
		return -1;
	db_bind(s, "nsss", bars(&w->q->kinds, w->a), bars(&w->q->languages, w->a), prefix(w));
	while ((rc = db_step(s, e)) == 1) {
		uint64_t id = (uint64_t)db_int(s, 0);
		if (id < n)
			(*out)[id / 64] |= (uint64_t)1 << id % 64;
	}
	return rc;
}

/* A document that is another text by now is nobody's hit. */
static int add_near(struct search *w, const struct near_doc *d, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select " COLUMNS " from docs d join files f on f.id = d.file"
	    " left join symbols s on s.id = d.symbol where d.id = ?", e);
	int rc;

	if (!s || db_bind(s, "i", d->doc))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		struct hit *h = (uint64_t)db_int(s, 11) == d->hash ? hit(w, s) : NULL;
		if (h && w->by_words && !h->lexical)
			h->lexical = scores_get(w->scores, d->doc);
		if (h && d->score > h->near) {
			h->cosine = d->cosine;
			h->near = d->score;
		}
	}
	return rc;
}

/* The cosines of what other lists found. */
static void add_cosines(struct search *w, const struct near *n)
{
	size_t all = map_len(w->found), k = 0;
	struct near_doc *v = arena_many(w->a, all + 1, struct near_doc);
	struct hit **of = arena_many(w->a, all + 1, struct hit *);

	for (size_t i = 0; i < all; i++) {
		struct spot *x = map_val(w->found, i);
		of[k] = &x->hit;
		if (x->doc && x->hit.near == 0)
			v[k++] = (struct near_doc){ .doc = x->doc, .hash = x->hash };
	}
	vector_cosines(n->f, n->r, n->query, v, k);
	for (size_t i = 0; i < k; i++) {
		of[i]->cosine = v[i].cosine;
		of[i]->near = v[i].score;
	}
}

static int nearest(struct search *w, struct search_res *out, struct err *e)
{
	struct near_docs best;
	struct near n;
	uint64_t *keep;
	int rc = near_open(&n, w->r, w->q, out, w->a, e);

	if (rc <= 0 || filtered(w, n.r->n, &keep, e))
		return rc > 0 ? -1 : rc;
	vector_list(n.f, n.r, n.query, keep, w->limit * (w->files ? MORE_FILES : 1), w->a, &best);
	rc = 0;
	for (size_t i = 0; !rc && i < best.n; i++)
		if (!w->ask.nphrases || says_all(w, best.v[i].doc))
			rc = add_near(w, &best.v[i], e);
	add_cosines(w, &n);
	near_tell(&n, best.rows, out, w->a);
	return rc;
}

/* ---- all ---- */

static int compare(double x, double y, double x2, double y2, const struct hit *a, const struct hit *b)
{
	if (x != y)
		return x > y ? -1 : 1;
	if (x2 != y2)
		return x2 > y2 ? -1 : 1;
	return by_place(a->path, b->path, a->start_line, b->start_line, a->end_line, b->end_line, a->qualified, b->qualified);
}

static int by_lexical(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->lexical, y->lexical, 0, 0, x, y);
}

static int by_exact(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->exact, y->exact, x->lexical, y->lexical, x, y);
}

static int by_nearness(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->near, y->near, 0, 0, x, y);
}

/* Take the best of one list: those that have a score there. */
static void take(struct hit **v, size_t n, size_t top, int (*order)(const void *, const void *), size_t score)
{
	qsort(v, n, sizeof *v, order);
	for (size_t i = 0; i < n && i < top && *(const double *)(const void *)((const char *)v[i] + score) > 0; i++)
		((struct spot *)v[i])->taken = true;
}

/* What is among the best of any list. */
static void best(struct search *w, struct search_res *out)
{
	size_t n = map_len(w->found);
	struct hit **v = arena_many(w->a, n + 1, struct hit *);

	for (size_t i = 0; i < n; i++)
		v[i] = map_val(w->found, i);
	take(v, n, w->limit, by_exact, offsetof(struct hit, exact));
	take(v, n, w->limit, by_nearness, offsetof(struct hit, near));
	take(v, n, w->limit, by_lexical, offsetof(struct hit, lexical));
	out->hits.v = arena_many(w->a, w->limit * 3 + 1, struct hit);
	for (size_t i = 0; i < n; i++)
		if (((struct spot *)v[i])->taken)
			out->hits.v[out->hits.n++] = *v[i];
	out->total = n;
}

/* What the scores rest on: as the request says, or as it is in this index. */
static int statistics(struct search *w, const struct ranking *r, struct statistics *out, struct err *e)
{
	size_t n = w->ask.nterms;

	*out = (struct statistics){ w->q->terms.v, w->q->terms.n, w->q->documents, w->q->words };
	if (w->q->documents)
		return 0;
	struct term_count *v = arena_many(w->a, n + 1, struct term_count);
	for (size_t i = 0; i < n; i++) {
		v[i].term = w->ask.terms[i];
		if (postings_documents(w->db, v[i].term, &v[i].documents, e))
			return -1;
	}
	*out = (struct statistics){ v, question_pick(&w->ask, v, n), r->documents, r->words };
	return 0;
}

static int run(struct search *w, struct search_res *out, struct err *e)
{
	struct ranking *r = reader_ranking(w->r, e);
	struct statistics st;

	if (!r || statistics(w, r, &st, e) || !(w->scores = scores_new(w->db, r, &st, w->ask.nphrases > 0, e)))
		return -1;
	w->by_words = !w->q->mode || strcmp(w->q->mode, "vector") != 0;
	int rc = w->by_words && (lexical(w, e) || exact(w, e)) ? -1 : 0;
	rc = rc || nearest(w, out, e) || e->code ? -1 : 0;
	if (!rc)
		best(w, out);
	scores_free(w->scores);
	return rc;
}

int rpc_search(struct shard *shard, struct reader *r, const struct search_req *q, struct search_res *out,
    struct arena *a, struct err *e)
{
	struct search w = {
		.q = q, .r = r, .db = r->db, .a = a, .limit = q->limit < 1 ? 1 : q->limit > LARGEST ? LARGEST : q->limit,
		.files = q->granularity && !strcmp(q->granularity, "file"), .e = e,
	};

	(void)shard;
	if (question_read(&w.ask, q->query, a, e))
		return -1;
	w.found = map_new();
	int rc = run(&w, out, e);
	map_free(w.found);
	return rc;
}
