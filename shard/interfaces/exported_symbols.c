#include "shard/interfaces/exported_symbols.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "shard/base/kinds.h"
#include "shard/facts/facts.h"
#include "shard/interfaces/interface_facts.h"
#include "shard/interfaces/package_interfaces.h"
#include "shard/program/module_rules.h"
#include "shard/storage/symbol_store.h"

/* A definition, before it is known whether it is on the page. */
struct export_row {
	uint64_t uses;
	size_t file; /* index in the package */
	size_t at; /* index in the file */
	int64_t line;
};

struct export_list {
	struct db *db;
	const struct package_contents *package;
	const struct exports_req *q;
	struct map *uses; /* path, line feed, qualified name -> number */
	struct arena *file; /* what is read of one file */
	struct {
		struct export_row *v;
		size_t n, cap;
	} rows;
	uint64_t unused;
};

/* ---- one file ---- */

static int read_file(
    struct export_list *l, const char *path, struct stored_symbols *out, struct err *e)
{
	struct stmt *s = db_prep(l->db, "select id from files where path = ?", e);
	int64_t id = 0;
	int rc;

	*out = (struct stored_symbols){ 0 };
	if (!s || db_bind(s, "S", path))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		id = db_int(s, 0);
	if (rc || !id)
		return rc;
	return symbols_read(l->db, id, l->file, out, e);
}

/* The part of the definitions that decides what is in an interface. */
static const struct definition *heads(const struct stored_symbols *s, struct arena *a)
{
	struct definition *v = arena_many(a, s->n + 1, struct definition);

	for (size_t i = 0; i < s->n; i++)
		v[i] = (struct definition){
			.kind = s->v[i].kind,
			.parent = (int)s->v[i].up,
			.exported = s->v[i].exported,
			.test = s->v[i].test,
		};
	return v;
}

/* Whether its uses are its own. */
static bool has_own_uses(const struct dialect *d, const struct stored_symbol *s)
{
	enum kind kind = kind_of(s->kind);

	if (interface_is_namespace(d, kind))
		return false;
	return kind != KIND_constructor || s->up < 0;
}

static bool is_asked(const struct exports_req *q, const struct stored_symbol *s)
{
	if (text_is_set(q->kind) && strcmp(q->kind, s->kind))
		return false;
	return !text_is_set(q->name) || strcasestr(s->qualified, q->name);
}

static uint64_t uses_of(const struct export_list *l, const char *path, const char *symbol)
{
	return (uintptr_t)map_get(l->uses, arena_printf(l->file, "%s\n%s", path, symbol));
}

static void add_row(struct export_list *l, size_t file, size_t at, const struct stored_symbol *s)
{
	uint64_t uses = uses_of(l, l->package->files[file].path, s->qualified);

	if (!uses && !s->exported)
		return;
	l->unused += !uses;
	if (uses && l->q->unused)
		return;
	l->rows.v = grow(l->rows.v, &l->rows.cap, l->rows.n + 1, sizeof *l->rows.v);
	l->rows.v[l->rows.n++] = (struct export_row){ uses, file, at, s->start_line };
}

static int add_file(struct export_list *l, size_t file, struct err *e)
{
	const struct interface_file *f = &l->package->files[file];
	const struct dialect *d = dialect_find(f->language);
	struct stored_symbols s;

	if (!d) /* a manifest */
		return 0;
	if (read_file(l, f->path, &s, e))
		return -1;
	const int *shown = interface_places(
	    heads(&s, l->file), s.n, interface_is_included(d, f->path), l->file);
	for (size_t i = 0; i < s.n; i++)
		if (shown[i] >= 0 && has_own_uses(d, &s.v[i]) && is_asked(l->q, &s.v[i]))
			add_row(l, file, i, &s.v[i]);
	return 0;
}

/* ---- the page ---- */

static int by_uses(const void *a, const void *b)
{
	const struct export_row *x = a, *y = b;
	int c = compare_numbers(x->uses, y->uses);

	if (!c)
		c = compare_numbers(x->file, y->file);
	if (!c)
		c = compare_signed(x->line, y->line);
	if (!c)
		c = compare_numbers(x->at, y->at);
	return c;
}

static struct exported_symbol symbol_of(
    const struct export_row *r, const char *path, const struct stored_symbol *s, struct arena *a)
{
	return (struct exported_symbol){
		.symbol = arena_str(a, s->qualified),
		.kind = arena_str(a, s->kind),
		.signature = arena_str(a, s->signature),
		.path = arena_str(a, path),
		.line = (uint64_t)s->start_line,
		.end_line = (uint64_t)s->end_line,
		.uses = r->uses,
	};
}

/* Rows of one file are mostly neighbours: it is read once for all of these. */
static int put_page(struct export_list *l, struct arena *a, struct exports_res *out, struct err *e)
{
	size_t from = MIN(l->q->offset, l->rows.n), n = MIN(l->q->limit, l->rows.n - from);
	struct stored_symbols s = { 0 };
	size_t file = SIZE_MAX;

	out->symbols.v = arena_many(a, n + 1, struct exported_symbol);
	for (size_t i = from; i < from + n; i++) {
		const struct export_row *r = &l->rows.v[i];
		const char *path = l->package->files[r->file].path;
		if (r->file != file) {
			arena_reset(l->file);
			if (read_file(l, path, &s, e))
				return -1;
		}
		file = r->file;
		out->symbols.v[out->symbols.n++] = symbol_of(r, path, &s.v[r->at], a);
	}
	return 0;
}

static void take_counts(struct export_list *l)
{
	for (size_t i = 0; i < l->q->counts.n; i++) {
		const struct used_count *c = &l->q->counts.v[i];
		*map_at(l->uses,
		    arena_printf(l->file, "%s\n%s", c->path, c->symbol)) = (void *)(uintptr_t)c->uses;
		arena_reset(l->file);
	}
}

int exported_symbols_page(struct db *index, const struct package_contents *package,
    const struct exports_req *q, struct arena *a, struct exports_res *out, struct err *e)
{
	struct export_list l = {
		.db = index, .package = package, .q = q, .uses = map_new(), .file = arena_new()
	};
	int rc = 0;

	take_counts(&l);
	for (size_t i = 0; i < package->n && !rc; i++) {
		rc = add_file(&l, i, e);
		arena_reset(l.file);
	}
	if (l.rows.n)
		qsort(l.rows.v, l.rows.n, sizeof *l.rows.v, by_uses);
	out->total = l.rows.n;
	out->unused = l.unused;
	if (!rc)
		rc = put_page(&l, a, out, e);
	free(l.rows.v);
	map_free(l.uses);
	arena_free(l.file);
	return rc;
}
