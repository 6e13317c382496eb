#include "shard/search/search.h"

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/int_map.h"
#include "proto/db/db.h"
#include "shard/search/nearest_documents.h"

/* Steps the statement to its end, and sets the bits of the ids that it returns. */
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

/* The documents in files that pass the filters, as a bit set; NULL if all do. */
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

/* The documents that pass all filters. Reads every definition. */
static int select_kinds(struct search_context *w, size_t n, uint64_t **out, struct err *e)
{
	struct stmt *s = db_prep(w->db,
	    "select d.id from docs d join files f on f.id = d.file join symbols s on s.id = d.symbol"
	    " where ?1 is null" SEARCH_FILTERS_SQL,
	    e);

	const char *kinds = search_filter_list(&w->q->kinds, w->a);
	const char *languages = search_filter_list(&w->q->languages, w->a);

	*out = arena_many(w->a, n / 64 + 1, uint64_t);
	if (!s || db_bind(s, "nsss", kinds, languages, search_prefix(w)))
		return -1;
	return put_bits(s, n, *out, e);
}

/* Adds a document. Returns whether its text was not in the list yet. */
static bool add_near(struct search_context *w, const struct nearest_document *d)
{
	struct hit *h = search_hit(w, d->doc);

	if (d->score > h->near) {
		h->cosine = d->cosine;
		h->near = d->score;
	}
	return search_is_new(w, h);
}

/* Adds the cosines to the hits of other lists. */
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
	bool names_only = w->by_words && w->ask.literal;

	return !names_only && w->q->least_near < SEARCH_NOT;
}

/* Checks what the scan does not know about a document: kinds and phrases. */
static bool keep_near(struct search_context *w, int64_t doc)
{
	if (w->q->kinds.n && !search_passes(w, doc))
		return false;
	return !w->ask.nphrases || search_score(w, doc) > 0;
}

void search_fill_around(struct search_context *w, struct hit *const *v, size_t n)
{
	uint64_t *docs = arena_many(w->a, n + 1, uint64_t);
	double *around = arena_many(w->a, n + 1, double);

	if (!w->near.query)
		return;
	for (size_t i = 0; i < n; i++) {
		docs[i] = UINT64_MAX;	/* no document */
		if (v[i]->doc)
			docs[i] = v[i]->doc;
	}
	nearest_documents_file_scores(w->near.f, w->near.r, w->near.query, docs, n, w->a, around);
	for (size_t i = 0; i < n; i++)
		v[i]->around = around[i];
}

/* Adds the nearest documents until enough texts are found. Returns how many documents were read. */
static size_t add_nearest(
    struct search_context *w, const struct nearest_documents *l, size_t *texts)
{
	size_t i = 0;

	*texts = 0;
	search_begin_count(w);
	while (i < l->n && *texts <= w->limit && l->v[i].score >= w->q->least_near) {
		if (keep_near(w, l->v[i].doc))
			*texts += add_near(w, &l->v[i]);
		i++;
	}
	return i;
}

/* Finds the nearest documents, more and more of them until there are enough texts. */
static int find_nearest(
    struct search_context *w, const struct vector_query *n, uint64_t *keep, struct err *e)
{
	struct nearest_documents best;
	bool narrowed = false;	/* to the kinds of the request */
	size_t texts = 0, per_file = 1;

	if (w->files)
		per_file = NEAREST_PER_FILE;
	size_t first = w->limit * per_file + 1;
	/* half as many more are searched for, as some may be the same text */
	for (size_t want = first + first / 2; texts <= w->limit; want *= 2) {
		nearest_documents_find(n->f, n->r, n->query, keep, want, w->a, &best);
		size_t read = add_nearest(w, &best, &texts);
		if (best.n < want || read < best.n || e->code)
			break;
		bool narrow = w->q->kinds.n && !narrowed && texts <= w->limit;
		if (narrow && select_kinds(w, n->r->n, &keep, e))
			return -1;
		narrowed = true;
	}
	return 0;
}

int search_by_vector(struct search_context *w, struct search_res *out, struct err *e)
{
	struct vector_query *n = &w->near;
	uint64_t *keep;
	int rc = vector_query_open(n, w->r, w->q, out, w->a, e);

	if (rc <= 0)
		return rc;
	if (select_files(w, n->r->n, &keep, e))
		return -1;
	n->r = w->ranking;
	if (wants_near(w) && find_nearest(w, n, keep, e))
		return -1;
	add_cosines(w, n);
	vector_query_report(n, nearest_documents_count(n->f, n->r), out, w->a);
	return 0;
}
