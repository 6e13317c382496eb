#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/git/owners.h"
#include "shard/graph/graph_query.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/handlers/served_routes.h"
#include "shard/search/symbol_lookup.h"

enum { OWNERS = 3 };

/* the tool `owners` reads more of the history */
static const struct owners_limits recent = { 400, 20, 1000 };

struct related_list {
	struct related *v;
	size_t n;
};

/*
 * The lists of edges. `file`: of the definition's file, not of the definition; `tests`: only from
 * test code.
 */
static const struct edge_view {
	size_t list, total;
	bool incoming, file, tests;
	unsigned kinds;
} views[] = {
#define VIEW(name, ...) \
	{ offsetof(struct context_res, name), offsetof(struct context_totals, name), __VA_ARGS__ }
	VIEW(callers, .incoming = true, .kinds = GRAPH_BIT(CALLS)),
	VIEW(callees, .kinds = GRAPH_BIT(CALLS)),
	VIEW(references, .incoming = true, .kinds = GRAPH_BIT(REFERENCES)),
	VIEW(uses, .kinds = GRAPH_BIT(REFERENCES)),
	VIEW(imports, .file = true, .kinds = GRAPH_BIT(IMPORTS)),
	VIEW(imported_by, .incoming = true, .kinds = GRAPH_BIT(IMPORTS)),
	VIEW(implements, .kinds = GRAPH_BIT(EXTENDS) | GRAPH_BIT(IMPLEMENTS) | GRAPH_BIT(OVERRIDES)),
	VIEW(implemented_by, .incoming = true,
	    .kinds = GRAPH_BIT(EXTENDS) | GRAPH_BIT(IMPLEMENTS) | GRAPH_BIT(OVERRIDES)),
	VIEW(tests, .incoming = true, .tests = true,
	    .kinds = GRAPH_BIT(TESTS) | GRAPH_BIT(CALLS) | GRAPH_BIT(REFERENCES)),
#undef VIEW
};

struct context_subject {
	const struct symbol_target *t;
	/* the target, and the constructors of a type: code that makes an object uses the type */
	struct graph_node *nodes;
	size_t n, own;		/* the first `own` are the target */
};

static void put_list(struct context_res *out, const struct edge_view *v,
    const struct neighbours *found, size_t limit, struct arena *a)
{
	struct related_list *l = (struct related_list *)((char *)out + v->list);

	*(t_u64 *)((char *)out->totals + v->total) = found->n;
	l->v = arena_many(a, MIN(found->n, limit), struct related);
	for (; l->n < found->n && l->n < limit; l->n++)
		l->v[l->n] = found->v[l->n].r;
}

/* Keeps only test code, each once, whatever the kind of edge. */
static void keep_tests(struct neighbours *found)
{
	size_t k = 0;

	for (size_t i = 0; i < found->n; i++)
		if (found->v[i].r.test) {
			found->v[k] = found->v[i];
			found->v[k].kind = GRAPH_TESTS;
			found->v[k++].r.relation = graph_kind_name(GRAPH_TESTS);
		}
	found->n = k;
}

static int find_neighbours(struct db *db, const struct context_subject *s,
    const struct edge_view *v, struct neighbours *found, struct arena *a, struct err *e)
{
	const struct graph_node file = { s->t->file, 0 };
	size_t n = s->own;
	int rc = 0;

	if (v->file)
		return graph_neighbours(db, file, v->incoming, v->kinds, 0, found, a, e);
	if (v->incoming)
		n = s->n;
	for (size_t i = 0; !rc && i < n; i++)
		rc = graph_neighbours(db, s->nodes[i], v->incoming, v->kinds, 0, found, a, e);
	return rc;
}

static int fill_view(struct db *db, const struct context_subject *s, const struct edge_view *v,
    size_t limit, struct context_res *out, struct arena *a, struct err *e)
{
	struct neighbours found = { 0 };
	int rc = find_neighbours(db, s, v, &found, a, e);

	if (!rc) {
		if (v->tests)
			keep_tests(&found);
		graph_merge_neighbours(&found);
		for (size_t i = 0; v->tests && i < found.n; i++)
			found.v[i].r.times = 0;	/* a call and the test of it are one */
		put_list(out, v, &found, limit, a);
	}
	free(found.v);
	return rc;
}

static int fill_members(struct db *db, const struct symbol_target *t, size_t limit,
    struct context_res *out, struct context_subject *s, struct arena *a, struct err *e)
{
	static const struct edge_view v = { offsetof(struct context_res, members),
		offsetof(struct context_totals, members), .incoming = false };
	struct neighbours found = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < t->nids; i++)
		rc = graph_members(db, (struct graph_node){ t->file, t->ids[i] }, &found, a, e);
	s->nodes = arena_many(a, t->nids + found.n, struct graph_node);
	for (size_t i = 0; i < t->nids; i++)
		s->nodes[s->n++] = (struct graph_node){ t->file, t->ids[i] };
	s->own = s->n;
	for (size_t i = 0; i < found.n; i++)
		if (!strcmp(found.v[i].r.kind, "constructor"))
			s->nodes[s->n++] = found.v[i].node;
	if (!rc)
		put_list(out, &v, &found, limit, a);
	free(found.v);
	return rc;
}

static int fill_routes(struct db *db, const struct context_subject *s, struct context_res *out,
    struct arena *a, struct err *e)
{
	const struct symbol *y = s->t->symbol;
	struct neighbours found = { 0 };
	struct route_list routes = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < s->own; i++)
		rc = graph_neighbours(db, s->nodes[i], true, GRAPH_BIT(REFERENCES), 50, &found, a, e);
	struct reached_definition *v = arena_many(a, found.n + 1, struct reached_definition);
	v[0] = (struct reached_definition){
		.node = s->nodes[0], .qualified = y->qualified, .path = y->path
	};
	/* where it is registered, without other routes that are handled there */
	for (size_t i = 0; i < found.n; i++)
		v[i + 1] = (struct reached_definition){ .node = { found.v[i].node.file, 0 },
			.qualified = "",
			.path = found.v[i].r.path,
			.line = found.v[i].r.at_line,
			.depth = 1 };
	if (!rc)
		rc = served_routes(db, v, found.n + 1, &routes, a, e);
	out->routes.v = routes.v;
	out->routes.n = routes.n;
	free(found.v);
	return rc;
}

static int fill_owners(struct index_reader *r, const char *path, struct context_res *out,
    struct arena *a, struct err *e)
{
	struct owners_res owners = { 0 };
	struct repo *repo = index_reader_repo(r, e);

	if (!repo || owners_find(repo, r->info.commit, path, &recent, OWNERS, &owners, a, e))
		return -1;
	out->owners.v = owners.owners.v;
	out->owners.n = owners.owners.n;
	return 0;
}

int rpc_context(struct shard *shard, struct index_reader *r, const struct context_req *q,
    struct context_res *out, struct arena *a, struct err *e)
{
	const struct symbol_query asked = { q->symbol, q->path, q->kind };
	struct symbol_target *t = arena_one(a, struct symbol_target);
	struct context_subject s = { .t = t };
	int rc = 0;

	(void)shard;
	if (symbol_lookup_target(r->db, &asked, q->limit, t, a, e))
		return -1;
	out->total = t->total;
	out->target = (struct symbol *)t->symbol;
	out->candidates.v = t->candidates;
	out->candidates.n = t->ncandidates;
	if (!t->symbol)
		return 0;
	out->totals = arena_one(a, struct context_totals);
	if (fill_members(r->db, t, q->limit, out, &s, a, e))
		return -1;
	for (size_t i = 0; !rc && i < LEN(views); i++)
		rc = fill_view(r->db, &s, &views[i], q->limit, out, a, e);
	if (rc)
		return -1;
	if (fill_routes(r->db, &s, out, a, e))
		return -1;
	return fill_owners(r, t->symbol->path, out, a, e);
}
