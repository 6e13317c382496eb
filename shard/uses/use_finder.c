#include "shard/uses/use_finder.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/int_map.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "proto/record/record.h"
#include "shard/base/kinds.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/graph/file_edges.h"
#include "shard/graph/reference_resolution.h"
#include "shard/interfaces/interface_facts.h"
#include "shard/program/name_resolution.h"
#include "shard/program/resolver.h"
#include "shard/uses/external_files.h"
#include "shard/uses/gone_names.h"
#include "shard/uses/use_candidates.h"

enum {
	MIN_CONFIDENCE = 30,	/* of a use, in hundredths */
	MAX_INCLUDED = 500	/* files that one file includes, also through others */
};

struct use_finder {
	struct db *db;
	struct program *program;
	struct arena *a;		/* of the results */
	struct found_uses *out;
	struct name_resolver resolver;	/* its arena is empty between files */
	struct edge_list edges;
};

/* ---- what a file includes, where a name needs no import but a declaration ---- */

struct included_files {
	struct source_file *v[MAX_INCLUDED];
	size_t n;
};

static void include(struct included_files *x, struct source_file *f)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i] == f)
			return;
	if (x->n < MAX_INCLUDED)
		x->v[x->n++] = f;
}

static void find_included(struct name_resolver *l, struct included_files *out)
{
	out->n = 0;
	include(out, l->file);
	for (size_t i = 0; i < out->n; i++) {
		const struct file_symbols *u = resolver_file_scope(l, out->v[i]);
		for (size_t k = 0; k < u->nimports; k++) {
			const struct import *x = &u->imports[k];
			struct resolved_value v = { 0 };
			l->steps = REFERENCE_STEPS;
			if (x->include)
				v = module_find(l, out->v[i], x->module, true);
			if (v.what == RESOLVED_FILE)
				include(out, v.file);
		}
	}
}

static bool includes_origin(const struct included_files *x, int origin)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i]->origin == origin)
			return true;
	return false;
}

/* ---- one file ---- */

/* The definition that the code names: a constructor is called by the name of its type. */
static const struct sym *named_definition(struct name_resolver *l, const struct edge *x)
{
	const struct sym *up;

	if (x->named)
		return x->named;
	if (x->target->kind != KIND_constructor)
		return x->target;
	up = sym_parent(l, x->target);
	if (up)
		return up;
	return x->target;
}

static void put_use(struct use_finder *u, const struct edge *x)
{
	struct name_resolver *l = &u->resolver;
	const struct sym *s = named_definition(l, x);
	const struct source_file *f = sym_file(l, s);
	struct found_use *out;

	u->out->v = grow(u->out->v, &u->out->cap, u->out->n + 1, sizeof *u->out->v);
	out = &u->out->v[u->out->n++];
	*out = (struct found_use){
		.path = arena_str(u->a, l->file->path),
		.line = x->line,
		.kind = edge_name(x->kind),
		.confidence = x->confidence,
		.reason = x->reason,
		.repository = (size_t)f->origin - 1,
		.target_path = arena_str(u->a, external_path(f)),
		.symbol = arena_str(u->a, s->qualified),
		.symbol_kind = kind_name(s->kind),
	};
	if (x->source >= 0)
		out->in = arena_str(u->a, l->facts->definitions.v[x->source].qualified);
}

static bool is_external_use(struct name_resolver *l, const struct edge *x)
{
	if (!x->target || x->kind == EDGE_TESTS)
		return false;
	if (!sym_file(l, named_definition(l, x))->origin)
		return false;
	return x->confidence >= MIN_CONFIDENCE;
}

static int by_line(const void *a, const void *b)
{
	const struct edge *x = *(const struct edge *const *)a, *y = *(const struct edge *const *)b;

	return (x->line > y->line) - (x->line < y->line);
}

/* The edges in order of line, in the resolver's arena. */
static const struct edge **edges_by_line(struct use_finder *u)
{
	const struct edge **v = arena_many(u->resolver.a, u->edges.n + 1, const struct edge *);

	for (size_t i = 0; i < u->edges.n; i++)
		v[i] = &u->edges.v[i];
	if (u->edges.n)
		qsort(v, u->edges.n, sizeof *v, by_line);
	return v;
}

/* Whether any edge of the reference's line leads to a definition of its name. */
static bool has_edge(const struct edge *const *v, size_t n, const struct reference *r)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (v[mid]->line < r->line)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < n && v[lo]->line == r->line; lo++)
		if (v[lo]->target && !strcmp(v[lo]->target->name, r->name))
			return true;
	return false;
}

static void count_unclear(struct use_finder *u)
{
	struct name_resolver *l = &u->resolver;
	const struct edge **edges = edges_by_line(u);

	for (size_t i = 0; i < l->facts->references.n; i++) {
		const struct reference *r = &l->facts->references.v[i];
		if (!r->receiver || !program_has_external(u->program, r->name))
			continue;
		if (has_edge(edges, u->edges.n, r) || !reference_is_unclear(l, r))
			continue;
		void **at = map_at(u->out->unclear, r->name);
		*at = (void *)((uintptr_t)*at + 1);
	}
}

/* The path of a module in its repository. */
static const char *module_path(const struct lacking_module *m, struct arena *a)
{
	const char *path = external_path(m->file), *slash = strrchr(path, '/');

	if (!m->in_folder)
		return arena_str(a, path);
	return slash ? arena_strn(a, path, (size_t)(slash - path)) : "";
}

/* Add a use of what a module no longer has; nothing if there is no such module. */
static void put_gone(struct use_finder *u, struct lacking_module m, const char *name,
    enum edge_kind kind, int definition, uint32_t line)
{
	const struct name_resolver *l = &u->resolver;
	struct found_use *out;

	if (!m.file)
		return;
	u->out->v = grow(u->out->v, &u->out->cap, u->out->n + 1, sizeof *u->out->v);
	out = &u->out->v[u->out->n++];
	*out = (struct found_use){
		.path = arena_str(u->a, l->file->path),
		.line = line,
		.kind = edge_name(kind),
		.confidence = CONFIDENCE_PACKAGE,
		.reason = USE_GONE,
		.repository = (size_t)m.file->origin - 1,
		.target_path = module_path(&m, u->a),
		.symbol = arena_str(u->a, name),
		.symbol_kind = "",
	};
	if (definition >= 0)
		out->in = arena_str(u->a, l->facts->definitions.v[definition].qualified);
}

/* What the code takes from modules that no longer have it. */
static void find_gone(struct use_finder *u)
{
	struct name_resolver *l = &u->resolver;
	const struct edge **edges = edges_by_line(u);

	for (size_t i = 0; i < l->facts->imports.n; i++) {
		const struct import *x = &l->facts->imports.v[i];
		put_gone(u, gone_import(l, x), x->name, EDGE_IMPORTS, x->definition, x->line);
	}
	for (size_t i = 0; i < l->facts->references.n; i++) {
		const struct reference *r = &l->facts->references.v[i];
		if (r->receiver && !has_edge(edges, u->edges.n, r))
			put_gone(u, gone_member(l, r), r->name, EDGE_REFERENCES, r->definition, r->line);
	}
}

/*
 * Whether both edges are of one reference, and of definitions with one full name: overloads, or
 * what several platforms or files have of their own (Kotlin's expect and actual, modules of Ruby).
 */
static bool is_overload(struct name_resolver *l, const struct edge *x, const struct edge *y)
{
	const struct sym *a, *b;
	const struct source_file *f, *g;

	if (!x->target || !y->target || x->line != y->line || x->kind != y->kind)
		return false;
	a = named_definition(l, x);
	b = named_definition(l, y);
	if (strcmp(a->qualified, b->qualified))
		return false;
	f = sym_file(l, a);
	g = sym_file(l, b);
	if (f == g || f->origin != g->origin)
		return f == g;
	return f->dialect->parts || (f->package && texts_equal(f->package, g->package));
}

/*
 * Overloads share the confidence of a reference; which of them it is does not matter here.  Each
 * gets that of all.
 */
static void join_overloads(struct use_finder *u)
{
	struct edge *v = u->edges.v;

	for (size_t from = 0, to; from < u->edges.n; from = to) {
		int total = v[from].confidence;
		for (to = from + 1; to < u->edges.n; to++) {
			if (!is_overload(&u->resolver, &v[from], &v[to]))
				break;
			total += v[to].confidence;
		}
		for (size_t i = from; i < to; i++)
			v[i].confidence = MAX(v[i].confidence, MIN(total, CONFIDENCE_SHARED));
	}
}

static void find_in_file(struct use_finder *u)
{
	struct name_resolver *l = &u->resolver;
	bool by_include = l->file->dialect->share == SHARE_PROGRAM && l->file->dialect->headers.n;
	struct included_files included = { .n = 0 };

	u->edges.n = 0;
	file_edges_find_each(l, &u->edges);
	count_unclear(u);
	find_gone(u);
	join_overloads(u);
	if (by_include)
		find_included(l, &included);
	for (size_t i = 0; i < u->edges.n; i++) {
		const struct edge *x = &u->edges.v[i];
		if (!is_external_use(l, x))
			continue;
		if (interface_is_namespace(sym_file(l, x->target)->dialect, x->target->kind))
			continue;
		if (!by_include || includes_origin(&included, x->file->origin))
			put_use(u, x);
	}
}

/* ---- all files ---- */

static int find_uses(struct use_finder *u, struct source_file *f, struct err *e)
{
	struct stmt *s = db_prep(u->db, "select facts from facts where file = ?", e);
	struct facts x;
	size_t n;

	if (!s || db_bind(s, "i", f->id))
		return -1;
	int rc = db_step(s, e);
	if (rc != 1)
		return rc;
	const void *bytes = db_blob(s, 0, &n);
	rc = facts_decode(bytes, n, u->resolver.a, &x, e);
	db_step(s, rc ? NULL : e);	/* ends the statement; the first error stays */
	if (rc)
		return err_add(e, "%s", f->path);
	resolver_begin(&u->resolver, f, &x);
	find_in_file(u);
	return 0;
}

static int compare_names(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int by_place(const void *a, const void *b)
{
	const struct found_use *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	if (!c)
		c = (x->line > y->line) - (x->line < y->line);
	if (!c)
		c = (x->repository > y->repository) - (x->repository < y->repository);
	if (!c)
		c = compare_names(x->symbol, y->symbol);
	if (!c)
		c = compare_names(x->target_path, y->target_path);
	if (!c)
		c = y->confidence - x->confidence;
	if (!c)
		c = strcmp(x->kind, y->kind);
	return c;
}

static bool is_same_use(const struct found_use *x, const struct found_use *y)
{
	if (x->line != y->line || x->repository != y->repository || strcmp(x->path, y->path))
		return false;
	return !strcmp(x->symbol, y->symbol) && !strcmp(x->target_path, y->target_path);
}

/* Keep one use of a definition in a line: the surest. */
static void merge_uses(struct found_uses *out)
{
	size_t n = 0;

	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_place);
	for (size_t i = 0; i < out->n; i++)
		if (!n || !is_same_use(&out->v[n - 1], &out->v[i]))
			out->v[n++] = out->v[i];
	out->n = n;
}

void found_uses_free(struct found_uses *x)
{
	free(x->v);
	map_free(x->unclear);
	*x = (struct found_uses){ 0 };
}

static int find_in_candidates(struct use_finder *u, struct err *e)
{
	struct program *w = u->program;
	struct int_map *files = use_candidates_find(w, u->resolver.a, e);
	int rc = 0;

	if (!files)
		return -1;
	arena_reset(u->resolver.a);
	for (size_t i = 0; !rc && i < w->nfiles; i++) {
		struct source_file *f = &w->files[i];
		if (f->origin || !f->dialect || !int_map_get(files, (uint64_t)f->id))
			continue;
		rc = find_uses(u, f, e);
		arena_reset(u->resolver.a);
	}
	int_map_free(files);
	return rc;
}

int uses_find(struct db *db, const struct external_repository *v, size_t n, struct arena *a,
    struct found_uses *out, struct err *e)
{
	struct program *w = program_begin(db, e);
	int rc = -1;

	if (!w)
		return -1;
	if (!out->unclear)
		out->unclear = map_new();
	struct use_finder u = { .db = db, .program = w, .a = a, .out = out };
	u.resolver.w = w;
	u.resolver.a = arena_new();
	rc = external_files_add(w, v, n, e);
	if (!rc) {
		program_finish(w);
		rc = find_in_candidates(&u, e);
	}
	if (!rc && e->code)
		rc = -1;	/* a lookup failed, and returned nothing */
	merge_uses(out);
	resolver_release(&u.resolver);
	arena_free(u.resolver.a);
	free(u.edges.v);
	program_free(w);
	return rc;
}
