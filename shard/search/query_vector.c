#include "shard/search/query_vector.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/index/index_reader.h"

static void set_state(struct search_res *out, const char *state, const char *message)
{
	out->vectors = state;
	out->vectors_message = message;
}

/* Whether the two can be compared; if not, `out` gets the reason. */
static bool comparable(const struct vectors *f, const struct index_reader *r,
    const struct search_req *q, struct search_res *out, struct arena *a)
{
	if (!r->embeds) {
		set_state(out, "none", "it has no embedder");
		return false;
	}
	if (!f) {
		set_state(out, "none", "it has no vectors yet");
		return false;
	}
	const char *fingerprint = f->head.fingerprint;
	if (strcmp(f->head.index, r->info.file)) {
		set_state(out, "building", "its vectors are still of the index before");
		return false;
	}
	if (q->embedder && *q->embedder && strcmp(q->embedder, fingerprint)) {
		set_state(out, "mismatch",
		    arena_printf(a, "its vectors are of %s, the query's of %s", fingerprint, q->embedder));
		return false;
	}
	if (q->vector.n != f->head.dim * sizeof(float)) {
		set_state(out, "mismatch",
		    arena_printf(a, "its vectors (%s) have %u numbers, the query's has %zu", fingerprint,
		        (unsigned)f->head.dim, q->vector.n / sizeof(float)));
		return false;
	}
	return true;
}

int vector_query_open(struct vector_query *n, struct index_reader *r, const struct search_req *q,
    struct search_res *out, struct arena *a, struct err *e)
{
	struct err why = { 0 };

	bool wanted = q->vector.n && q->mode && strcmp(q->mode, "lexical");
	if (!wanted)
		return 0;
	n->r = index_reader_ranking(r, e);
	if (!n->r)
		return -1;
	n->f = index_reader_vectors(r, &why);
	if (!comparable(n->f, r, q, out, a))
		return 0;
	float *query = arena_many(a, n->f->head.dim, float);
	memcpy(query, q->vector.p, q->vector.n);
	n->query = query;
	return 1;
}

void vector_query_report(
    const struct vector_query *n, size_t rows, struct search_res *out, struct arena *a)
{
	if (rows >= n->r->documents) {
		set_state(out, "complete", NULL);
		return;
	}
	set_state(out, "building",
	    arena_printf(a, "it has vectors of %zu of %llu documents", rows,
	        (unsigned long long)n->r->documents));
}
