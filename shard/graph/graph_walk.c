/* Walks over the graph: graph_query.h. */
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/int_map.h"
#include "proto/base/minmax.h"
#include "shard/graph/edge_scan.h"
#include "shard/graph/graph_query.h"

enum { MAX_LEVEL_EDGES = 200000 };	/* of one level */

/* A node that is to be expanded. */
struct frontier_node {
	struct graph_node node;
	const char *id;
	bool dispatch;	/* a method that an overriding one replaces: only its callers matter */
};

struct frontier {
	struct frontier_node *v;
	size_t n, cap;
};

struct traversal_state {
	struct db *db;
	struct graph_traversal *w;
	struct arena *a;
	struct int_map *seen;	/* nodes */
	struct int_map *files;	/* files with a node that is not an import */
	struct frontier now, next;
};

static bool is_seen(const struct traversal_state *st, struct graph_node x)
{
	return int_map_get(st->seen, graph_node_key(x));
}

/* Mark a node as seen; whether it is new. */
static bool mark_seen(struct traversal_state *st, struct graph_node x)
{
	void **at = int_map_at(st->seen, graph_node_key(x));
	bool is_new = !*at;

	*at = st;
	return is_new;
}

static void **file_slot(struct traversal_state *st, int64_t file)
{
	return int_map_at(st->files, (uint64_t)file);
}

static void frontier_push(struct frontier *l, struct frontier_node x)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = x;
}

/* ---- the edges of a frontier ---- */

/*
 * The edges to follow from a node.  Upstream, callers of the method that this one overrides may
 * reach this one.  Downstream, a method that overrides the called one may run instead.
 */
static struct scan_subject subject(const struct graph_traversal *w, const struct frontier_node *x)
{
	struct scan_subject s = { .node = x->node };
	unsigned kinds = GRAPH_DEPENDS, overrides = 0;

	if (x->dispatch)
		kinds = GRAPH_BIT(CALLS) | GRAPH_BIT(REFERENCES);
	if (x->node.symbol)
		overrides = GRAPH_BIT(OVERRIDES);
	s.in = w->downstream ? overrides : kinds;
	s.out = w->downstream ? kinds : overrides;
	return s;
}

static int open_scan(struct traversal_state *st, size_t from, size_t n, unsigned touching,
    struct edge_scan *scan, struct err *e)
{
	struct scan_subject *v = arena_many(st->a, n, struct scan_subject);

	for (size_t i = 0; i < n; i++)
		v[i] = subject(st->w, &st->now.v[from + i]);
	*scan = (struct edge_scan){ .db = st->db,
		.subjects = v,
		.nsubjects = n,
		.min = st->w->min,
		.touching = touching,
		.most = MAX_LEVEL_EDGES,
		.limit = &st->w->limit };
	return edge_scan_open(scan, st->a, e);
}

/* A file that imports something is not a dependent if another node in it is. */
static bool is_import(const struct graph_traversal *w, const struct neighbour *x)
{
	return x->kind == GRAPH_IMPORTS && !w->downstream && !x->node.symbol;
}

/* ---- one level ---- */

static void visit(struct traversal_state *st, const struct neighbour *x, uint32_t depth)
{
	struct graph_traversal *w = st->w;

	w->v = grow(w->v, &w->cap, w->n + 1, sizeof *w->v);
	w->v[w->n++] = (struct visited){ *x, depth };
}

/* Note which files contain dependents, and drop the nodes that were visited before. */
static void drop_seen(struct traversal_state *st, struct neighbours *found)
{
	size_t k = 0;

	for (size_t i = 0; i < found->n; i++) {
		struct neighbour *x = &found->v[i];
		if (!is_import(st->w, x))
			*file_slot(st, x->node.file) = st;
		if (is_seen(st, x->node))
			continue;
		x->r.via = st->now.v[x->subject].id;
		found->v[k++] = *x;
	}
	found->n = k;
}

/* Visit the new nodes, each by its best edge. */
static void visit_neighbours(struct traversal_state *st, struct neighbours *found, uint32_t depth)
{
	graph_merge_neighbours(found);
	for (size_t i = 0; i < found->n; i++) {
		const struct neighbour *x = &found->v[i];
		bool import = is_import(st->w, x);
		if (import && *file_slot(st, x->node.file))
			continue;
		if (!mark_seen(st, x->node))
			continue;
		if (st->w->n == st->w->most) {
			st->w->full = true;
			return;
		}
		visit(st, x, depth);
		struct frontier_node next = { x->node, x->r.id, x->kind == GRAPH_OVERRIDES };
		if (!import)
			frontier_push(&st->next, next);
	}
}

/* The paths of the files that have an edge to where the walk began. */
static void note_touched(struct traversal_state *st, const struct edge_scan *scan)
{
	struct graph_traversal *w = st->w;

	w->touched.v = arena_many(st->a, scan->nfiles + 1, const char *);
	for (size_t i = 0; i < scan->nfiles; i++)
		if (scan->files[i].touches)
			w->touched.v[w->touched.n++] = scan->files[i].path;
}

static int visit_level(
    struct traversal_state *st, struct edge_scan *scan, uint32_t depth, struct err *e)
{
	struct neighbours found = { 0 };
	size_t edges = 0;
	int rc = 1;

	while (rc > 0 && !st->w->full) {
		found.n = 0;
		rc = edge_scan_next(scan, &found, st->a, e);
		if (rc < 0 || scan->stopped)
			break;
		edges += found.n;
		drop_seen(st, &found);
		if (graph_describe(st->db, &found, st->a, e)) {
			rc = -1;
			break;
		}
		visit_neighbours(st, &found, depth);
		st->w->full |= scan->full || edges > MAX_LEVEL_EDGES;
	}
	st->w->weak += found.weak;
	free(found.v);
	return MIN(rc, 0);
}

static int level(struct traversal_state *st, uint32_t depth, struct err *e)
{
	unsigned touching = depth == 1 && !st->w->downstream ? st->w->touching : 0;
	struct edge_scan scan;
	int rc = open_scan(st, 0, st->now.n, touching, &scan, e);

	if (!rc && !scan.stopped)
		rc = visit_level(st, &scan, depth, e);
	if (!rc && touching)
		note_touched(st, &scan);
	st->w->stopped = scan.stopped;
	if (!scan.stopped)
		st->w->whole = depth;
	edge_scan_close(&scan);
	return rc;
}

/* ---- beyond the last level ---- */

static bool leads_to_new_nodes(struct traversal_state *st, const struct neighbours *found)
{
	for (size_t i = 0; i < found->n; i++)
		if (!is_import(st->w, &found->v[i]) && !is_seen(st, found->v[i].node))
			return true;
	return false;
}

static int check_deeper_from(struct traversal_state *st, size_t from, size_t n, struct err *e)
{
	struct neighbours found = { 0 };
	struct edge_scan scan;
	int rc = open_scan(st, from, n, 0, &scan, e);

	if (!rc && !scan.stopped)
		rc = 1;
	while (rc > 0 && !st->w->deeper && !scan.stopped) {
		found.n = 0;
		rc = edge_scan_next(&scan, &found, st->a, e);
		st->w->deeper = rc >= 0 && leads_to_new_nodes(st, &found);
	}
	st->w->unchecked = scan.stopped;
	edge_scan_close(&scan);
	free(found.v);
	return MIN(rc, 0);
}

/*
 * Set `deeper` if the last level leads to new nodes.  Mostly one of its first nodes does, so they
 * are tried in growing numbers.
 */
static int check_deeper(struct traversal_state *st, struct err *e)
{
	size_t from = 0, n = 1;
	int rc = 0;

	while (!rc && from < st->now.n && !st->w->deeper && !st->w->unchecked) {
		n = MIN(n, st->now.n - from);
		rc = check_deeper_from(st, from, n, e);
		from += n;
		n *= 4;
	}
	return rc;
}

int graph_walk(struct db *db, struct graph_traversal *w, const struct graph_node *from,
    const char *const *ids, size_t n, struct arena *a, struct err *e)
{
	struct traversal_state st = {
		.db = db, .w = w, .a = a, .seen = int_map_new(), .files = int_map_new()
	};
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		if (mark_seen(&st, from[i]))
			frontier_push(&st.next, (struct frontier_node){ from[i], ids[i], false });
	for (uint32_t depth = 1; !rc && !w->full && !w->stopped && st.next.n && depth <= w->depth + 1;
	     depth++) {
		struct frontier done = st.now;
		st.now = st.next;
		st.next = done;
		st.next.n = 0;
		if (depth <= w->depth)
			rc = level(&st, depth, e);
		else
			rc = check_deeper(&st, e);
	}
	int_map_free(st.seen);
	int_map_free(st.files);
	free(st.now.v);
	free(st.next.v);
	return rc;
}

void graph_traversal_free(struct graph_traversal *w)
{
	free(w->v);
	w->v = NULL;
	w->n = 0;
}
