#include "shard/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "shard/edge_store.h"
#include "shard/edges.h"
#include "shard/facts_codec.h"
#include "shard/look.h"
#include "shard/uses.h"

/* One run over the files that are to be resolved. */
struct run {
	struct db *db;
	struct world *w;
	struct look look;
	struct edge_list edges;
	struct { int32_t *v; size_t n, cap; } keys;	/* of the file at hand */
	struct err *e;
};

static int64_t id_of(const struct world *w, const struct file *f, int index)
{
	return index < 0 ? 0 : world_unit((struct world *)w, (struct file *)f)->v[index].id;
}

static int write_edges(struct run *r, const struct file *f)
{
	struct stored_edge *v = arena_many(r->look.a, r->edges.n + 1, struct stored_edge);

	for (size_t i = 0; i < r->edges.n; i++) {
		const struct edge *x = &r->edges.v[i];
		v[i] = (struct stored_edge){ .source = id_of(r->w, f, x->source), .kind = x->kind, .target_file = x->file->id,
			.target = x->target ? x->target->id : 0, .confidence = x->confidence, .reason = x->reason,
			.line = x->line };
	}
	return edges_put(r->db, f->id, v, r->edges.n, r->e);
}

static int write_uses(struct run *r, const struct file *f)
{
	r->keys.n = 0;
	for (size_t i = 0; i < r->look.keys.size; i++)
		if (r->look.keys.v[i]) {
			r->keys.v = grow(r->keys.v, &r->keys.cap, r->keys.n + 1, sizeof *r->keys.v);
			r->keys.v[r->keys.n++] = (int32_t)r->look.keys.v[i];
		}
	return uses_put(r->db, f->id, r->keys.v, r->keys.n, r->e);
}

static int resolve_facts(struct run *r, struct file *f, const void *bytes, size_t n)
{
	struct facts x = { 0 };

	r->look.a = arena_new();
	int rc = facts_decode(bytes, n, r->look.a, &x, r->e);
	if (!rc) {
		look_begin(&r->look, f, &x);
		edges_find(&r->look, &r->edges);
		rc = r->e->code || write_uses(r, f) || write_edges(r, f) ? -1 : 0;
	}
	arena_free(r->look.a);
	return rc;
}

static int resolve_file(struct run *r, struct file *f)
{
	struct stmt *s;
	size_t n;

	if (!f->dialect)
		return 0;
	if (!(s = db_prep(r->db, "select facts from facts where file = ?", r->e)) ||
	    db_bind(s, "i", f->id))
		return -1;
	int rc = db_step(s, r->e);
	if (rc != 1)
		return rc;
	const void *bytes = db_blob(s, 0, &n);
	struct buf copy = { 0 };	/* the statement serves others meanwhile */
	buf_put(&copy, bytes, n);
	while ((rc = db_step(s, r->e)) == 1)
		;
	rc = rc ? rc : resolve_facts(r, f, copy.p, copy.n);
	buf_free(&copy);
	return rc;
}

static int run_begin(struct run *r, struct db *db, struct err *e)
{
	*r = (struct run){ .db = db, .e = e };
	r->w = world_new(db, e);
	r->look.w = r->w;
	return r->w ? 0 : -1;
}

static void run_end(struct run *r)
{
	look_fini(&r->look);
	free(r->edges.v);
	free(r->keys.v);
	world_free(r->w);
}

int resolve_all(struct db *db, struct err *e)
{
	struct run r;
	int rc = run_begin(&r, db, e);

	rc = rc ? rc : world_load(r.w);
	for (size_t i = 0; !rc && i < r.w->nfiles; i++)
		rc = resolve_file(&r, &r.w->files[i]);
	run_end(&r);
	return rc;
}

/* ---- some ---- */

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

struct ids {
	int64_t *v;
	size_t n, cap;
};

static void ids_add(struct ids *ids, int64_t id)
{
	ids->v = grow(ids->v, &ids->cap, ids->n + 1, sizeof *ids->v);
	ids->v[ids->n++] = id;
}

static void add_user(void *arg, int64_t file)
{
	ids_add(arg, file);
}

/* The files, and all that use one of the keys; in order, each once. */
static int to_resolve(struct db *db, const int64_t *files, size_t nfiles, const int64_t *keys, size_t nkeys, struct ids *out,
    struct err *e)
{
	int32_t *wanted = malloc((nkeys + 1) * sizeof *wanted);
	size_t n = 0;

	if (!wanted)
		abort();
	for (size_t i = 0; i < nkeys; i++)
		wanted[i] = (int32_t)keys[i];
	for (size_t i = 0; i < nfiles; i++)
		ids_add(out, files[i]);
	int rc = uses_find(db, wanted, nkeys, add_user, out, e);
	free(wanted);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_number);
	for (size_t i = 0; i < out->n; i++)
		if (!n || out->v[n - 1] != out->v[i])
			out->v[n++] = out->v[i];
	out->n = n;
	return rc;
}

static bool among(const struct ids *ids, int64_t id)
{
	return ids->n && bsearch(&id, ids->v, ids->n, sizeof id, by_number);
}

int resolve_some(struct db *db, const int64_t *files, size_t nfiles, const int64_t *keys, size_t nkeys, int64_t **touched,
    size_t *ntouched, struct err *e)
{
	struct ids ids = { 0 };
	struct run r;
	int rc = run_begin(&r, db, e);

	rc = rc ? rc : to_resolve(db, files, nfiles, keys, nkeys, &ids, e);
	for (size_t i = 0; !rc && i < ids.n; i++)
		rc = edges_drop(db, ids.v[i], e);
	for (size_t i = 0; !rc && i < r.w->nfiles; i++)
		if (among(&ids, r.w->files[i].id))
			rc = resolve_file(&r, &r.w->files[i]);
	run_end(&r);
	*touched = ids.v;
	*ntouched = ids.n;
	return rc;
}
