#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/handlers/impact_analysis.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/search/symbol_lookup.h"

enum {
	DEEPEST = 10,
	WALK_PERCENT = 60	/* of the time; then come routes, uncertainties and the answer */
};

/* The number of definitions of this depth that earlier pages have. */
static uint64_t start_of(const struct impact_req *q, uint32_t depth)
{
	for (size_t i = 0; i < q->starts.n; i++)
		if (q->starts.v[i].list == depth)
			return q->starts.v[i].at;
	return 0;
}

static void put_levels(const struct graph_traversal *w, const struct impact_req *q,
    struct impact_res *out, struct arena *a)
{
	out->by_depth.v = arena_many(a, DEEPEST, struct level);
	for (size_t i = 0; i < w->n; i++) {
		struct level *l = &out->by_depth.v[w->v[i].depth - 1];
		if (!l->depth) {
			l->depth = w->v[i].depth;
			l->affected.v = arena_many(a, MIN(w->n - i, q->limit), struct related);
			out->by_depth.n = w->v[i].depth;
		}
		if (l->total++ < start_of(q, l->depth))
			continue;
		if (l->affected.n == q->limit) {
			out->more = true;
			continue;
		}
		l->affected.v[l->affected.n] = w->v[i].by.r;
		l->affected.v[l->affected.n++].signature = NULL;	/* only names are of interest */
	}
}

static int add_target_starts(struct index_reader *r, const struct symbol_target *t,
    struct impact *x, struct arena *a, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < t->nids; i++)
		rc = impact_add_start(x, r->db, (struct graph_node){ t->file, t->ids[i] },
		    t->symbol->qualified, t->symbol->path, a, e);
	return rc;
}

static int add_line_start(struct index_reader *r, const struct position *p, struct impact *x,
    struct arena *a, struct err *e)
{
	struct graph_node node;

	if (symbol_lookup_line(r->db, p->path, p->line, &node.file, &node.symbol, e))
		return -1;
	return impact_add_start(x, r->db, node, NULL, p->path, a, e);
}

static int add_line_starts(struct index_reader *r, const struct impact_req *q, struct impact *x,
    struct arena *a, struct err *e)
{
	for (size_t i = 0; i < q->spots.n; i++)
		if (add_line_start(r, &q->spots.v[i], x, a, e))
			return -1;
	return 0;
}

static int check(const struct impact_req *q, struct err *e)
{
	bool has_symbol = q->symbol && *q->symbol;
	bool in_range = q->min_confidence >= 0 && q->min_confidence <= 1;

	if (q->depth < 1 || q->depth > DEEPEST)
		return err_set(e, ERR_INVALID_INPUT, "depth: %llu; it must be between 1 and %d",
		    (unsigned long long)q->depth, DEEPEST);
	if (!in_range)
		return err_set(e, ERR_INVALID_INPUT, "min_confidence: it must be between 0 and 1");
	if (has_symbol == (q->spots.n > 0))
		return err_set(e, ERR_INVALID_INPUT, "symbol: give a name, a qualified name or an id");
	return 0;
}

int rpc_impact(struct shard *shard, struct index_reader *r, const struct impact_req *q,
    struct impact_res *out, struct arena *a, struct err *e)
{
	const struct symbol_query asked = { q->symbol, q->path, q->kind,
		index_reader_until(r, SIMILAR_NAMES_PERCENT) };
	struct impact x = { .walk = { .downstream = q->downstream,
		                    .depth = (uint32_t)q->depth,
		                    .min = (int)(q->min_confidence * 100 + 0.5),
		                    .most = IMPACT_NODES_MAX,
		                    .touching = GRAPH_DEPENDS | GRAPH_BIT(TESTS),
		                    .limit.until_ms = index_reader_until(r, WALK_PERCENT) } };
	struct symbol_target *t = arena_one(a, struct symbol_target);

	(void)shard;
	if (check(q, e))
		return -1;
	if (!q->spots.n && symbol_lookup_target(r->db, &asked, q->limit, t, a, e))
		return -1;
	out->total = t->total;
	out->target = (struct symbol *)t->symbol;
	out->candidates.v = t->candidates;
	out->candidates.n = t->ncandidates;
	if (!t->symbol && !q->spots.n)
		return 0;
	int rc;
	if (q->spots.n)
		rc = add_line_starts(r, q, &x, a, e);
	else
		rc = add_target_starts(r, t, &x, a, e);
	if (!rc)
		rc = impact_run(&x, r->db, a, e);
	if (!rc) {
		put_levels(&x.walk, q, out, a);
		out->stopped = x.walk.stopped || x.walk.unchecked;
		out->routes.v = x.routes.v;
		out->routes.n = x.routes.n;
		out->reach = arena_one(a, struct reach);
		*out->reach = x.reach;
		rc = impact_uncertainties(&x, r, t->symbol, &out->reasons, a, e);
	}
	impact_free(&x);
	return rc;
}
