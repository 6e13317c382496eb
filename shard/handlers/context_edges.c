#include "shard/handlers/context_edges.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/graph/edge_scan.h"

enum { NAMED_CONFIDENCE = 50 };

/*
 * The lists of edges. `file`: of the definition's file, not of the definition; `tests`: only from
 * test code.
 */
static const struct edge_view {
	size_t total;
	bool incoming, file, tests;
	unsigned kinds;
} views[] = {
#define VIEW(name, ...) { offsetof(struct context_totals, name), __VA_ARGS__ }
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

/* The kinds that any list wants in this direction, of the definition or of its file. */
static unsigned kinds_of_views(bool incoming, bool file)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < LEN(views); i++)
		if (views[i].incoming == incoming && views[i].file == file)
			kinds |= views[i].kinds;
	return kinds;
}

/* The subjects of the scan: the nodes, and last the file, unless the target is the file. */
static size_t put_subjects(const struct context_subject *s, struct scan_subject *v)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		v[n] = (struct scan_subject){ .node = s->nodes[i], .in = kinds_of_views(true, false) };
		if (i < s->own)
			v[n].out = kinds_of_views(false, false);
		if (i < s->own && !s->nodes[i].symbol)
			v[n].out |= kinds_of_views(false, true);
		n++;
	}
	if (s->own && s->nodes[0].symbol) {
		v[n].node = (struct graph_node){ s->file, 0 };
		v[n++].out = kinds_of_views(false, true);
	}
	return n;
}

/* ---- one part of a scan ---- */

static void append(struct neighbours *l, const struct neighbour *v, size_t n)
{
	if (!n)
		return;
	l->v = grow(l->v, &l->cap, l->n + n, sizeof *l->v);
	memcpy(l->v + l->n, v, n * sizeof *v);
	l->n += n;
}

static bool belongs(const struct edge_view *v, const struct neighbour *x)
{
	if (x->incoming != v->incoming || !(v->kinds & 1u << x->kind))
		return false;
	return !v->tests || x->r.test;
}

/* In the list of tests, each is there once, whatever the kind of edge. */
static void become_test(struct neighbour *x)
{
	x->kind = GRAPH_TESTS;
	x->r.relation = graph_kind_name(GRAPH_TESTS);
}

static void put_view(
    const struct edge_view *v, const struct neighbours *found, struct neighbours *list)
{
	struct neighbours own = { 0 };

	for (size_t i = 0; i < found->n; i++) {
		if (!belongs(v, &found->v[i]))
			continue;
		append(&own, &found->v[i], 1);
		if (v->tests)
			become_test(&own.v[own.n - 1]);
	}
	graph_merge_neighbours(&own);
	for (size_t i = 0; v->tests && i < own.n; i++)
		own.v[i].r.times = 0;	/* a call and the test of it are one */
	append(list, own.v, own.n);
	free(own.v);
}

static void put_named(
    const struct context_subject *s, const struct neighbours *found, struct neighbours *named)
{
	for (size_t i = 0; i < found->n; i++) {
		const struct neighbour *x = &found->v[i];
		bool refers = x->incoming && x->kind == GRAPH_REFERENCES && x->subject < s->own;
		if (refers && x->r.confidence * 100 >= NAMED_CONFIDENCE)
			append(named, x, 1);
	}
}

static void put_part(
    const struct context_subject *s, const struct neighbours *found, struct context_edges *out)
{
	for (size_t i = 0; i < LEN(views); i++)
		put_view(&views[i], found, &out->lists[views[i].total / sizeof(t_u64)]);
	put_named(s, found, &out->named);
}

int context_edges_find(struct db *db, const struct context_subject *s, struct walk_limit *limit,
    struct context_edges *out, struct arena *a, struct err *e)
{
	struct scan_subject *v = arena_many(a, s->n + 1, struct scan_subject);
	struct edge_scan scan = {
		.db = db, .subjects = v, .nsubjects = put_subjects(s, v), .limit = limit
	};
	struct neighbours found = { 0 };
	int rc = edge_scan_open(&scan, a, e), more = !rc && !scan.stopped;

	while (more > 0) {
		found.n = 0;
		more = edge_scan_next(&scan, &found, a, e);
		if (more < 0 || graph_describe(db, &found, a, e))
			rc = more = -1;
		else
			put_part(s, &found, out);
	}
	out->stopped = scan.stopped;
	out->read = scan.at;
	out->files = scan.nfiles;
	edge_scan_close(&scan);
	free(found.v);
	return rc;
}

void context_edges_free(struct context_edges *x)
{
	for (size_t i = 0; i < CONTEXT_LISTS; i++)
		free(x->lists[i].v);
	free(x->named.v);
}
