/*
 * The statistics of this index: with them a coordinator scores all members alike, and skips members
 * that cannot answer.
 */
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "proto/text/bloom_filter.h"
#include "proto/text/question.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/index/postings.h"
#include "shard/storage/symbol_store.h"
#include "shard/trigrams/text_sketch.h"

static int count(struct db *db, struct term_count *t, struct err *e)
{
	if (*t->term == QUESTION_NAME_MARK)
		return symbols_count_files(db, t->term + 1, &t->documents, e);
	return postings_count_documents(db, t->term, &t->documents, e);
}

int rpc_stats(struct shard *shard, struct index_reader *r, const struct stats_req *q,
    struct stats_res *out, struct arena *a, struct err *e)
{
	const struct ranking *ranking = index_reader_ranking(r, e);

	(void)shard;
	if (!ranking)
		return -1;
	out->documents = ranking->documents;
	out->words = ranking->words;
	out->terms.v = arena_many(a, q->terms.n + 1, struct term_count);
	for (size_t i = 0; i < q->terms.n; i++) {
		struct term_count *t = &out->terms.v[out->terms.n++];
		t->term = q->terms.v[i];
		if (count(r->db, t, e))
			return -1;
	}
	return 0;
}

/* ---- the sketch ---- */

enum {
	SKETCH_MAX = 4 << 20,		/* bytes; an index with more words is never skipped */
	UNSORTED_MAX = 1 << 20		/* hashes that are added before equal ones are removed */
};

struct hash_list {
	uint64_t *v;
	size_t n, cap;
	size_t sorted;		/* the first ones are sorted, and each is there once */
};

static void remove_duplicates(struct hash_list *h)
{
	size_t n = 0;

	sort_hashes(h->v, h->n, 64);
	for (size_t i = 0; i < h->n; i++)
		if (!n || h->v[n - 1] != h->v[i])
			h->v[n++] = h->v[i];
	h->n = h->sorted = n;
}

/* Returns whether a sketch may still have room for more: a large index is not read in vain. */
static bool add(struct hash_list *h, uint64_t hash)
{
	h->v = grow(h->v, &h->cap, h->n + 1, sizeof *h->v);
	h->v[h->n++] = hash;
	if (h->n - h->sorted >= UNSORTED_MAX)
		remove_duplicates(h);
	return bloom_size(h->sorted) <= SKETCH_MAX;
}

static bool add_term(void *arg, const char *term)
{
	return add(arg, bloom_hash(term));
}

/* Adds the names of files that are left out: no document contains them. */
static int add_left_out(struct db *db, struct hash_list *h, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select m.key from left_out f cross join minor_symbols m on m.file = f.id", e);
	int rc = -1;
	bool room = true;

	while (s && room && (rc = db_step(s, e)) == 1)
		room = add(h, bloom_hash_key(db_str(s, 0)));
	return room ? rc : 0;
}

/*
 * Adds the keys of the symbols and their beginnings.  Minor names are words of the documents, except
 * in generated code, which has none.
 */
static int add_keys(struct db *db, struct hash_list *h, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select distinct key from (select key from symbols union all select m.key from files f"
	    " cross join minor_symbols m on m.file = f.id where f.generated)",
	    e);
	int rc = -1;
	bool room = true;

	while (s && room && (rc = db_step(s, e)) == 1) {
		uint64_t hashes[BLOOM_BEGINNINGS];
		size_t n = bloom_hash_beginnings(db_str(s, 0), hashes);
		room = add(h, bloom_hash_key(db_str(s, 0)));
		for (size_t i = 0; i < n && room; i++)
			room = add(h, hashes[i]);
	}
	return room ? rc : 0;
}

int rpc_sketch(struct shard *shard, struct index_reader *r, const struct nothing *q,
    struct sketch_res *out, struct arena *a, struct err *e)
{
	struct hash_list h = { 0 };

	(void)shard, (void)q;
	int rc = postings_terms(r->db, add_term, &h, e);
	if (!rc && bloom_size(h.sorted) <= SKETCH_MAX)
		rc = add_keys(r->db, &h, e);
	if (!rc && bloom_size(h.sorted) <= SKETCH_MAX)
		rc = add_left_out(r->db, &h, e);
	remove_duplicates(&h);
	size_t size = bloom_size(h.n);
	if (!rc && size <= SKETCH_MAX) {
		uint8_t *sketch = arena_get(a, size, 1);
		for (size_t i = 0; i < h.n; i++)
			bloom_add(sketch, size, h.v[i]);
		out->words = (struct bytes){ sketch, size };
		out->beginnings = true;
	}
	free(h.v);
	if (!rc)
		rc = text_sketch_make(r->db, a, &out->grams, e);
	return rc;
}
