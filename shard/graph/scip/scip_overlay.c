#include "shard/graph/scip/scip_overlay.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/graph/edge_resolution.h"
#include "shard/graph/scip/scip_overlay_internal.h"
#include "shard/program/dependency_key.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/file_dependencies.h"

enum { OVERLAY_CONFIDENCE = 100, CONTRADICTED_CONFIDENCE = 20, MAX_BASE_DEPTH = 6 };
static const char CONTRADICTED_SUFFIX[] = " contradicted";

int64_t scip_overlay_key(const char *path)
{
	struct arena *a = arena_new();
	int64_t key = dependency_key(arena_printf(a, "scip:%s", path));

	arena_free(a);
	return key;
}

/* ---- the edges that are there ---- */

static int read_edges(struct overlay_run *v)
{
	struct stored_edges old;

	if (edges_read(v->p->db, v->doc->file, v->a, &old, v->e))
		return -1;
	v->edges.v = grow(v->edges.v, &v->edges.cap, old.n + 1, sizeof *v->edges.v);
	v->edges.n = v->read = old.n;
	if (old.n)
		memcpy(v->edges.v, old.v, old.n * sizeof *old.v);
	return 0;
}

/* Find the ids of the facts' definitions, by their places. */
static void read_ids(struct overlay_run *v)
{
	const struct overlay_file *d = v->doc;
	size_t k = 0;

	v->ids = arena_many(v->a, v->facts.definitions.n + 1, int64_t);
	for (size_t i = 0; i < v->facts.definitions.n; i++) {
		const struct definition *x = &v->facts.definitions.v[i];
		while (k < d->nodes.n && d->nodes.v[k].start_byte < x->start_byte)
			k++;
		for (size_t m = k; m < d->nodes.n && d->nodes.v[m].start_byte == x->start_byte; m++)
			if (d->nodes.v[m].end_byte == x->end_byte && !strcmp(d->nodes.v[m].name, x->name))
				v->ids[i] = d->nodes.v[m].id;
	}
}

static int64_t read_symbol_file(struct overlay_run *v, int64_t symbol)
{
	struct stmt *s = db_prep(v->p->db, "select file from symbols where id = ?", v->e);
	int64_t file = 0;

	if (s && !db_bind(s, "i", symbol))
		while (db_step(s, v->e) == 1)
			file = db_int(s, 0);
	return file;
}

/* Whether the class that a name means is the one that a constructor makes, or derived from it. */
static bool makes(struct overlay_run *v, int64_t type, int64_t made, int deep)
{
	struct stored_edges edges = { 0 };
	bool found = type == made;

	if (!found && deep && edges_read(v->p->db, read_symbol_file(v, type), v->a, &edges, v->e))
		return false;
	for (size_t i = 0; !found && i < edges.n; i++)
		if (edges.v[i].source == type && edges.v[i].kind == EDGE_EXTENDS && edges.v[i].target)
			found = makes(v, edges.v[i].target, made, deep - 1);
	return found;
}

/* A definition as edges see it. */
struct edge_target {
	int64_t id, parent;
	const char *name, *qualified, *parent_name;
	int64_t file;
	bool constructor;
};

static bool read_target(struct overlay_run *v, int64_t id, struct edge_target *t)
{
	struct stmt *s = db_prep(v->p->db,
	    "select s.name, s.qualified, s.kind, s.file, s.parent, p.name from symbols s left join"
	    " symbols p on p.id = s.parent where s.id = ?",
	    v->e);

	if (!s || db_bind(s, "i", id) || db_step(s, v->e) != 1)
		return false;
	*t = (struct edge_target){
		.id = id,
		.parent = db_int(s, 4),
		.name = arena_str(v->a, db_str(s, 0)),
		.qualified = arena_str(v->a, db_str(s, 1)),
		.parent_name = arena_str(v->a, db_str(s, 5)),
		.file = db_int(s, 3),
		.constructor = kind_of(db_str(s, 2)) == KIND_constructor,
	};
	db_step(s, v->e);
	return true;
}

/*
 * Whether an edge's target is the definition that a name means, another declaration of it (SCIP
 * names the first of several), or the type of a constructor or the reverse, which SCIP does not
 * distinguish.
 */
static bool same_target(
    struct overlay_run *v, const struct overlay_definition *x, const struct edge_target *t)
{
	if (x->id == t->id || (x->doc->file == t->file && !strcmp(x->qualified, t->qualified)))
		return true;
	if (x->kind == KIND_constructor)
		return x->parent == t->id || (t->constructor && x->parent == t->parent);
	return kind_is_type(x->kind) && t->constructor && makes(v, x->id, t->parent, MAX_BASE_DEPTH);
}

static bool site_means_target(
    struct overlay_run *v, const struct overlay_site *s, const struct edge_target *t)
{
	for (size_t i = 0; i < s->n; i++)
		if (same_target(v, s->v[i], t))
			return true;
	return false;
}

static void raise_edge(struct overlay_run *v, struct stored_edge *x, uint32_t line)
{
	if (x->confidence < OVERLAY_CONFIDENCE)
		v->p->n.raised++;
	x->confidence = OVERLAY_CONFIDENCE;
	x->reason = v->p->reason;
	x->line = MIN(line, x->line);
}

static void contradict_edge(struct overlay_run *v, struct stored_edge *x)
{
	v->p->n.contradicted++;
	x->confidence = MIN(x->confidence, CONTRADICTED_CONFIDENCE);
	x->reason = arena_printf(v->a, "%s%s", x->reason, CONTRADICTED_SUFFIX);
}

/*
 * An edge represents all uses of a name in its source: SCIP must know each of them to contradict
 * it.  A symbol of another package does not contradict a definition in the same file, because
 * scip-python takes classes with the names of builtins for the builtins.
 */
static bool is_contradicted(
    const struct overlay_run *v, const struct stored_edge *x, const struct edge_target *t)
{
	const char *name = t->name;
	enum verdict least = VERDICT_EXTERNAL;

	if (t->constructor && *t->parent_name)
		name = t->parent_name;
	if (t->file == v->doc->file)
		least = VERDICT_LOCAL;
	if (!sites_cover_word(v, x->line, name, least))
		return false;
	for (size_t i = 0; i < v->facts.references.n; i++) {
		const struct reference *r = &v->facts.references.v[i];
		int64_t source = 0;
		if (r->definition >= 0)
			source = v->ids[r->definition];
		if (source == x->source && !strcmp(r->name, name) &&
		    !sites_cover_word(v, r->line, name, least))
			return false;
	}
	return true;
}

/* Whether SCIP may contradict the edge at all. */
static bool may_contradict(const struct stored_edge *x)
{
	if (x->confidence >= OVERLAY_CONFIDENCE || x->kind == EDGE_OVERRIDES)
		return false;
	return !strstr(x->reason, CONTRADICTED_SUFFIX);
}

/* Compare an edge with the sites of its source. */
static void check_edge(struct overlay_run *v, struct stored_edge *x, struct overlay_site **first,
    struct overlay_site **end)
{
	uint32_t line = 0;
	bool fits = false;	/* a call is on the line of a site that calls, if there is one */
	struct edge_target t;

	if (!x->target || !read_target(v, x->target, &t))
		return;
	for (struct overlay_site **s = first; s < end; s++) {
		if ((*s)->import != (x->kind == EDGE_IMPORTS) || !site_means_target(v, *s, &t))
			continue;
		bool same = (*s)->called || x->kind != EDGE_CALLS;
		if (!line || (same && !fits))
			line = (*s)->line;
		fits |= same;
		(*s)->found |= x->kind != EDGE_TESTS && !((*s)->called && x->kind == EDGE_REFERENCES);
	}
	if (line)
		raise_edge(v, x, line);
	else if (may_contradict(x) && is_contradicted(v, x, &t))
		contradict_edge(v, x);
}

static void check_edges(struct overlay_run *v)
{
	struct overlay_site **s = v->by_source, **all = s + v->sites.n, **end;

	for (size_t i = 0; i < v->read; i++) {
		while (s < all && site_source(*s) < v->edges.v[i].source)
			s++;
		end = s;
		while (end < all && site_source(*end) == v->edges.v[i].source)
			end++;
		check_edge(v, &v->edges.v[i], s, end);
	}
}

/* ---- the edges that are missing ---- */

static const struct overlay_definition *constructor_of(const struct overlay_definition *x)
{
	for (size_t i = 0; i < x->doc->nodes.n; i++)
		if (x->doc->nodes.v[i].parent == x->id && x->doc->nodes.v[i].kind == KIND_constructor)
			return &x->doc->nodes.v[i];
	return x;
}

/* The edge that a site implies. */
static struct stored_edge expected_edge(const struct overlay_site *s)
{
	const struct overlay_definition *target = s->v[s->n - 1];
	struct stored_edge x = { .source = site_source(s), .kind = EDGE_REFERENCES, .line = s->line };

	if (s->import)
		x.kind = EDGE_IMPORTS;
	else if (s->called && (kind_is_callable(target->kind) || kind_is_type(target->kind)))
		x.kind = EDGE_CALLS;
	if (x.kind == EDGE_CALLS && kind_is_type(target->kind))
		target = constructor_of(target);
	x.target_file = target->doc->file;
	x.target = target->id;
	return x;
}

/* Append a new edge, behind those that were read. */
static void add_edge(struct overlay_run *v, struct stored_edge x)
{
	v->p->n.added++;
	x.confidence = OVERLAY_CONFIDENCE;
	x.reason = v->p->reason;
	v->edges.v = grow(v->edges.v, &v->edges.cap, v->edges.n + 1, sizeof x);
	v->edges.v[v->edges.n++] = x;
}

static void add_site(struct overlay_run *v, const struct overlay_site *s)
{
	const struct overlay_definition *target = s->v[s->n - 1];
	struct stored_edge x = expected_edge(s);

	if (x.source == x.target && x.kind != EDGE_CALLS)
		return;
	add_edge(v, x);
	bool in_test = v->doc->test || (s->source && s->source->test);
	if (x.kind == EDGE_IMPORTS || target->test || !in_test)
		return;
	if (kind_is_callable(target->kind) || kind_is_type(target->kind)) {
		x.kind = EDGE_TESTS;
		add_edge(v, x);
	}
}

static bool same_edge(const struct stored_edge *x, const struct stored_edge *y)
{
	return x->source == y->source && x->kind == y->kind && x->target == y->target;
}

/* Whether one of the sites [first, end) implies the edge. */
static bool is_expected(
    const struct overlay_run *v, size_t first, size_t end, const struct stored_edge *x)
{
	for (size_t i = first; i < end; i++) {
		if (!v->by_source[i]->n)
			continue;
		struct stored_edge y = expected_edge(v->by_source[i]);
		if (same_edge(x, &y))
			return true;
	}
	return false;
}

/* Add one edge for each source, kind and target, at the first line. */
static void add_missing(struct overlay_run *v)
{
	size_t first = 0;

	for (size_t i = 0; i < v->sites.n; i++) {
		struct overlay_site *s = v->by_source[i];
		if (site_source(s) != site_source(v->by_source[first]))
			first = i;
		if (!s->n || s->found)
			continue;
		struct stored_edge x = expected_edge(s);
		if (!is_expected(v, first, i, &x))
			add_site(v, s);
	}
}

/* ---- relations of types and methods ---- */

static bool derives(enum edge_kind k)
{
	return k == EDGE_EXTENDS || k == EDGE_IMPLEMENTS || k == EDGE_OVERRIDES;
}

/*
 * Raise the edge between two definitions.  It is only added between methods that have none, because
 * SCIP names distant bases of types as well.
 */
static void add_relation(struct overlay_run *v, const struct overlay_definition *x,
    const struct overlay_definition *base)
{
	bool found = false;

	for (size_t i = 0; i < v->read; i++) {
		struct stored_edge *g = &v->edges.v[i];
		found |= g->source == x->id && g->kind == EDGE_OVERRIDES;
		if (g->source == x->id && g->target == base->id && derives((enum edge_kind)g->kind)) {
			raise_edge(v, g, g->line);
			return;
		}
	}
	if (found || !kind_is_callable(x->kind) || !kind_is_callable(base->kind))
		return;
	struct stored_edge edge = {
		.source = x->id,
		.kind = EDGE_OVERRIDES,
		.target_file = base->doc->file,
		.target = base->id,
		.line = x->start_line,
	};
	add_edge(v, edge);
}

static const struct overlay_definition *here(const struct overlay_run *v, const char *symbol)
{
	for (const struct scip_definition *x = map_get(v->p->symbols, symbol); x; x = x->next)
		if (x->doc == v->doc && x->node)
			return x->node;
	return NULL;
}

/* Add the relation of `x` to the first definition of `symbol`; all of them are dependencies. */
static int relate(struct overlay_run *v, const struct overlay_definition *x, const char *symbol)
{
	bool related = false;

	for (const struct scip_definition *base = map_get(v->p->symbols, symbol); base;
	     base = base->next) {
		sites_record_dependency(v, base->doc);
		if (overlay_file_load(v->p, base->doc, v->e))
			return -1;
		if (base->node && !related) {
			related = true;
			add_relation(v, x, base->node);
		}
	}
	return 0;
}

static int add_relations(struct overlay_run *v)
{
	for (size_t i = 0; i < v->document.relations.n; i++) {
		const struct scip_relation *r = &v->document.relations.v[i];
		const struct overlay_definition *x = here(v, r->symbol);
		if (x && relate(v, x, r->base))
			return -1;
	}
	return 0;
}

/* ---- files ---- */

static int read_facts(struct overlay_run *v)
{
	struct stmt *s = db_prep(v->p->db, "select facts from facts where file = ?", v->e);
	size_t n;

	if (!s || db_bind(s, "i", v->doc->file))
		return -1;
	int rc = db_step(s, v->e);
	if (rc != 1)
		return rc;
	const void *bytes = db_blob(s, 0, &n);
	rc = facts_decode(arena_strn(v->a, bytes, n), n, v->a, &v->facts, v->e);
	if (db_step(s, rc ? NULL : v->e) < 0)	/* ends the statement; the first error stays */
		return -1;
	return rc;
}

static int put_uses(struct overlay_run *v)
{
	int32_t *keys = arena_many(v->a, map_len(v->used) + 1, int32_t);

	for (size_t i = 0; i < map_len(v->used); i++)
		keys[i] = (int32_t)scip_overlay_key(map_key(v->used, i));
	return dependencies_add(v->p->db, DEPENDENCY_EDGES, v->doc->file, keys, map_len(v->used), v->e);
}

static int overlay_edges(struct overlay_run *v)
{
	if (!sites_match_text(v)) {
		v->p->n.stale++;
		return 0;
	}
	v->p->n.files++;
	if (read_facts(v))
		return -1;
	read_ids(v);
	sites_read(v);
	if (read_edges(v))
		return -1;
	check_edges(v);
	add_missing(v);
	if (add_relations(v) || edges_put(v->p->db, v->doc->file, v->edges.v, v->edges.n, v->e))
		return -1;
	return put_uses(v);
}

static int apply(struct scip_overlay *p, struct overlay_file *d, struct err *e)
{
	struct overlay_run v = {
		.p = p, .doc = d, .a = arena_new(), .locals = map_new(), .used = map_new(), .e = e
	};
	int rc = 0;

	if (d->file && d->parts.n)
		rc = overlay_file_load(p, d, e);
	if (!rc && d->fits && !source_text_read(p, d, v.a, &v.source)) {
		rc = scip_document(p->scip, d->parts.v[0], v.a, &v.document, e);
		if (!rc)
			rc = overlay_edges(&v);
	} else if (!rc && d->file && d->parts.n)
		p->n.stale++;
	buf_free(&v.source.text);
	free(v.edges.v);
	map_free(v.locals);
	map_free(v.used);
	arena_free(v.a);
	return rc;
}

int scip_overlay_apply(struct db *db, struct repo *repo, const struct scip *scip,
    const char *folder, const int64_t *files, size_t nfiles, struct scip_overlay_counts *out,
    struct err *e)
{
	struct arena *a = arena_new();
	int64_t *sorted = arena_many(a, nfiles + 1, int64_t);
	struct scip_overlay p;

	if (nfiles)
		memcpy(sorted, files, nfiles * sizeof *sorted);
	qsort(sorted, nfiles, sizeof *sorted, compare_int64);
	int rc = scip_overlay_begin(&p, db, repo, scip, folder, e);
	for (size_t i = 0; !rc && i < map_len(p.docs); i++) {
		struct overlay_file *d = map_val(p.docs, i);
		if (!files || bsearch(&d->file, sorted, nfiles, sizeof *sorted, compare_int64))
			rc = apply(&p, d, e);
	}
	*out = p.n;
	scip_overlay_end(&p);
	arena_free(a);
	return rc;
}
