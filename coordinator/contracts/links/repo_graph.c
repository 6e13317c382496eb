#include "coordinator/contracts/links/repo_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/*
 * PageRank (Page, Brin, Motwani, Winograd: The PageRank Citation Ranking, 1999) over "depends on",
 * with one edge for each pair: a repository ranks higher if those that depend on it rank high.  The
 * damping is theirs; a repository without dependencies shares its rank among all.
 */
enum { ROUNDS = 60 };
static const double damping = 0.85;

struct graph {
	struct repo_node *v;	/* ordered by repo_uri */
	size_t n;
	struct { size_t *v; size_t n; } *to;	/* for each node, those that it depends on */
	struct arena *a;
	/* Tarjan's strongly connected components */
	size_t *seen, *low, *stack, depth, count;
	bool *open;
	struct repo_graph_out *out;
};

static int by_uri(const void *x, const void *y)
{
	return strcmp(((const struct repo_node *)x)->repo_uri, ((const struct repo_node *)y)->repo_uri);
}

static int by_rank(const void *x, const void *y)
{
	const struct repo_node *a = x, *b = y;
	int c = (a->rank < b->rank) - (a->rank > b->rank);

	if (c)
		return c;
	return by_uri(x, y);
}

static int by_size(const void *x, const void *y)
{
	const struct repo_cycle *a = x, *b = y;
	int c = (a->repos.n < b->repos.n) - (a->repos.n > b->repos.n);

	if (c)
		return c;
	return strcmp(a->repos.v[0], b->repos.v[0]);
}

static struct repo_node *node(const struct graph *g, const char *uri)
{
	struct repo_node key = { .repo_uri = uri };

	if (!g->n)
		return NULL;
	return bsearch(&key, g->v, g->n, sizeof key, by_uri);
}

/* ---- edges ---- */

static bool same_pair(const struct contract_pair *a, const struct contract_pair *b)
{
	return !strcmp(a->consumer, b->consumer) && !strcmp(a->producer, b->producer);
}

static void add_edge(struct graph *g, const struct contract_pair *v, size_t n)
{
	struct repo_node *from = node(g, v->consumer), *to = node(g, v->producer);
	struct repo_edge e = { .source = v->consumer, .target = v->producer };

	e.relations.v = arena_many(g->a, n, struct relation_count);
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(v[i].kind, "depends_on"))
			e.depends = true;
		else if (strcmp(v[i].kind, "consumer_of"))
			e.relations.v[e.relations.n++] = (struct relation_count){ v[i].kind, v[i].calls };
	}
	bool both_known = from && to && from != to;
	if (!both_known || !e.relations.n)
		return;
	g->out->edges.v[g->out->edges.n++] = e;
	if (!e.depends)
		return;
	from->depends_on++;
	to->needed_by++;
	size_t i = (size_t)(from - g->v);
	if (!g->to[i].v)
		g->to[i].v = arena_many(g->a, g->n, size_t);
	g->to[i].v[g->to[i].n++] = (size_t)(to - g->v);
}

/* ---- rank ---- */

static void rank(struct graph *g)
{
	double *now = arena_many(g->a, g->n + 1, double);
	double *next = arena_many(g->a, g->n + 1, double);
	double n = (double)g->n;
	for (size_t i = 0; i < g->n; i++)
		now[i] = 1 / n;
	for (int round = 0; round < ROUNDS; round++) {
		double loose = 0;
		for (size_t i = 0; i < g->n; i++)
			if (!g->to[i].n)
				loose += now[i];
		for (size_t i = 0; i < g->n; i++)
			next[i] = (1 - damping + damping * loose) / n;
		for (size_t i = 0; i < g->n; i++)
			for (size_t k = 0; k < g->to[i].n; k++)
				next[g->to[i].v[k]] += damping * now[i] / (double)g->to[i].n;
		double *x = now;
		now = next;
		next = x;
	}
	for (size_t i = 0; i < g->n; i++)
		g->v[i].rank = round(now[i] * 1e6) / 1e6;
}

/* ---- cycles ---- */

static void component(struct graph *g, size_t root)
{
	struct repo_cycle c = { 0 };
	size_t from = g->depth - 1;

	while (g->stack[from] != root)
		from--;
	c.repos.v = arena_many(g->a, g->depth - from, const char *);
	for (size_t i = 0; i < g->n; i++)	/* in order of repo_uri */
		for (size_t k = from; k < g->depth; k++)
			if (g->stack[k] == i)
				c.repos.v[c.repos.n++] = g->v[i].repo_uri;
	for (size_t k = from; k < g->depth; k++)
		g->open[g->stack[k]] = false;
	g->depth = from;
	if (c.repos.n > 1)
		g->out->cycles.v[g->out->cycles.n++] = c;
}

static void visit(struct graph *g, size_t i)
{
	g->seen[i] = g->low[i] = ++g->count;
	g->stack[g->depth++] = i;
	g->open[i] = true;
	for (size_t k = 0; k < g->to[i].n; k++) {
		size_t j = g->to[i].v[k];
		if (!g->seen[j])
			visit(g, j);
		if (g->open[j] && g->low[j] < g->low[i])
			g->low[i] = g->low[j];
	}
	if (g->low[i] == g->seen[i])
		component(g, i);
}

static void cycles(struct graph *g)
{
	struct repo_graph_out *out = g->out;

	out->cycles.v = arena_many(g->a, g->n + 1, struct repo_cycle);
	g->seen = arena_many(g->a, g->n + 1, size_t);
	g->low = arena_many(g->a, g->n + 1, size_t);
	g->stack = arena_many(g->a, g->n + 1, size_t);
	g->open = arena_many(g->a, g->n + 1, bool);
	for (size_t i = 0; i < g->n; i++)
		if (!g->seen[i])
			visit(g, i);
	if (out->cycles.n)
		qsort(out->cycles.v, out->cycles.n, sizeof *out->cycles.v, by_size);
	for (size_t i = 0; i < out->cycles.n; i++)
		for (size_t k = 0; k < out->cycles.v[i].repos.n; k++)
			node(g, out->cycles.v[i].repos.v[k])->cycle = i + 1;
}

void repo_graph_build(const struct repo_node *nodes, size_t n, const struct contract_pair *pairs,
    size_t npairs, struct arena *a, struct repo_graph_out *out)
{
	struct graph g = { .v = arena_many(a, n + 1, struct repo_node), .n = n, .a = a, .out = out };

	g.to = arena_get(a, n + 1, sizeof *g.to);
	if (n) {
		memcpy(g.v, nodes, n * sizeof *nodes);
		qsort(g.v, n, sizeof *g.v, by_uri);
	}
	out->edges.v = arena_many(a, npairs + 1, struct repo_edge);
	for (size_t i = 0, end; i < npairs; i = end) {
		end = i + 1;
		while (end < npairs && same_pair(&pairs[i], &pairs[end]))
			end++;
		add_edge(&g, &pairs[i], end - i);
	}
	cycles(&g);
	rank(&g);
	if (n)
		qsort(g.v, n, sizeof *g.v, by_rank);
	out->repos.v = g.v;
	out->repos.n = n;
}
