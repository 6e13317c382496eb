#include "shard/search/search.h"

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/int_map.h"
#include "proto/db/db.h"
#include "shard/search/nearest_documents.h"

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
static int select_files(struct search_context *w, size_t n, uint64_t **out, struct err *e)
{
	*out = NULL;
	if (!w->q->languages.n && !search_prefix(w))
		return 0;
	struct stmt *s = db_prep(w->db,
	    "select d.id from files f cross join documents d on d.file = f.id"
	    " where (?1 is null or instr(?1, '|' || f.language || '|'))"
	    " and (?2 is null or substr(f.path, 1, length(?2)) = ?2)",
	    e);
	*out = arena_many(w->a, n / 64 + 1, uint64_t);
	if (!s || db_bind(s, "ss", search_filter_list(&w->q->languages, w->a), search_prefix(w)))
		return -1;
	return put_bits(s, n, *out, e);
}

/* Those that pass all of them.  It reads every definition. */
static int select_kinds(struct search_context *w, size_t n, uint64_t **out, struct err *e)
{
	struct stmt *s = db_prep(w->db,
	    "select d.id from docs d join files f on f.id = d.file join symbols s on s.id = d.symbol"
	    " where ?1 is null" SEARCH_FILTERS_SQL,
	    e);

	*out = arena_many(w->a, n / 64 + 1, uint64_t);
	if (!s ||
	    db_bind(s, "nsss", search_filter_list(&w->q->kinds, w->a),
	        search_filter_list(&w->q->languages, w->a), search_prefix(w)))
		return -1;
	return put_bits(s, n, *out, e);
}

/* Add a document; whether its text was not in the list yet. */
static bool add_near(struct search_context *w, const struct nearest_document *d)
{
	struct hit *h = search_hit(w, d->doc);

	if (d->score > h->near) {
		h->cosine = d->cosine;
		h->near = d->score;
	}
	return search_is_new(w, h);
}

/* The cosines of what other lists found. */
static void add_cosines(struct search_context *w, const struct vector_query *n)
{
	size_t all = int_map_len(w->found), k = 0;
	struct nearest_document *v = arena_many(w->a, all + 1, struct nearest_document);
	struct hit **of = arena_many(w->a, all + 1, struct hit *);

	for (size_t i = 0; i < all; i++) {
		struct hit *h = int_map_val(w->found, i);
		of[k] = h;
		if (h->doc && h->near == 0)
			v[k++] = (struct nearest_document){ .doc = (int64_t)h->doc };
	}
	nearest_documents_rescore(n->f, n->r, n->query, v, k);
	for (size_t i = 0; i < k; i++) {
		of[i]->cosine = v[i].cosine;
		of[i]->near = v[i].score;
	}
}

static bool wants_near(const struct search_context *w)
{
	return !(w->by_words && w->ask.literal) && w->q->least_near < SEARCH_NOT;
}

/* What the scan does not know of a document. */
static bool keep_near(struct search_context *w, int64_t doc)
{
	return (!w->q->kinds.n || search_passes(w, doc)) &&
	    (!w->ask.nphrases || search_score(w, doc) > 0);
}

void search_fill_around(struct search_context *w, struct hit *const *v, size_t n)
{
	uint64_t *docs = arena_many(w->a, n + 1, uint64_t);
	double *around = arena_many(w->a, n + 1, double);

	if (!w->near.query)
		return;
	for (size_t i = 0; i < n; i++) {
		if (v[i]->doc)
			docs[i] = v[i]->doc;
		else
			docs[i] = UINT64_MAX;
	}
	nearest_documents_file_scores(w->near.f, w->near.r, w->near.query, docs, n, w->a, around);
	for (size_t i = 0; i < n; i++)
		v[i]->around = around[i];
}

int search_by_vector(struct search_context *w, struct search_res *out, struct err *e)
{
	struct nearest_documents best;
	struct vector_query *n = &w->near;
	uint64_t *keep;
	bool seldom = false;	/* what has the right kind */
	int rc = vector_query_open(n, w->r, w->q, out, w->a, e);

	if (rc <= 0 || select_files(w, n->r->n, &keep, e))
		return rc > 0 ? -1 : rc;
	n->r = w->ranking;
	size_t texts = 0;	/* half as many more are looked for: some may be the same text */
	size_t first = w->limit * (w->files ? NEAREST_PER_FILE : 1) + 1;
	for (size_t want = first + first / 2; wants_near(w) && texts <= w->limit; want *= 2) {
		nearest_documents_find(n->f, n->r, n->query, keep, want, w->a, &best);
		search_begin_count(w);
		texts = 0;
		size_t i = 0;
		for (; i < best.n && texts <= w->limit && best.v[i].score >= w->q->least_near; i++)
			texts += keep_near(w, best.v[i].doc) && add_near(w, &best.v[i]);
		if (best.n < want || i < best.n || e->code)
			break;
		if (w->q->kinds.n && !seldom && texts <= w->limit && select_kinds(w, n->r->n, &keep, e))
			return -1;
		seldom = true;
	}
	add_cosines(w, n);
	vector_query_report(n, nearest_documents_count(n->f, n->r), out, w->a);
	return 0;
}
