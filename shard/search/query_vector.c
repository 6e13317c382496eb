#include "shard/search/query_vector.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/index/index_reader.h"

static void say(struct search_res *out, const char *state, const char *message)
{
	out->vectors = state;
	out->vectors_message = message;
}

/* What keeps the two from being compared, in `out`. */
static bool comparable(const struct vectors *f, const struct index_reader *r,
    const struct search_req *q, struct search_res *out, struct arena *a)
{
	if (!r->embeds)
		say(out, "none", "it has no embedder");
	else if (!f)
		say(out, "none", "it has no vectors yet");
	else if (strcmp(f->head.index, r->info.file))
		say(out, "building", "its vectors are still of the index before");
	else if (q->embedder && *q->embedder && strcmp(q->embedder, f->head.fingerprint))
		say(out, "mismatch",
		    arena_printf(
		        a, "its vectors are of %s, the query's of %s", f->head.fingerprint, q->embedder));
	else if (q->vector.n != f->head.dim * sizeof(float))
		say(out, "mismatch",
		    arena_printf(a, "its vectors (%s) have %u numbers, the query's has %zu",
		        f->head.fingerprint, (unsigned)f->head.dim, q->vector.n / sizeof(float)));
	return !out->vectors;
}

int vector_query_open(struct vector_query *n, struct index_reader *r, const struct search_req *q,
    struct search_res *out, struct arena *a, struct err *e)
{
	struct err why = { 0 };

	if (!q->vector.n || !q->mode || !strcmp(q->mode, "lexical"))
		return 0;
	if (!(n->r = index_reader_ranking(r, e)))
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
	bool all = rows >= n->r->documents;

	say(out, all ? "complete" : "building",
	    all ? NULL : arena_printf(a, "it has vectors of %zu of %llu documents", rows,
	    (unsigned long long)n->r->documents));
}
