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

/* Hits; near documents for each file wanted; looked at for a phrase; files that are called as a path of the question. */
enum { LARGEST = 200, MORE_FILES = 12, CHECKED = 2000, NAMED_FILES = 100 };

enum { FEW = 4 };	/* terms of a question that is no sentence */

struct search {
	const struct search_req *q;
	struct reader *r;
	struct question ask;
	struct db *db;
	struct arena *a;
	size_t limit;
	bool files;		/* one hit per file */
	bool by_words;		/* and by names, not by vectors alone */
	const struct ranking *ranking;
	bool tests;		/* they are asked for */
	struct scores *scores;
	struct map *found;	/* document or file -> struct spot */
	struct map *texts;	/* blob, lines and name -> struct text */
	unsigned counts;
	size_t checked, named;
	struct err *e;		/* of what `keep` calls */
};

/* The same lines of the same blob, wherever they stand: copies count once. */
struct text {
	unsigned met;		/* the last count that met it */
};

/* A hit, and the document whose place it shows. */
struct spot {
	struct hit hit;		/* the first member: a struct hit * is one of it */
	struct text *text;
	int64_t doc;
	uint64_t hash;
	bool taken;		/* it is among the best of a list */
};

#define COLUMNS "f.path, f.blob, f.language, s.name, s.qualified, s.kind, s.signature," \
	" ifnull(d.start_line, s.start_line), ifnull(d.end_line, s.end_line), f.test or ifnull(s.test, 0), d.id, d.hash"
#define DOCUMENT "select " COLUMNS " from docs d join files f on f.id = d.file left join symbols s on s.id = d.symbol where d.id = ?"
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

/* Which text it is: the same lines of the same blob are one. */
static void set_text(struct search *w, struct spot *x)
{
	const struct hit *h = &x->hit;
	struct text **at = (struct text **)map_at(w->texts, arena_printf(w->a, "%s %llu-%llu %s", h->blob,
	    (unsigned long long)h->start_line, (unsigned long long)h->end_line, h->qualified ? h->qualified : ""));
	x->text = *at = *at ? *at : arena_one(w->a, struct text);
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
	set_text(w, x);
}

/* Whether the count has not met the text of the hit before. */
static bool is_new(const struct hit *h, unsigned count)
{
	struct text *t = ((const struct spot *)h)->text;
	bool new = t->met != count;

	t->met = count;
	return new;
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

static bool keep(struct search *w, int64_t doc)
{
	const struct search_req *q = w->q;
	bool filtered = q->kinds.n || q->languages.n || prefix(w);

	return (!filtered || passes(w, doc)) && (!w->ask.nphrases || says_all(w, doc));
}

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
	struct stmt *s = keep(w, doc) ? db_prep(w->db, DOCUMENT, w->e) : NULL;
	double its = scores_get(w->scores, doc);
	bool new = false;

	if (!s || db_bind(s, "i", doc))
		return false;
	while (db_step(s, w->e) == 1) {
		struct hit *h = hit(w, s);
		if (its == h->lexical && before(s, h)) {
			set_place(w, s, h->path, (struct spot *)h);
			h->lexical = its;
		}
		h->lexical = its > h->lexical ? its : h->lexical;
		new = is_new(h, w->counts);
		double fit = prefix_fit(w, h->symbol) * prior_of(h->test, h->language) / PRIOR_FULL;
		h->exact = fit > h->exact ? fit : h->exact;
	}
	return new;
}

static int lexical(struct search *w, struct err *e)
{
	struct candidates best;

	w->counts++;
	scores_best(w->scores, w->limit + 1, add_lexical, w, w->a, &best);
	return e->code ? -1 : 0;
}

/* ---- by names ---- */

/* A symbol that is called as a word of the question says; `doc`: its own, or the best of its file; 0: none. */
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

/* The document that answers for a symbol: its own, or the best one of its file when files are asked for. */
static int64_t document_of(struct search *w, int64_t doc, int64_t file)
{
	struct stmt *s = w->files ? db_prep(w->db, "select id from docs where file = ? order by start_line, end_line, id", w->e) : NULL;
	double most = 0;

	if (!s || db_bind(s, "i", file))
		return doc;
	while (db_step(s, w->e) == 1) {
		double its = scores_get(w->scores, db_int(s, 0));
		doc = its > most ? db_int(s, 0) : doc;
		most = its > most ? its : most;
	}
	return doc;
}

static int names_of_word(struct search *w, const char *word, struct names *l, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select s.id, ifnull(d.id, 0), s.name, s.qualified, f.path, f.language,"
	    " f.test or s.test, ifnull(d.start_line, s.start_line), ifnull(d.end_line, s.end_line), f.id"
	    " from symbols s join files f on f.id = s.file left join docs d on d.file = s.file and d.symbol = s.id"
	    " where s.key = ?1 and s.kind <> 'section' and not f.generated" FILTERS, e);
	int rc;

	if (!s)
		return -1;
	db_bind(s, "ssss", symbol_key(symbol_last(word), w->a), bars(&w->q->kinds, w->a), bars(&w->q->languages, w->a), prefix(w));
	while ((rc = db_step(s, e)) == 1) {
		int64_t doc = document_of(w, db_int(s, 1), db_int(s, 9));
		l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
		l->v[l->n++] = (struct named){
			.symbol = db_int(s, 0), .doc = doc, .qualified = arena_str(w->a, db_str(s, 3)),
			.path = arena_str(w->a, db_str(s, 4)), .start = (uint64_t)db_int(s, 7), .end = (uint64_t)db_int(s, 8),
			.exact = fit(word, db_str(s, 2), db_str(s, 3)) * prior_of(db_int(s, 6) && !w->tests, db_str(s, 5)) / PRIOR_FULL,
			.lexical = score(w, doc),
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

/* Add a symbol; whether its text was not in the list yet. */
static bool add_named(struct search *w, const struct named *x)
{
	struct stmt *s = db_prep(w->db, x->doc ? DOCUMENT : "select " COLUMNS " from symbols s join files f on f.id = s.file"
	    " left join docs d on d.id is null where s.id = ?", w->e);
	bool new = false;

	if (!s || db_bind(s, "i", x->doc ? x->doc : x->symbol))
		return false;
	while (db_step(s, w->e) == 1) {
		struct hit *h = hit(w, s);
		h->exact = x->exact > h->exact ? x->exact : h->exact;
		h->lexical = x->lexical > h->lexical ? x->lexical : h->lexical;
		new = is_new(h, w->counts);
	}
	return new;
}

static int exact(struct search *w, struct err *e)
{
	struct map *seen = map_new();
	struct names l = { 0 };
	size_t texts = 0;
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
	w->counts++;
	for (size_t i = 0; !rc && i < l.n && texts <= w->limit; i++)
		texts += add_named(w, &l.v[i]);
	free(l.v);
	return rc || e->code ? -1 : 0;
}

/* ---- by paths ---- */

/* How well a path is the one that was typed: all of it, or its end from a `/` on. */
static double path_fit(const char *typed, const char *path)
{
	size_t n = strlen(typed), m = strlen(path);

	if (n > m || strcasecmp(path + m - n, typed) || (n < m && path[m - n - 1] != '/'))
		return 0;
	return n == m ? 3 : strchr(typed, '/') ? 2.5 : 2;
}

/* The file as a hit of its own. */
static struct hit *whole_file(struct search *w, struct stmt *s)
{
	const char *path = arena_str(w->a, db_str(s, 1));
	void **at = map_at(w->found, w->files ? path : arena_printf(w->a, "%s::file", path));

	if (!*at) {
		struct spot *x = arena_one(w->a, struct spot);
		x->hit = (struct hit){ .path = path, .blob = text(s, 2, w->a), .language = text(s, 3, w->a), .start_line = 1,
			.end_line = (uint64_t)db_int(s, 4), .test = db_int(s, 5) };
		set_text(w, x);
		*at = &x->hit;
	}
	return *at;
}

/* The documents of a file: how many of them fit, or -1.  Asked for a line the innermost around it, else those that answer by words. */
static int add_documents(struct search *w, int64_t file, uint64_t line, double fit, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select " COLUMNS " from docs d join files f on f.id = d.file"
	    " left join symbols s on s.id = d.symbol where d.file = ?1" FILTERS " order by d.start_line, d.end_line desc, d.id", e);
	struct hit *inner = NULL;
	int n = 0, rc;

	if (!s)
		return -1;
	db_bind(s, "isss", file, bars(&w->q->kinds, w->a), bars(&w->q->languages, w->a), prefix(w));
	while ((rc = db_step(s, e)) == 1) {
		double words = score(w, db_int(s, 10));
		if (line ? line < (uint64_t)db_int(s, 7) || line > (uint64_t)db_int(s, 8) : words <= 0)
			continue;
		struct hit *h = inner = hit(w, s);
		h->lexical = words > h->lexical ? words : h->lexical;
		if (!line && fit > h->named)
			h->named = fit;
		n++;
	}
	if (inner && line)
		inner->named = fit;
	return rc ? -1 : n;
}

/* A file that is named: of a question its documents, else the place that is meant; when there is none the file itself. */
static int add_file(struct search *w, const struct path_word *p, struct stmt *s, struct err *e)
{
	double fit = path_fit(p->path, db_str(s, 1)) * prior_of(db_int(s, 5), db_str(s, 3)) / PRIOR_FULL;
	int n = p->line || !w->ask.only_paths ? add_documents(w, db_int(s, 0), p->line, fit, e) : 0;

	if (!n && !w->q->kinds.n)
		whole_file(w, s)->named = fit;
	return n < 0 ? -1 : 0;
}

static int path_word(struct search *w, const struct path_word *p, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select f.id, f.path, f.blob, f.language, f.lines, f.test from files f"
	    " where f.path like '%' || ?1 and (?3 is null or instr(?3, '|' || f.language || '|'))"
	    " and (?4 is null or substr(f.path, 1, length(?4)) = ?4) and not f.generated order by f.path", e);
	int rc;

	if (!s)
		return -1;
	db_bind(s, "snss", p->path, bars(&w->q->languages, w->a), prefix(w));
	while ((rc = db_step(s, e)) == 1)
		if (path_fit(p->path, db_str(s, 1)) > 0 && w->named++ < NAMED_FILES && add_file(w, p, s, e))
			return -1;
	return rc;
}

static int paths(struct search *w, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < w->ask.npaths; i++)
		rc = path_word(w, &w->ask.paths[i], e);
	return rc;
}

/* ---- by meaning ---- */

static int put_bits(struct stmt *s, size_t n, uint64_t *out, struct err *e)
{
	int rc;

	while ((rc = db_step(s, e)) == 1) {
		uint64_t id = (uint64_t)db_int(s, 0);
		if (id < n)
			out[id / 64] |= (uint64_t)1 << id % 64;
	}
	return rc;
}

/* The documents of the files that pass the filters, a bit each; NULL: all do. */
static int of_files(struct search *w, size_t n, uint64_t **out, struct err *e)
{
	*out = NULL;
	if (!w->q->languages.n && !prefix(w))
		return 0;
	struct stmt *s = db_prep(w->db, "select d.id from files f cross join documents d on d.file = f.id"
	    " where (?1 is null or instr(?1, '|' || f.language || '|'))"
	    " and (?2 is null or substr(f.path, 1, length(?2)) = ?2)", e);
	*out = arena_many(w->a, n / 64 + 1, uint64_t);
	return !s || db_bind(s, "ss", bars(&w->q->languages, w->a), prefix(w)) ? -1 : put_bits(s, n, *out, e);
}

/* Those that pass all of them.  It reads every definition. */
static int of_kinds(struct search *w, size_t n, uint64_t **out, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select d.id from docs d join files f on f.id = d.file join symbols s on s.id = d.symbol"
	    " where ?1 is null" FILTERS, e);

	*out = arena_many(w->a, n / 64 + 1, uint64_t);
	return !s || db_bind(s, "nsss", bars(&w->q->kinds, w->a), bars(&w->q->languages, w->a), prefix(w)) ? -1 :
	    put_bits(s, n, *out, e);
}

/* Add a document, unless it is another text by now; whether its text was not in the list yet. */
static bool add_near(struct search *w, const struct near_doc *d)
{
	struct stmt *s = db_prep(w->db, DOCUMENT, w->e);
	bool new = false;

	if (!s || db_bind(s, "i", d->doc))
		return false;
	while (db_step(s, w->e) == 1) {
		struct hit *h = (uint64_t)db_int(s, 11) == d->hash ? hit(w, s) : NULL;
		if (h && d->score > h->near) {
			h->cosine = d->cosine;
			h->near = d->score;
		}
		new = h && is_new(h, w->counts);
	}
	return new;
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

/* Whether what was typed is what must be there: a beginning of words, a file.  What only means the same is no answer then. */
static bool is_literal(struct search *w)
{
	for (size_t i = 0; w->by_words && i < w->ask.nterms; i++)
		if (question_prefix(w->ask.terms[i], w->a))
			return true;
	return w->by_words && w->ask.only_paths;
}

/* What the scan does not know of a document. */
static bool keep_near(struct search *w, int64_t doc)
{
	return (!w->q->kinds.n || passes(w, doc)) && (!w->ask.nphrases || score(w, doc) > 0);
}

static int nearest(struct search *w, struct search_res *out, struct err *e)
{
	struct near_docs best;
	struct near n;
	uint64_t *keep;
	bool seldom = false;	/* what has the right kind */
	int rc = near_open(&n, w->r, w->q, out, w->a, e);

	if (rc <= 0 || of_files(w, n.r->n, &keep, e))
		return rc > 0 ? -1 : rc;
	n.r = w->ranking;
	size_t texts = 0;
	for (size_t want = w->limit * (w->files ? MORE_FILES : 1) + 1; texts <= w->limit; want *= 2) {
		vector_list(n.f, n.r, n.query, keep, want, w->a, &best);
		if (is_literal(w))
			break;
		w->counts++;
		texts = 0;
		for (size_t i = 0; i < best.n; i++)
			texts += keep_near(w, best.v[i].doc) && add_near(w, &best.v[i]);
		if (best.n < want || e->code)
			break;
		if (w->q->kinds.n && !seldom && texts <= w->limit && of_kinds(w, n.r->n, &keep, e))
			return -1;
		seldom = true;
	}
	add_cosines(w, &n);
	near_tell(&n, best.rows, out, w->a);
	return 0;
}

/* ---- all ---- */

/* How well the words of what other lists found answer. */
static void add_scores(struct search *w)
{
	for (size_t i = 0; i < map_len(w->found); i++) {
		struct spot *x = map_val(w->found, i);
		if (x->doc && x->hit.lexical == 0)
			x->hit.lexical = score(w, x->doc);
	}
}

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

static int by_named(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->named, y->named, x->lexical, y->lexical, x, y);
}

static int by_nearness(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->near, y->near, 0, 0, x, y);
}

/* Take the first of one list, those that have a score there: what stands before one text more than is wanted. */
static void take(struct search *w, struct hit **v, size_t n, int (*order)(const void *, const void *), size_t score)
{
	size_t texts = 0;

	w->counts++;
	qsort(v, n, sizeof *v, order);
	for (size_t i = 0; i < n && *(const double *)(const void *)((const char *)v[i] + score) > 0; i++) {
		texts += is_new(v[i], w->counts);
		if (texts > w->limit)
			break;
		((struct spot *)v[i])->taken = true;
	}
}

/* What is among the best of any list. */
static void best(struct search *w, struct search_res *out)
{
	size_t n = map_len(w->found);
	struct hit **v = arena_many(w->a, n + 1, struct hit *);

	for (size_t i = 0; i < n; i++)
		v[i] = map_val(w->found, i);
	take(w, v, n, by_exact, offsetof(struct hit, exact));
	take(w, v, n, by_named, offsetof(struct hit, named));
	take(w, v, n, by_nearness, offsetof(struct hit, near));
	take(w, v, n, by_lexical, offsetof(struct hit, lexical));
	out->hits.v = arena_many(w->a, n + 1, struct hit);
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

/* Few words, `test` among them, ask for tests; in a sentence it is a word like any other. */
static bool asks_for_tests(const struct question *q)
{
	for (size_t i = 0; i < q->nterms && q->nterms <= FEW; i++)
		if (!strcmp(q->terms[i], "test") || !strcmp(q->terms[i], "testing") || !strcmp(q->terms[i], "unittest"))
			return true;
	return false;
}

/* The ranking, in which tests are worth as much as other code when they are asked for. */
static const struct ranking *ranking_for(const struct search *w, const struct ranking *r)
{
	struct ranking *asked = arena_one(w->a, struct ranking);
	uint8_t *priors = w->tests ? arena_many(w->a, r->n + 1, uint8_t) : NULL;

	if (!priors)
		return r;
	for (size_t i = 0; i < r->n; i++)
		priors[i] = (uint8_t)prior_of_asked(r->priors[i]);
	*asked = *r;
	asked->priors = priors;
	return asked;
}

static int run(struct search *w, struct search_res *out, struct err *e)
{
	const struct ranking *r = reader_ranking(w->r, e);
	struct statistics st;

	w->tests = asks_for_tests(&w->ask);
	if (!r || statistics(w, r, &st, e))
		return -1;
	w->ranking = ranking_for(w, r);
	if (!(w->scores = scores_new(w->db, w->ranking, &st, w->ask.nphrases > 0, e)))
		return -1;
	w->by_words = !w->q->mode || strcmp(w->q->mode, "vector") != 0;
	int rc = w->by_words && (lexical(w, e) || exact(w, e) || paths(w, e)) ? -1 : 0;
	rc = rc || nearest(w, out, e) || e->code ? -1 : 0;
	if (!rc) {
		if (w->by_words)
			add_scores(w);
		best(w, out);
	}
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
	w.texts = map_new();
	int rc = run(&w, out, e);
	map_free(w.found);
	map_free(w.texts);
	return rc;
}
