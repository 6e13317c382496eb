#include "shard/uses/reference_finder.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/graph/file_edges.h"
#include "shard/program/program.h"
#include "shard/program/resolver.h"
#include "shard/storage/edge_store.h"

struct reference_finder {
	struct db *db;
	const struct used_symbol *symbol;
	struct source_file *file;	/* of the definition */
	struct arena *a;		/* of the results */
	struct name_resolver resolver;
	struct edge_list edges;
	struct {
		struct symbol_reference *v;
		size_t n, cap;
	} found;
};

static struct source_file *file_with_id(struct program *w, int64_t id)
{
	for (size_t i = 0; i < w->nfiles; i++)
		if (w->files[i].id == id)
			return &w->files[i];
	return NULL;
}

static struct source_file *file_at_path(struct program *w, const char *path)
{
	for (size_t i = 0; path && i < w->nfiles; i++)
		if (!strcmp(w->files[i].path, path))
			return &w->files[i];
	return NULL;
}

static bool is_wanted(const struct reference_finder *f, const struct edge *x)
{
	if (!x->target || x->kind == EDGE_TESTS || x->file != f->file)
		return false;
	return !strcmp(x->target->qualified, f->symbol->symbol);
}

static void add(struct reference_finder *f, const struct edge *x)
{
	const struct name_resolver *l = &f->resolver;
	struct symbol_reference *out;

	f->found.v = grow(f->found.v, &f->found.cap, f->found.n + 1, sizeof *f->found.v);
	out = &f->found.v[f->found.n++];
	*out = (struct symbol_reference){
		.path = arena_str(f->a, l->file->path),
		.line = x->line,
		.kind = edge_name(x->kind),
		.confidence = (double)x->confidence / 100,
		.reason = x->reason,
	};
	if (x->source >= 0)
		out->in = arena_str(f->a, l->facts->definitions.v[x->source].qualified);
}

static void find_in_facts(struct reference_finder *f, struct source_file *at, const struct facts *x)
{
	resolver_begin(&f->resolver, at, x);
	f->edges.n = 0;
	file_edges_find_each(&f->resolver, &f->edges);
	for (size_t i = 0; i < f->edges.n; i++)
		if (is_wanted(f, &f->edges.v[i]))
			add(f, &f->edges.v[i]);
}

static int find_in_file(struct reference_finder *f, struct source_file *at, struct err *e)
{
	struct stmt *s = db_prep(f->db, "select facts from facts where file = ?", e);
	struct facts x;
	size_t n;

	if (!at || !at->dialect)
		return 0;
	if (!s || db_bind(s, "i", at->id))
		return -1;
	int rc = db_step(s, e);
	if (rc != 1)
		return rc;
	const void *bytes = db_blob(s, 0, &n);
	rc = facts_decode(bytes, n, f->resolver.a, &x, e);
	db_step(s, rc ? NULL : e);	/* ends the statement; the first error stays */
	if (!rc)
		find_in_facts(f, at, &x);
	arena_reset(f->resolver.a);
	return rc;
}

static int by_place(const void *a, const void *b)
{
	const struct symbol_reference *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	if (!c)
		c = (x->line > y->line) - (x->line < y->line);
	if (!c)
		c = strcmp(x->kind, y->kind);
	if (c)
		return c;
	return (x->confidence < y->confidence) - (x->confidence > y->confidence);
}

static bool is_same(const struct symbol_reference *x, const struct symbol_reference *y)
{
	return x->line == y->line && !strcmp(x->path, y->path) && !strcmp(x->kind, y->kind);
}

static void take_page(
    struct reference_finder *f, const struct references_req *q, struct references_res *out)
{
	size_t n = 0;

	if (f->found.n)
		qsort(f->found.v, f->found.n, sizeof *f->found.v, by_place);
	for (size_t i = 0; i < f->found.n; i++)
		if (!n || !is_same(&f->found.v[n - 1], &f->found.v[i]))
			f->found.v[n++] = f->found.v[i];
	size_t from = MIN(q->offset, n);
	out->total = n;
	out->references.n = MIN(n - from, q->limit);
	out->references.v = arena_many(f->a, out->references.n + 1, struct symbol_reference);
	if (out->references.n)
		memcpy(out->references.v, f->found.v + from, out->references.n * sizeof *f->found.v);
}

static int find_in_files(struct reference_finder *f, struct program *w, int64_t until_ms,
    struct references_res *out, struct err *e)
{
	int64_t *files;
	size_t n;

	if (edges_incoming_files(f->db, f->file->id, f->a, &files, &n, e))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (until_ms && clock_ms() > until_ms) {
			out->stopped = true;
			return 0;
		}
		if (find_in_file(f, file_with_id(w, files[i]), e))
			return -1;
	}
	return 0;
}

int references_find(struct db *db, const struct references_req *q, int64_t until_ms,
    struct arena *a, struct references_res *out, struct err *e)
{
	struct program *w = program_open(db, e);
	int rc = 0;

	if (!w)
		return -1;
	struct reference_finder f = { .db = db, .symbol = q->symbol, .a = a };
	f.resolver.w = w;
	f.resolver.a = arena_new();
	f.file = file_at_path(w, q->symbol->path);
	if (f.file)
		rc = find_in_files(&f, w, until_ms, out, e);
	if (!rc && e->code)
		rc = -1;	/* a lookup failed, and returned nothing */
	take_page(&f, q, out);
	free(f.found.v);
	free(f.edges.v);
	resolver_release(&f.resolver);
	arena_free(f.resolver.a);
	program_free(w);
	return rc;
}
