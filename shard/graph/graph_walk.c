/* Walks over the graph: graph_query.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
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
	struct map *seen;	/* nodes */
	struct map *files;	/* files with a node that is not an import */
	struct frontier now, next;
};

static void **slot(struct map *m, struct graph_node x)
{
	char key[48];

	if (x.symbol)		/* its id includes the file */
		x.file = 0;
	snprintf(key, sizeof key, "%lld:%lld", (long long)x.file, (long long)x.symbol);
	return map_at(m, key);
}

/* Mark a node as seen; whether it is new. */
static bool mark_seen(struct traversal_state *st, struct graph_node x)
{
	void **at = slot(st->seen, x);
	bool is_new = !*at;

	*at = st;
	return is_new;
}

static void **file_slot(struct traversal_state *st, int64_t file)
{
	return slot(st->files, (struct graph_node){ file, 0 });
}

static void frontier_push(struct frontier *l, struct frontier_node x)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = x;
}

/* ---- one level ---- */

/* Add the neighbours of a node in the direction of the walk; r.via is the id of the node. */
static int expand_node(struct traversal_state *st, const struct frontier_node *x,
    struct neighbours *out, struct err *e)
{
	const struct graph_traversal *w = st->w;
	unsigned kinds = GRAPH_DEPENDS;
	size_t from = out->n;

	if (x->dispatch)
		kinds = GRAPH_BIT(CALLS) | GRAPH_BIT(REFERENCES);
	if (graph_neighbours(st->db, x->node, !w->downstream, kinds, w->min, out, st->a, e))
		return -1;
	/*
	 * Upstream, callers of the method that this one overrides may reach this one.  Downstream, a
	 * method that overrides the called one may run instead.
	 */
	kinds = GRAPH_BIT(OVERRIDES);
	if (x->node.symbol &&
	    graph_neighbours(st->db, x->node, w->downstream, kinds, w->min, out, st->a, e))
		return -1;
	for (; from < out->n; from++)
		out->v[from].r.via = x->id;
	return 0;
}

/* A file that imports something is not a dependent if another node in it is. */
static bool is_import(const struct graph_traversal *w, const struct neighbour *x)
{
	return x->kind == GRAPH_IMPORTS && !w->downstream && !x->node.symbol;
}

static void visit(struct traversal_state *st, const struct neighbour *x, uint32_t depth)
{
	struct graph_traversal *w = st->w;

	w->v = grow(w->v, &w->cap, w->n + 1, sizeof *w->v);
	w->v[w->n++] = (struct visited){ *x, depth };
}

/* Visit the new nodes, each by its best edge. */
static void visit_neighbours(struct traversal_state *st, struct neighbours *found, uint32_t depth)
{
	graph_merge_neighbours(found);
	for (size_t i = 0; i < found->n; i++)
		if (!is_import(st->w, &found->v[i]))
			*file_slot(st, found->v[i].node.file) = st;
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

static int level(struct traversal_state *st, uint32_t depth, struct err *e)
{
	struct neighbours found = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < st->now.n && !st->w->full; i++) {
		rc = expand_node(st, &st->now.v[i], &found, e);
		st->w->full = found.n > MAX_LEVEL_EDGES;
	}
	if (!rc)
		visit_neighbours(st, &found, depth);
	st->w->weak += found.weak;
	free(found.v);
	return rc;
}

/* Set `deeper` if the last level leads to new nodes. */
static int check_deeper(struct traversal_state *st, struct err *e)
{
	struct neighbours found = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < st->now.n && !st->w->deeper; i++) {
		found.n = 0;
		rc = expand_node(st, &st->now.v[i], &found, e);
		for (size_t k = 0; k < found.n; k++)
			if (!is_import(st->w, &found.v[k]) && !*slot(st->seen, found.v[k].node))
				st->w->deeper = true;
	}
	free(found.v);
	return rc;
}

int graph_walk(struct db *db, struct graph_traversal *w, const struct graph_node *from,
    const char *const *ids, size_t n, struct arena *a, struct err *e)
{
	struct traversal_state st = { .db = db, .w = w, .a = a, .seen = map_new(), .files = map_new() };
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		if (mark_seen(&st, from[i]))
			frontier_push(&st.next, (struct frontier_node){ from[i], ids[i], false });
	for (uint32_t depth = 1; !rc && !w->full && st.next.n && depth <= w->depth + 1; depth++) {
		struct frontier done = st.now;
		st.now = st.next;
		st.next = done;
		st.next.n = 0;
		if (depth <= w->depth)
			rc = level(&st, depth, e);
		else
			rc = check_deeper(&st, e);
	}
	map_free(st.seen);
	map_free(st.files);
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
