#include "shard/handlers/impact_analysis.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "shard/handlers/name_mentions.h"
#include "shard/server/rpc_server.h"

enum { REASONS = 12, MEMBER_DEPTH_MAX = 4 };

static bool is_callable(const char *kind)
{
	static const struct { const char *name; bool callable; } kinds[] = {
#define KIND(name, callable, doc) { #name, callable },
#include "proto/record/kinds.def"
	};

	for (size_t i = 0; i < LEN(kinds); i++)
		if (!strcmp(kinds[i].name, kind))
			return kinds[i].callable;
	return false;
}

/* ---- starts ---- */

static void begin(struct impact *x, struct graph_node node, const char *qualified, const char *path)
{
	if (!qualified)
		qualified = "";
	x->starts.v = grow(x->starts.v, &x->starts.cap, x->starts.n + 1, sizeof *x->starts.v);
	x->starts.v[x->starts.n++] = (struct reached_definition){
		.node = node, .qualified = qualified, .path = path
	};
}

static int begin_members(struct impact *x, struct db *db, struct graph_node node, int deep,
    struct arena *a, struct err *e)
{
	struct neighbours members = { 0 };
	int rc = graph_members(db, node, &members, a, e);

	for (size_t i = 0; !rc && i < members.n; i++) {
		const struct neighbour *m = &members.v[i];
		begin(x, m->node, m->r.qualified, m->r.path);
		if (deep < MEMBER_DEPTH_MAX && !is_callable(m->r.kind))
			rc = begin_members(x, db, m->node, deep + 1, a, e);
	}
	free(members.v);
	return rc;
}

static int name_of(
    struct db *db, int64_t symbol, const char **qualified, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select qualified from symbols where id = ?", e);
	int rc;

	if (!s || db_bind(s, "i", symbol))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		*qualified = arena_str(a, db_str(s, 0));
	return rc;
}

int impact_add_start(struct impact *x, struct db *db, struct graph_node node, const char *qualified,
    const char *path, struct arena *a, struct err *e)
{
	if (!qualified && node.symbol && name_of(db, node.symbol, &qualified, a, e))
		return -1;
	begin(x, node, qualified, path);
	return begin_members(x, db, node, 0, a, e);
}

/* ---- the walk ---- */

static void count(struct impact *x)
{
	struct map *files = map_new();

	x->reach = (struct reach){ 0 };
	for (size_t i = 0; i < x->walk.n; i++) {
		const struct visited *v = &x->walk.v[i];
		*map_at(files, v->by.r.path) = x;
		x->reach.tests += v->by.r.test;
		x->reach.affected += !v->by.r.test;
		x->reach.direct += !v->by.r.test && v->depth == 1;
	}
	x->reach.files = map_len(files);
	map_free(files);
}

static int find_routes(struct impact *x, struct db *db, struct arena *a, struct err *e)
{
	size_t n = x->starts.n;
	struct reached_definition *v = arena_many(a, n + x->walk.n, struct reached_definition);

	if (n)
		memcpy(v, x->starts.v, n * sizeof *v);
	for (size_t i = 0; i < x->walk.n && !x->walk.downstream; i++) {
		const struct visited *w = &x->walk.v[i];
		v[n++] = (struct reached_definition){ w->by.node, w->by.r.qualified, w->by.r.path,
			w->by.r.at_line, w->depth, w->by.kind == GRAPH_CALLS };
	}
	return served_routes(db, v, n, &x->routes, a, e);
}

int impact_run(struct impact *x, struct db *db, struct arena *a, struct err *e)
{
	struct graph_node *from = arena_many(a, x->starts.n, struct graph_node);
	const char **ids = arena_many(a, x->starts.n, const char *);

	for (size_t i = 0; i < x->starts.n; i++) {
		const struct reached_definition *s = &x->starts.v[i];
		from[i] = s->node;
		if (s->node.symbol)
			ids[i] = arena_printf(a, "%s#%s", s->path, s->qualified);
		else
			ids[i] = s->path;
	}
	if (graph_walk(db, &x->walk, from, ids, x->starts.n, a, e))
		return -1;
	count(x);
	return find_routes(x, db, a, e);
}

void impact_free(struct impact *x)
{
	graph_traversal_free(&x->walk);
	free(x->starts.v);
	x->starts.v = NULL;
	x->starts.n = 0;
}

/* ---- uncertainties ---- */

static void add_reason(struct strs *out, const char *what)
{
	if (out->n < REASONS)
		out->v[out->n++] = what;
}

static const char *files_word(uint64_t n)
{
	if (n == 1)
		return "file";
	return "files";
}

/* Adds a reason for files that were skipped, or cut short, although they may contain code. */
static int skipped(struct db *db, struct strs *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select reason, files, example from skips where reason in ('too large',"
	    " 'too large, names only', 'missing',"
	    " 'partial-clone', 'corrupt', 'wrong-type', 'malformed-folder', 'bad-name', 'bad-mode',"
	    " 'duplicate-entry', 'quarantined', 'submodule', 'parse effort', 'parse time', 'nesting')"
	    " or reason like '%: more than %' order by reason",
	    e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1)
		add_reason(out,
		    arena_printf(a, "the index lacks all or part of %lld %s (%s), e.g. %s",
		        (long long)db_int(s, 1), files_word((uint64_t)db_int(s, 1)), db_str(s, 0),
		        db_str(s, 2)));
	return rc;
}

static void add_mentions(
    const struct name_mentions *m, const struct symbol *target, struct strs *out, struct arena *a)
{
	const char *how = is_callable(target->kind) ? "called" : "named";

	if (m->files)
		add_reason(out,
		    arena_printf(a, "in %llu %s `%s` is %s and nothing resolves it, e.g. %s",
		        (unsigned long long)m->files, files_word(m->files), target->name, how, m->example));
	if (m->unread)
		add_reason(out,
		    arena_printf(a, "%llu more files contain the word `%s` and were not searched",
		        (unsigned long long)m->unread, target->name));
}

/* Adds uses of the name in files without an edge to it, whatever its confidence. */
static int unexplained(const struct impact *x, struct index_reader *r, const struct symbol *target,
    struct strs *out, struct arena *a, struct err *e)
{
	struct map *known = map_new();
	struct name_mentions m = { 0 };

	for (size_t i = 0; i < x->starts.n; i++)
		*map_at(known, x->starts.v[i].path) = known;
	for (size_t i = 0; i < x->walk.touched.n; i++)
		*map_at(known, x->walk.touched.v[i]) = known;
	int rc = name_mentions_find(r, target->name, is_callable(target->kind), known, &m, a, e);
	if (!rc)
		add_mentions(&m, target, out, a);
	map_free(known);
	return rc;
}

/* Adds what the end of the time left out. */
static void add_deadline(const struct graph_traversal *w, struct strs *out, struct arena *a)
{
	if (w->stopped && w->whole)
		add_reason(out,
		    arena_printf(a,
		        "deadline: the walk ended at depth %u; the definitions up to depth %u are all there",
		        w->whole + 1, w->whole));
	else if (w->stopped)
		add_reason(out, "deadline: the walk ended at depth 1, before all edges were read");
	else if (w->unchecked)
		add_reason(out,
		    arena_printf(
		        a, "deadline: whether there is more beyond depth %u is not known", w->depth));
}

int impact_uncertainties(const struct impact *x, struct index_reader *r,
    const struct symbol *target, struct strs *out, struct arena *a, struct err *e)
{
	const struct graph_traversal *w = &x->walk;
	const char *edges = w->weak == 1 ? "edge was" : "edges were";

	out->v = arena_many(a, REASONS, const char *);
	add_deadline(w, out, a);
	if (w->weak)
		add_reason(out,
		    arena_printf(a, "%llu %s below confidence %.2f and not followed",
		        (unsigned long long)w->weak, edges, w->min / 100.0));
	if (w->full)
		add_reason(out, arena_printf(a, "the walk stopped at %zu definitions", w->n));
	if (w->deeper)
		add_reason(out, arena_printf(a, "there is more beyond depth %u", w->depth));
	bool has_name = target && strcmp(target->kind, "file");
	bool direct_known = w->whole || !w->stopped;
	if (has_name && !w->downstream && direct_known && unexplained(x, r, target, out, a, e))
		return -1;
	return skipped(r->db, out, a, e);
}
