#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/db/db.h"
#include "shard/contracts/crossfile/bind_handlers_internal.h"

/*
 * Documents of a service whose code has no known handlers.  Such a document is taken for the
 * service's own only if its project is a server, does not generate clients from documents,
 * registers no routes, and requests none of these paths.
 */

/* A document and the operations of it, from `first` on. */
struct document_range {
	size_t first, n;
	const char *project;		/* the folder of its nearest manifest; NULL: there is none */
};

/* Whether one path is the other, or ends with it. */
static bool same_end(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	if (n < m)
		return same_end(b, a);
	return !strcmp(a + n - m, b) && m > 1;
}

static bool below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return !n || (!strncmp(path, dir, n) && path[n] == '/');
}

/* Whether code serves or requests the operation, whatever comes before its path. */
static bool has_known_handler(const struct handler_binder *x, const struct operation *o)
{
	const char *path = o->path;

	if (o->bare)
		path = o->bare;
	for (size_t i = 0; i < x->ncode; i++) {
		const struct fact *f = &x->code[i].fact;
		if (f->scope || strcmp(f->kind, "http") || !same_end(f->path, path))
			continue;
		if (!strcmp(f->method, o->method) || !strcmp(f->method, "ANY"))
			return true;
	}
	return false;
}

/* Whether the code of a project registers routes, other than those that nearly every server has. */
static bool has_routes(const struct handler_binder *x, const char *project)
{
	for (size_t i = 0; i < x->ncode; i++) {
		const struct fact *f = &x->code[i].fact;
		if (strcmp(f->kind, "http") || strcmp(f->side, "provides"))
			continue;
		if (below(f->file, project) && !bind_handlers_is_common_route(x, f->path))
			return true;
	}
	return false;
}

static bool is_service(struct handler_binder *x, struct document_range *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (x->v[w->first + i].by || has_known_handler(x, &x->v[w->first + i].o))
			return false;
	w->project = bind_handlers_project(x, x->v[w->first].path);
	return w->project && bind_handlers_is_server(x, w->project) && !has_routes(x, w->project);
}

void bind_handlers_mark_documented(struct handler_binder *x)
{
	for (size_t i = 0, n; i < x->n; i += n) {
		for (n = 1; i + n < x->n && x->v[i + n].file == x->v[i].file; n++)
			;
		struct document_range w = { .first = i, .n = n };
		bool service = !strcmp(x->v[i].o.form, "openapi") && is_service(x, &w);
		for (size_t k = 0; service && k < n; k++)
			x->v[i + k].documented = true;
	}
}
