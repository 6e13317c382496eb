#include "shard/graph/graph_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "shard/storage/edge_store.h"

static const char *const kind_names[] = {
#define EDGE(name, stored, doc) #name,
#include "proto/record/kinds.def"
};

const char *graph_kind_name(unsigned kind)
{
	if (kind < LEN(kind_names))
		return kind_names[kind];
	return "";
}

static struct neighbour *add(struct neighbours *out)
{
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	return memset(&out->v[out->n++], 0, sizeof *out->v);
}

/* ---- edges ---- */

/*
 * The columns of an end: file, symbol, path, qualified, kind, signature, start_line, end_line,
 * test, lines of the file.
 */
static void put_end(struct stmt *s, struct neighbour *x, struct arena *a)
{
	struct related *r = &x->r;
	uint64_t lines = (uint64_t)db_int(s, 9);

	x->node = (struct graph_node){ db_int(s, 0), db_int(s, 1) };
	r->path = arena_str(a, db_str(s, 2));
	r->test = db_int(s, 8);
	if (db_null(s, 3)) {	/* a file */
		r->id = r->qualified = r->path;
		r->kind = "file";
		r->start_line = 1;
		r->end_line = MAX(lines, 1);
		return;
	}
	r->qualified = arena_str(a, db_str(s, 3));
	r->id = arena_printf(a, "%s#%s", r->path, r->qualified);
	r->kind = arena_str(a, db_str(s, 4));
	r->signature = db_copy_text(s, 5, a);
	r->start_line = (uint64_t)db_int(s, 6);
	r->end_line = (uint64_t)db_int(s, 7);
}

#define END_COLUMNS \
	"f.id, ifnull(s.id, 0), f.path, s.qualified, s.kind, s.signature, s.start_line, s.end_line," \
	" ifnull(s.test, f.test), f.lines"
static const char end_sql[] = "select " END_COLUMNS
                              " from files f left join symbols s on s.id = ?2 where f.id = ?1";

struct neighbour_query {
	struct db *db;
	struct graph_node of;
	unsigned kinds;
	int min;
	struct neighbours *out;
	struct arena *a;
	struct err *e;
};

/* Add the end of an edge, if the query wants its kind and confidence. */
static int put_edge(struct neighbour_query *l, const struct stored_edge *x, struct graph_node end)
{
	if (x->kind >= GRAPH_KINDS || !(l->kinds & 1u << x->kind))
		return 0;
	if (x->confidence < l->min) {
		l->out->weak++;
		return 0;
	}
	struct stmt *s = db_prep(l->db, end_sql, l->e);
	if (!s || db_bind(s, "ii", end.file, end.symbol))
		return -1;
	for (;;) {
		int rc = db_step(s, l->e);
		if (rc != 1)
			return rc;
		struct neighbour *n = add(l->out);
		put_end(s, n, l->a);
		n->kind = x->kind;
		n->r.relation = graph_kind_name(x->kind);
		n->r.confidence = x->confidence / 100.0;
		n->r.reason = arena_str(l->a, x->reason);
		n->r.at_line = x->line;
	}
}

/* Set r.via of the neighbours from index `from` on to the id of `here`. */
static int put_via(struct neighbour_query *l, struct graph_node here, size_t from)
{
	struct neighbour via = { 0 };
	struct stmt *s;
	int rc = 0;

	if (l->out->n == from)
		return 0;
	s = db_prep(l->db, end_sql, l->e);
	if (!s || db_bind(s, "ii", here.file, here.symbol))
		return -1;
	while ((rc = db_step(s, l->e)) == 1)
		put_end(s, &via, l->a);
	for (; !rc && from < l->out->n; from++)
		l->out->v[from].r.via = via.r.id;
	return rc;
}

/* Add an end of an edge of file `source`; the other end, which is in the file l->of, is r.via. */
static int put_file_edge(
    struct neighbour_query *l, const struct stored_edge *x, int64_t source, bool incoming)
{
	struct graph_node here = { source, x->source }, there = { x->target_file, x->target };
	size_t before = l->out->n;

	if (incoming) {
		struct graph_node from = here;
		here = there;
		there = from;
	}
	if (put_edge(l, x, there))
		return -1;
	return put_via(l, here, before);
}

/* The edges of the file `source` that have an end in the file l->of. */
static int query_file_edges(struct neighbour_query *l, int64_t source, bool incoming)
{
	struct arena *a = arena_new();
	struct stored_edges edges;
	int rc = edges_read(l->db, source, a, &edges, l->e);

	for (size_t i = 0; !rc && i < edges.n; i++) {
		const struct stored_edge *x = &edges.v[i];
		if (!incoming || x->target_file == l->of.file)
			rc = put_file_edge(l, x, source, incoming);
	}
	arena_free(a);
	return rc;
}

int graph_file_neighbours(struct db *db, int64_t file, bool incoming, unsigned kinds,
    struct neighbours *out, struct arena *a, struct err *e)
{
	struct neighbour_query l = { db, { file, 0 }, kinds, 0, out, a, e };
	int64_t *files;
	size_t n;

	if (!incoming)
		return query_file_edges(&l, file, false);
	int rc = edges_incoming_files(db, file, a, &files, &n, e);
	for (size_t i = 0; !rc && i < n; i++)
		rc = query_file_edges(&l, files[i], true);
	return rc;
}

/* ---- nodes ---- */

static int by_id(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;
	int c = compare_signed(x->node.file, y->node.file);

	if (c)
		return c;
	return compare_signed(x->node.symbol, y->node.symbol);
}

static bool same_node(const struct neighbour *x, const struct neighbour *y)
{
	return x->node.file == y->node.file && x->node.symbol == y->node.symbol;
}

/* Describe one node: 1, 0 if the index does not have it, or -1. */
static int describe_node(
    struct db *db, struct graph_node node, struct neighbour *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, end_sql, e);
	int rc, found = 0;

	if (!s || db_bind(s, "ii", node.file, node.symbol))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		put_end(s, out, a);
		found = 1;
	}
	if (rc)
		return rc;
	return found;
}

/* Copy the description of the node to an edge that leads to it. */
static void put_description(struct neighbour *x, const struct neighbour *node)
{
	struct related edge = x->r;

	x->node = node->node;
	x->r = node->r;
	x->r.relation = edge.relation;
	x->r.confidence = edge.confidence;
	x->r.reason = edge.reason;
	x->r.at_line = edge.at_line;
	x->r.via = edge.via;
}

int graph_describe(struct db *db, struct neighbours *l, struct arena *a, struct err *e)
{
	size_t k = 0, i = 0;

	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, by_id);
	while (i < l->n) {
		struct neighbour node = { 0 };
		size_t end = i + 1;
		int rc = describe_node(db, l->v[i].node, &node, a, e);
		if (rc < 0)
			return -1;
		while (end < l->n && same_node(&l->v[i], &l->v[end]))
			end++;
		for (; i < end; i++)
			if (rc) {
				l->v[k] = l->v[i];
				put_description(&l->v[k++], &node);
			}
	}
	l->n = k;
	return 0;
}

/* ---- order ---- */

/* By place, which is equal only for the same node. */
static int by_place(const struct related *x, const struct related *y)
{
	int c = strcmp(x->path, y->path);

	if (!c)
		c = compare_numbers(x->start_line, y->start_line);
	if (!c)
		c = compare_numbers(x->end_line, y->end_line);
	if (c)
		return c;
	return strcmp(x->qualified, y->qualified);
}

/* The edges of one node are adjacent, and of each kind the best comes first. */
static int by_node(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;
	int c = by_place(&x->r, &y->r);

	if (!c)
		c = (x->node.symbol > y->node.symbol) - (x->node.symbol < y->node.symbol);
	if (!c)
		c = compare_numbers(x->kind, y->kind);
	if (!c)
		c = (x->r.confidence < y->r.confidence) - (x->r.confidence > y->r.confidence);
	if (!c)
		c = compare_numbers(x->r.at_line, y->r.at_line);
	if (!c)
		c = compare_texts(x->r.reason, y->r.reason);
	if (c)
		return c;
	return compare_texts(x->r.via, y->r.via);
}

static int compare_relevance(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;
	int c = x->r.test - y->r.test;

	if (!c)
		c = (x->r.confidence < y->r.confidence) - (x->r.confidence > y->r.confidence);
	if (!c)
		c = by_place(&x->r, &y->r);
	if (c)
		return c;
	return compare_numbers(x->kind, y->kind);
}

static bool same_edge(const struct neighbour *x, const struct neighbour *y)
{
	return x->kind == y->kind && same_node(x, y);
}

void graph_merge_neighbours(struct neighbours *l)
{
	size_t k = 0;

	if (!l->n)
		return;
	qsort(l->v, l->n, sizeof *l->v, by_node);
	for (size_t i = 0; i < l->n; i++) {
		if (!k || !same_edge(&l->v[k - 1], &l->v[i])) {
			l->v[k++] = l->v[i];
			continue;
		}
		struct related *r = &l->v[k - 1].r;
		r->times = MAX(r->times, 1) + 1;	/* 0 = once */
	}
	l->n = k;
	qsort(l->v, l->n, sizeof *l->v, compare_relevance);
}

/* ---- members ---- */

static int put_members(
    struct stmt *s, unsigned otherwise, struct neighbours *out, struct arena *a, struct err *e)
{
	int rc;

	while ((rc = db_step(s, e)) == 1) {
		struct neighbour *x = add(out);
		put_end(s, x, a);
		bool method = !strcmp(x->r.kind, "method") || !strcmp(x->r.kind, "constructor");
		if (method)
			x->kind = GRAPH_HAS_METHOD;
		else
			x->kind = otherwise;
		x->r.relation = graph_kind_name(x->kind);
		x->r.confidence = 1;
	}
	return rc;
}

int graph_members(
    struct db *db, struct graph_node of, struct neighbours *out, struct arena *a, struct err *e)
{
	unsigned relation = of.symbol ? GRAPH_CONTAINS : GRAPH_DEFINES;
	struct stmt *s = db_prep(db,
	    "select " END_COLUMNS " from symbols s join files f on f.id = s.file"
	    " where s.file = ? and ifnull(s.parent, 0) = ? order by s.start_byte, s.qualified, s.kind,"
	    " s.ordinal",
	    e);

	if (!s || db_bind(s, "ii", of.file, of.symbol))
		return -1;
	if (put_members(s, relation, out, a, e) < 0)
		return -1;
	if (!of.symbol)
		return 0;
	/* `func (s *server) routes()`: named after a type in its folder, but not inside it */
	s = db_prep(db,
	    "with t as (select t.qualified || '.' as head,"
	    " rtrim(tf.path, replace(tf.path, '/', '')) as dir"
	    " from symbols t join files tf on tf.id = t.file where t.id = ?)"
	    " select " END_COLUMNS
	    " from t join files f on f.path >= t.dir and f.path < t.dir || char(1114111)"
	    " and instr(substr(f.path, length(t.dir) + 1), '/') = 0 join symbols s on s.file = f.id"
	    " where s.parent is null and s.kind in ('method', 'constructor')"
	    " and substr(s.qualified, 1, length(t.head)) = t.head"
	    " order by f.path, s.start_byte, s.qualified",
	    e);
	if (!s || db_bind(s, "i", of.symbol))
		return -1;
	return put_members(s, GRAPH_CONTAINS, out, a, e);
}
