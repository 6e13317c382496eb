#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/db/db.h"
#include "shard/contracts/crossfile/bind_handlers_internal.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/symbol_store.h"

/* Calls of the functions of generated clients (generated_clients.c): each is a request. */

enum { SURE = 50 };

static bool is_client(const struct bound_operation *a)
{
	return !strcmp(a->o.form, "openapi-client");
}

/* The operation that a function of a generated file requests; NULL: none, or one of several. */
static const struct bound_operation *operation_of_function(
    struct handler_binder *x, const struct bound_operation *first, size_t n, const char *qualified)
{
	const char *dot = strrchr(qualified, '.'), *name = qualified;
	const struct bound_operation *one = NULL;

	for (size_t i = 0; i < n; i++)
		if (is_client(&first[i]) && !strcmp(first[i].o.label, qualified))
			return &first[i];
	if (dot)
		name = dot + 1;
	name = generated_name(name, x->a);
	for (size_t i = 0; i < n; i++) {
		const struct operation *o = &first[i].o;
		if (!is_client(&first[i]) || strcmp(o->name, name))
			continue;
		if (one && (strcmp(one->o.path, o->path) || strcmp(one->o.method, o->method)))
			return NULL;
		one = &first[i];
	}
	return one;
}

/* The qualified name of a definition by its id; NULL: there is none, or `id` is 0. */
static const char *qualified_of(struct handler_binder *x, int64_t id)
{
	struct stmt *s = db_prep(x->db, "select qualified from symbols where id = ?", x->e);
	const char *out = NULL;

	if (!id || !s || db_bind(s, "i", id))
		return NULL;
	while (db_step(s, x->e) == 1)
		out = arena_str(x->a, db_str(s, 0));
	return out;
}

/* The path of a file that is neither a test nor generated, or NULL. */
static const char *handwritten_path(struct handler_binder *x, int64_t file)
{
	struct stmt *s = db_prep(
	    x->db, "select path from files where id = ? and not test and not generated", x->e);
	const char *out = NULL;

	if (!s || db_bind(s, "i", file))
		return NULL;
	while (db_step(s, x->e) == 1)
		out = arena_str(x->a, db_str(s, 0));
	return out;
}

bool bind_handlers_first_call(
    struct handler_binder *x, const struct sym *s, struct fact *out, int64_t *file)
{
	int64_t target = symbol_id(x->w->files[s->file].id, (int64_t)s->number), *files;
	struct stored_edges edges;
	size_t n = 0;

	if (edges_incoming_files(x->db, x->w->files[s->file].id, x->a, &files, &n, x->e))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *path = handwritten_path(x, files[i]);
		if (!path || edges_read(x->db, files[i], x->a, &edges, x->e))
			continue;
		for (size_t k = 0; k < edges.n; k++) {
			const struct stored_edge *c = &edges.v[k];
			if (c->kind != EDGE_CALLS || c->target != target || c->confidence < SURE)
				continue;
			*out = (struct fact){ .file = path,
				.line = c->line,
				.end_line = c->line,
				.symbol = qualified_of(x, c->source) };
			*file = files[i];
			return true;
		}
	}
	return false;
}

static int calls_from(
    struct handler_binder *x, struct bound_operation *first, size_t n, int64_t file)
{
	const char *path = handwritten_path(x, file);
	struct stored_edges edges;

	if (!path || file == first->file)
		return 0;
	if (edges_read(x->db, file, x->a, &edges, x->e))
		return -1;
	for (size_t i = 0; i < edges.n; i++) {
		const struct stored_edge *c = &edges.v[i];
		if (c->kind != EDGE_CALLS || c->target_file != first->file || !c->target ||
		    c->confidence < SURE)
			continue;
		const char *target = qualified_of(x, c->target);
		const struct bound_operation *made = NULL;
		if (target)
			made = operation_of_function(x, first, n, target);
		if (made && bind_handlers_same_project(x, path, first->path))
			first->called = true;
		if (made)
			bind_handlers_put_call(x, made, file, path, c->line, qualified_of(x, c->source));
	}
	return 0;
}

int bind_handlers_callers(struct handler_binder *x)
{
	int rc = 0;

	for (size_t i = 0, n; !rc && i < x->n; i += n) {
		int64_t *files;
		size_t nfiles = 0;
		bool clients = false;
		for (n = 0; i + n < x->n && x->v[i + n].file == x->v[i].file; n++)
			clients |= is_client(&x->v[i + n]);
		if (!clients)
			continue;
		rc = edges_incoming_files(x->db, x->v[i].file, x->a, &files, &nfiles, x->e);
		for (size_t k = 0; !rc && k < nfiles; k++)
			rc = calls_from(x, &x->v[i], n, files[k]);
	}
	return rc;
}
