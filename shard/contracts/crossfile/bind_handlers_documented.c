#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/db/db.h"
#include "shard/contracts/crossfile/bind_handlers_internal.h"

/*
 * Documents of a service whose code says nothing: a document that nobody implements is taken for the service's own only where
 * its project is a server, has nothing that makes clients of documents, registers no routes, and asks for none of these paths.
 */

/* A document and the operations of it, from `first` on. */
struct whole {
	size_t first, n;
	const char *project;		/* the folder of its nearest manifest; NULL: there is none */
};

/* Whether one path is the other, or ends with it after what stands in front. */
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

/* Whether code answers or asks for what an operation says, whatever comes before its path. */
static bool spoken_of(const struct answers *x, const struct operation *o)
{
	const char *path = o->bare ? o->bare : o->path;

	for (size_t i = 0; i < x->ncode; i++) {
		const struct fact *f = &x->code[i].fact;
		if (!strcmp(f->kind, "http") && !f->scope && (!strcmp(f->method, o->method) || !strcmp(f->method, "ANY")) && same_end(f->path, path))
			return true;
	}
	return false;
}

/* Whether the code of a project registers routes, but for those that nearly every server has. */
static bool has_routes(const struct answers *x, const char *project)
{
	for (size_t i = 0; i < x->ncode; i++) {
		const struct fact *f = &x->code[i].fact;
		if (!strcmp(f->kind, "http") && !strcmp(f->side, "provides") && below(f->file, project) && !answer_ordinary(x, f->path))
			return true;
	}
	return false;
}

static bool is_service(struct answers *x, struct whole *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (x->v[w->first + i].by || spoken_of(x, &x->v[w->first + i].o))
			return false;
	w->project = answer_project(x, x->v[w->first].path);
	return w->project && answer_serves(x, w->project) && !has_routes(x, w->project);
}

void answers_document(struct answers *x)
{
	for (size_t i = 0, n; i < x->n; i += n) {
		for (n = 1; i + n < x->n && x->v[i + n].file == x->v[i].file; n++)
			;
		struct whole w = { .first = i, .n = n };
		bool service = !strcmp(x->v[i].o.form, "openapi") && is_service(x, &w);
		for (size_t k = 0; service && k < n; k++)
			x->v[i + k].documented = true;
	}
}
