#include <stddef.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/git/owners.h"
#include "shard/graph/graph_query.h"
#include "shard/handlers/context_edges.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/handlers/served_routes.h"
#include "shard/search/symbol_lookup.h"

enum {
	OWNERS = 3,
	MEMBERS = offsetof(struct context_totals, members) / sizeof(t_u64),
	EDGES_PERCENT = 60,	/* of the time; then come routes, owners and the answer */
	OWNERS_PERCENT = 80
};

/* the tool `owners` reads more of the history */
static const struct owners_limits recent = { 400, 20, 1000 };

struct related_list {
	struct related *v;
	size_t n;
};

static uint64_t start_of(const struct context_req *q, uint64_t list)
{
	for (size_t i = 0; i < q->starts.n; i++)
		if (q->starts.v[i].list == list)
			return q->starts.v[i].at;
	return 0;
}

/* Put the page of a list; `total` is the offset of its field in context_totals. */
static void put_list(const struct context_req *q, struct context_res *out,
    struct related_list *page, size_t total, const struct neighbours *found, struct arena *a)
{
	uint64_t at = MIN(start_of(q, total / sizeof(t_u64) + 1), found->n);

	*(t_u64 *)((char *)out->totals + total) = found->n;
	page->v = arena_many(a, MIN(found->n - at, q->limit), struct related);
	for (; at < found->n && page->n < q->limit; at++)
		page->v[page->n++] = found->v[at].r;
	out->more |= at < found->n;
}

static void put_lists(const struct context_req *q, struct context_res *out,
    const struct context_edges *x, struct arena *a)
{
	static const struct {
		size_t list, total;
	} fields[] = {
#define LIST_OF(name) { offsetof(struct context_res, name), offsetof(struct context_totals, name) }
		LIST_OF(callers),
		LIST_OF(callees),
		LIST_OF(references),
		LIST_OF(uses),
		LIST_OF(members),
		LIST_OF(imports),
		LIST_OF(imported_by),
		LIST_OF(implements),
		LIST_OF(implemented_by),
		LIST_OF(tests),
#undef LIST_OF
	};

	for (size_t i = 0; i < LEN(fields); i++) {
		struct related_list *page = (struct related_list *)((char *)out + fields[i].list);
		put_list(q, out, page, fields[i].total, &x->lists[fields[i].total / sizeof(t_u64)], a);
	}
}

static int find_members(struct db *db, const struct symbol_target *t, struct context_subject *s,
    struct neighbours *members, struct arena *a, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < t->nids; i++)
		rc = graph_members(db, (struct graph_node){ t->file, t->ids[i] }, members, a, e);
	s->file = t->file;
	s->nodes = arena_many(a, t->nids + members->n, struct graph_node);
	for (size_t i = 0; i < t->nids; i++)
		s->nodes[s->n++] = (struct graph_node){ t->file, t->ids[i] };
	s->own = s->n;
	for (size_t i = 0; i < members->n; i++)
		if (!strcmp(members->v[i].r.kind, "constructor"))
			s->nodes[s->n++] = members->v[i].node;
	return rc;
}

static int fill_routes(struct db *db, const struct context_subject *s, const struct symbol *y,
    const struct neighbours *named, struct context_res *out, struct arena *a, struct err *e)
{
	struct reached_definition *v = arena_many(a, named->n + 1, struct reached_definition);
	struct route_list routes = { 0 };

	v[0] = (struct reached_definition){
		.node = s->nodes[0], .qualified = y->qualified, .path = y->path
	};
	/* where it is registered, without other routes that are handled there */
	for (size_t i = 0; i < named->n; i++)
		v[i + 1] = (struct reached_definition){ .node = { named->v[i].node.file, 0 },
			.qualified = "",
			.path = named->v[i].r.path,
			.line = named->v[i].r.at_line,
			.depth = 1 };
	if (served_routes(db, v, named->n + 1, &routes, a, e))
		return -1;
	out->routes.v = routes.v;
	out->routes.n = routes.n;
	return 0;
}

static int fill_owners(struct index_reader *r, const char *path, struct context_res *out,
    struct arena *a, struct err *e)
{
	struct owners_limits limits = recent;
	struct owners_res owners = { 0 };
	struct repo *repo = index_reader_repo(r, e);

	if (r->deadline_ms)
		limits.ms = MIN(limits.ms, MAX(index_reader_until(r, OWNERS_PERCENT) - clock_ms(), 1));
	if (!repo || owners_find(repo, r->info.commit, path, &limits, OWNERS, &owners, a, e))
		return -1;
	out->owners.v = owners.owners.v;
	out->owners.n = owners.owners.n;
	return 0;
}

static void put_deadline(const struct context_edges *x, struct context_res *out, struct arena *a)
{
	out->stopped = x->stopped;
	if (!x->stopped)
		return;
	out->reasons.v = arena_one(a, const char *);
	out->reasons.n = 1;
	out->reasons.v[0] = arena_printf(a,
	    "deadline: the edges of %zu of %zu files were read; the lists may lack more", x->read,
	    x->files);
}

static int fill(struct index_reader *r, const struct context_req *q, const struct symbol_target *t,
    struct context_edges *x, struct context_res *out, struct arena *a, struct err *e)
{
	struct neighbours *members = &x->lists[MEMBERS];
	struct walk_limit limit = { .until_ms = index_reader_until(r, EDGES_PERCENT) };
	struct context_subject s = { 0 };

	if (find_members(r->db, t, &s, members, a, e))
		return -1;
	if (context_edges_find(r->db, &s, &limit, x, a, e))
		return -1;
	out->totals = arena_one(a, struct context_totals);
	put_lists(q, out, x, a);
	put_deadline(x, out, a);
	if (fill_routes(r->db, &s, t->symbol, &x->named, out, a, e))
		return -1;
	return fill_owners(r, t->symbol->path, out, a, e);
}

int rpc_context(struct shard *shard, struct index_reader *r, const struct context_req *q,
    struct context_res *out, struct arena *a, struct err *e)
{
	const struct symbol_query asked = { q->symbol, q->path, q->kind,
		index_reader_until(r, SIMILAR_NAMES_PERCENT) };
	struct symbol_target *t = arena_one(a, struct symbol_target);
	struct context_edges x = { 0 };

	(void)shard;
	if (symbol_lookup_target(r->db, &asked, q->limit, t, a, e))
		return -1;
	out->total = t->total;
	out->target = (struct symbol *)t->symbol;
	out->candidates.v = t->candidates;
	out->candidates.n = t->ncandidates;
	if (!t->symbol)
		return 0;
	int rc = fill(r, q, t, &x, out, a, e);
	context_edges_free(&x);
	return rc;
}
