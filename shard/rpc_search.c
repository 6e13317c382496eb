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
#include "shard/repo.h"
#include "shard/rpc.h"
#include "shard/symbol.h"
#include "shard/text.h"

/*
 * Two lists: `lexical` by BM25 over the documents, `exact` by names of symbols.  A hit in both carries both scores.
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
	struct map *found;	/* document or file -> struct hit */
	size_t checked;
	struct err *e;		/* of what rank_documents calls */
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

static const char *prefix(const struct search *w)
{
	return w->q->path_prefix && *w->q->path_prefix ? w->q->path_prefix : NULL;
}

/* Make `h` the row's place, without scores. */
static void set_place(struct search *w, struct stmt *s, const char *path, struct hit *h)
{
	*h = (struct hit){
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
	struct hit *h = arena_one(w->a, struct hit);
	set_place(w, s, path, h);
	return *at = h;
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
	struct stmt *s = db_prep(w->db, "select s.qualified, s.signature, " SYMBOL_DOC ", f.path, f.blob, d.start_line, d.end_line"
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
			set_place(w, s, h->path, h);
		if (c->score > h->lexical || !h->lexical)
			h->lexical = c->score;
	}
	return rc;
}

static int lexical(struct search *w, struct err *e)
{
	struct rank_request q = { .terms = w->ask.terms, .nterms = w->ask.nterms, .all = w->ask.nphrases > 0,
		.want = w->limit * (w->files ? MORE_FILES : 1), .keep = keep, .arg = w };
	struct ranking *ranking = reader_ranking(w->r, e);
	struct candidates best;
	int rc = ranking ? rank_documents(w->db, ranking, &q, w->a, &best, e) : -1;

	rc = rc || e->code ? -1 : 0;
	for (size_t i = 0; !rc && i < best.n; i++)
		rc = add_lexical(w, &best.v[i], e);
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
	    " left join docs d on d.file = s.file and d.symbol = s.id where s.key = ?1 and s.kind <> 'section' and not f.generated" FILTERS
	    " order by f.path, s.start_byte, s.qualified, s.kind, s.ordinal, d.start_line limit 300", e);
	int rc;

	if (!s)
		return -1;
	db_bind(s, "ssss", symbol_key(symbol_last(word), w->a), bars(&w->q->kinds, w->a), bars(&w->q->languages, w->a), prefix(w));
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
	if (rc || a->start_line != b->start_line)
		return rc ? rc : a->start_line < b->start_line ? -1 : 1;
	return strcmp(a->qualified ? a->qualified : "", b->qualified ? b->qualified : "");
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
		.q = q, .r = r, .db = r->db, .a = a, .limit = q->limit < 1 ? 1 : q->limit > LARGEST ? LARGEST : q->limit,
		.files = q->granularity && !strcmp(q->granularity, "file"), .found = map_new(), .e = e,
	};

	(void)shard;
	int rc = question_read(&w.ask, q->query, a, e);
	struct ranking *ranking = rc ? NULL : reader_ranking(r, e);
	rc = ranking ? question_weigh(&w.ask, w.db, ranking, e) : -1;
	if (!rc)
		rc = lexical(&w, e);
	if (!rc)
		rc = exact(&w, e);
	if (!rc)
		best(&w, out);
	map_free(w.found);
	return rc;
}
