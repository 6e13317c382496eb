#include <string.h>

#include "proto/base/arena.h"
#include "shard/contracts/crossfile/bind_handlers_internal.h"

/*
 * What generated code itself serves and requests.  A program's own code answers the routes that its
 * generated server registers, and sends the requests of its generated client; then the facts are
 * there.  A repository that only holds a generated client is a client library: its functions are
 * the requests.  The same holds for a server whose handlers are elsewhere.
 */

static bool is_form(const struct bound_operation *a, const char *form)
{
	return !strcmp(a->o.form, form);
}

/* Whether the fact is of the operation: at its line, or within its function. */
static bool is_of_operation(const struct code_fact *c, const struct bound_operation *a)
{
	return c->file == a->file && c->fact.line >= a->o.line && c->fact.line <= a->o.end_line &&
	    !strcmp(c->fact.kind, "http");
}

static bool is_side(const struct code_fact *c, const char *side)
{
	return !strcmp(c->fact.side, side);
}

void bind_handlers_complete_servers(struct handler_binder *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct bound_operation *a = &x->v[i];
		if (!is_form(a, "openapi-server"))
			continue;
		for (size_t k = 0; k < x->ngenerated; k++) {
			const struct code_fact *c = &x->generated[k];
			if (!is_of_operation(c, a) || !is_side(c, "provides") || c->fact.line != a->o.line)
				continue;
			if (strcmp(c->fact.method, a->o.method) || !strcmp(c->fact.path, a->o.path))
				continue;
			a->o.bare = a->o.path;
			a->o.path = c->fact.path;
		}
	}
}

/* Whether code that is not generated, tests among it, has a function of that name. */
static bool is_defined(struct handler_binder *x, const char *name)
{
	struct definition_position at;

	for (const struct sym *s = program_find_name(x->w, name); s; s = s->next)
		if (kind_is_callable(s->kind) && bind_handlers_position(x, s, &at) && !at.generated)
			return true;
	return false;
}

/* Whether a document says the route, and somebody answers it or the document is the service's. */
static bool is_documented(const struct handler_binder *x, const struct code_fact *c)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct bound_operation *a = &x->v[i];
		if (!is_form(a, "openapi") || (!a->by && !a->documented))
			continue;
		if (!strcmp(a->o.method, c->fact.method) && !strcmp(a->o.path, c->fact.path))
			return true;
	}
	return false;
}

static void put(struct handler_binder *x, const struct bound_operation *a,
    const struct code_fact *c, const char *path)
{
	struct fact f = c->fact;

	f.scope = NULL;
	f.path = path;
	bind_handlers_put_fact(x, a->file, c->file, &f);
}

/* The route of a generated server whose handler is not of this repository. */
static void put_route(struct handler_binder *x, const struct bound_operation *a)
{
	const char *name = a->o.name, *dot = NULL;

	if (name)
		dot = strrchr(name, '.');
	if (dot)
		name = dot + 1;
	if (a->by || !name || is_defined(x, name))
		return;
	for (size_t i = 0; i < x->ngenerated; i++) {
		const struct code_fact *c = &x->generated[i];
		if (is_side(c, "provides") && is_of_operation(c, a) && !is_documented(x, c))
			put(x, a, c, c->fact.path);
	}
}

static bool is_known(const char *path)
{
	return strcmp(path, "{}") && strcmp(path, "/{}");
}

/* Whether code that is not generated makes the function's request, through a wrapper: it stands. */
static bool is_made_by_wrapper(const struct handler_binder *x, const struct bound_operation *a)
{
	for (size_t i = 0; i < x->ncode; i++) {
		const struct code_fact *c = &x->code[i];
		if (is_side(c, "consumes") && is_of_operation(c, a) &&
		    !strcmp(c->fact.method, a->o.method) && is_known(c->fact.path))
			return true;
	}
	return false;
}

/* The request of a generated client's function: where the code makes it, else at the function. */
static void put_request(struct handler_binder *x, const struct bound_operation *a)
{
	bool found = is_made_by_wrapper(x, a);

	for (size_t i = 0; i < x->ngenerated; i++) {
		const struct code_fact *c = &x->generated[i];
		if (!is_side(c, "consumes") || !is_of_operation(c, a))
			continue;
		if (!strcmp(c->fact.method, a->o.method) && is_known(c->fact.path)) {
			put(x, a, c, c->fact.path);
			found = true;
		}
	}
	if (!found)
		bind_handlers_put_call(x, a, a->file, a->path, a->o.line, a->o.label);
}

/* Whether hand-written code of the project calls a generated client. */
static bool is_called_in_project(struct handler_binder *x, const struct bound_operation *a)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i].called && bind_handlers_same_project(x, x->v[i].path, a->path))
			return true;
	return false;
}

void bind_handlers_put_generated(struct handler_binder *x)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct bound_operation *a = &x->v[i];
		if (is_form(a, "openapi-server"))
			put_route(x, a);
		else if (is_form(a, "openapi-client") && !is_called_in_project(x, a))
			put_request(x, a);
	}
}
