#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "shard/prior.h"
#include "shard/question.h"
#include "shard/rpc.h"
#include "shard/symbol.h"

/*
 * Two lists: `lexical` by BM25 over the documents, `exact` by names of symbols.  A hit in both carries both scores.
 */

/* Weights of name, signature, doc, path, body; measured over labelled questions (README.md). */
static const double weights[] = { 6.0, 3.0, 2.5, 3.0, 1.0 };

enum { LARGEST = 200, MORE_FILES = 12 };	/* hits; documents looked at for each file wanted */

struct search {
	const struct search_req *q;
	struct question ask;
	struct fts_ranking *ranking;
	struct db *db;
	struct arena *a;
	size_t limit;
	bool files;		/* one hit per file */
	struct map *found;	/* document or file -> struct hit */
};

#define COLUMNS "f.path, f.blob, f.language, s.name, s.qualified, s.kind, s.signature," \
	" ifnull(d.start_line, s.start_line), ifnull(d.end_line, s.end_line), f.test or ifnull(s.test, 0)"
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

/* ?1 to ?4, the first and the filters, and with the letters "ssssp" ?5, the ranking. */
static void bind(struct search *w, struct stmt *s, const char *letters, const char *first)
{
	const char *prefix = w->q->path_prefix && *w->q->path_prefix ? w->q->path_prefix : NULL;

	db_bind(s, letters, first, bars(&w->q->kinds, w->a), bars(&w->q->languages, w->a), prefix, w->ranking);
}

/* The hit of the row's place, or of its file; added when it is new. */
static struct hit *hit(struct search *w, struct stmt *s)
{
	const char *path = arena_str(w->a, db_str(s, 0));
	void **at = map_at(w->found, w->files ? path :
	    arena_printf(w->a, "%s:%lld:%s", path, (long long)db_int(s, 7), db_str(s, 4)));

	if (*at)
		return *at;
	struct hit *h = arena_one(w->a, struct hit);
	*h = (struct hit){
		.path = path, .blob = text(s, 1, w->a), .language = text(s, 2, w->a),
		.symbol = text(s, 3, w->a), .qualified = text(s, 4, w->a), .kind = text(s, 5, w->a),
		.signature = text(s, 6, w->a), .start_line = (uint64_t)db_int(s, 7), .end_line = (uint64_t)db_int(s, 8),
		.test = db_int(s, 9),
	};
	return *at = h;
}

/* ---- by words ---- */

struct candidate {
	int64_t doc;
	double score;
};

static int best_first(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return (a->doc > b->doc) - (a->doc < b->doc);
}

/*
 * The best `want` of the statement's rows (document, negative score), in order; how many, or -1.  SQLite's own
 * `order by … limit` moves every row through its sorter, which costs as much as scoring it.
 */
static int64_t pick(struct stmt *s, struct candidate *v, size_t want, struct err *e)
{
	size_t n = 0;
	double least = 0;
	int rc;

	while ((rc = db_step(s, e)) == 1) {
		double score = -db_f64(s, 1);
		if (score <= least)
			continue;
		v[n++] = (struct candidate){ db_int(s, 0), score };
		if (n < 2 * want)
			continue;
		qsort(v, n, sizeof *v, best_first);
		n = want;
		least = v[n - 1].score;
	}
	qsort(v, n, sizeof *v, best_first);
	return rc ? -1 : (int64_t)(n < want ? n : want);
}

static struct stmt *matching(struct search *w, const char *match, struct err *e)
{
	const struct search_req *q = w->q;
	bool filtered = q->kinds.n || q->languages.n || (q->path_prefix && *q->path_prefix);
	struct stmt *s = filtered ?
	    db_prep(w->db, "select fts.rowid, code_rank(fts, ?5) from fts join docs d on d.id = fts.rowid"
	    " join files f on f.id = d.file left join symbols s on s.id = d.symbol where fts match ?1" FILTERS, e) :
	    db_prep(w->db, "select rowid, code_rank(fts, ?2) from fts where fts match ?1", e);

	if (s && filtered)
		bind(w, s, "ssssp", match);
	else if (s)
		db_bind(s, "Sp", match, w->ranking);
	return s;
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
		if (c->score > h->lexical)
			h->lexical = c->score;
	}
	return rc;
}

static int lexical(struct search *w, struct err *e)
{
	size_t want = w->limit * (w->files ? MORE_FILES : 1);
	struct candidate *v = arena_many(w->a, 2 * want, struct candidate);
	const char *match = question_match(&w->ask, w->a);
	struct stmt *s = match ? matching(w, match, e) : NULL;
	int64_t n = s ? pick(s, v, want, e) : match ? -1 : 0;
	int rc = n < 0 ? -1 : 0;

	for (int64_t i = 0; !rc && i < n; i++)
		rc = add_lexical(w, &v[i], e);
	return rc;
}

/* ---- by names ---- */

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

static int exact_word(struct search *w, const char *word, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select " COLUMNS " from symbols s join files f on f.id = s.file"
	    " left join docs d on d.symbol = s.id where s.key = ?1 and not f.generated" FILTERS " order by s.id limit 300", e);
	int rc;

	if (!s)
		return -1;
	bind(w, s, "ssss", symbol_key(symbol_last(word), w->a));
	while ((rc = db_step(s, e)) == 1) {
		double score = fit(word, db_str(s, 3), db_str(s, 4));
		struct hit *h = hit(w, s);
		score *= (double)prior_of(h->test, h->language) / PRIOR_FULL;
		if (score > h->exact)
			h->exact = score;
	}
	return rc;
}

static int exact(struct search *w, struct err *e)
{
	struct map *seen = map_new();
	int rc = 0;

	for (size_t i = 0; !rc && i < w->ask.nwords; i++) {
		void **at = map_at(seen, w->ask.words[i]);
		if (!*at)
			rc = exact_word(w, w->ask.words[i], e);
		*at = w;
	}
	map_free(seen);
	return rc;
}

static int compare(double x, double y, const struct hit *a, const struct hit *b)
{
	if (x != y)
		return x > y ? -1 : 1;
	int rc = strcmp(a->path, b->path);
	return rc ? rc : (a->start_line > b->start_line) - (a->start_line < b->start_line);
}

static int by_lexical(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->lexical, y->lexical, x, y);
}

static int by_exact(const void *a, const void *b)
{
	const struct hit *x = *(struct hit *const *)a, *y = *(struct hit *const *)b;

	return compare(x->exact + x->lexical * 1e-4, y->exact + y->lexical * 1e-4, x, y);
}

/* The best of each list; what is not among them loses that score. */
static void best(struct search *w, struct search_res *out)
{
	size_t n = map_len(w->found);
	struct hit **v = arena_many(w->a, n + 1, struct hit *);

	for (size_t i = 0; i < n; i++)
		v[i] = map_val(w->found, i);
	qsort(v, n, sizeof *v, by_exact);
	for (size_t i = w->limit; i < n; i++)
		v[i]->exact = 0;
	qsort(v, n, sizeof *v, by_lexical);
	for (size_t i = w->limit; i < n; i++)
		v[i]->lexical = 0;
	out->hits.v = arena_many(w->a, w->limit * 2 + 1, struct hit);
	for (size_t i = 0; i < n; i++)
		if (v[i]->lexical > 0 || v[i]->exact > 0)
			out->hits.v[out->hits.n++] = *v[i];
	out->total = n;
}

int rpc_search(struct shard *shard, struct reader *r, const struct search_req *q, struct search_res *out,
    struct arena *a, struct err *e)
{
	struct search w = {
		.q = q, .ranking = &r->ranking, .db = r->db, .a = a, .limit = q->limit < 1 ? 1 : q->limit > LARGEST ? LARGEST : q->limit,
		.files = q->granularity && !strcmp(q->granularity, "file"), .found = map_new(),
	};

	(void)shard;
	memcpy(r->ranking.weights, weights, sizeof weights);
	int rc = question_read(&w.ask, q->query, w.db, w.ranking, a, e);
	if (!rc)
		rc = lexical(&w, e);
	if (!rc)
		rc = exact(&w, e);
	if (!rc)
		best(&w, out);
	map_free(w.found);
	return rc;
}
