#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/crossfile/bind_handlers_internal.h"

/* Documents in several files: the operations that `$ref: paths/users.yaml` includes. */

static int by_place(const void *a, const void *b)
{
	const struct bound_operation *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	if (!c)
		c = (x->o.line > y->o.line) - (x->o.line < y->o.line);
	if (!c)
		c = strcmp(x->o.method, y->o.method);
	if (c)
		return c;
	return strcmp(x->o.path, y->o.path);
}

/* A name in a JSON pointer: ~1 is a slash. */
static const char *unescaped(struct handler_binder *x, const char *name)
{
	struct buf b = { 0 };

	for (; *name; name++) {
		if (name[0] == '~' && name[1] == '1') {
			buf_byte(&b, '/');
			name++;
		} else {
			buf_byte(&b, *name);
		}
	}
	const char *out = arena_strn(x->a, b.p, b.n);
	buf_free(&b);
	return out;
}

/* Add the operations that a path refers to; an item that is a whole file is named `.`. */
static void expand_reference(struct handler_binder *x, size_t at, size_t before)
{
	const char *ref = x->v[at].o.name, *hash = strchr(ref, '#'), *item = ".";

	if (hash) {
		ref = arena_strn(x->a, ref, (size_t)(hash - ref));
		item = unescaped(x, hash + 1 + (hash[1] == '/'));
	}
	const char *file = bind_handlers_resolve_path(x, x->v[at].path, ref);
	for (size_t i = 0; i < before; i++) {
		if (strcmp(x->v[i].o.kind, "item") || strcmp(x->v[i].path, file) ||
		    strcmp(x->v[i].o.path, item))
			continue;
		x->v = grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
		struct bound_operation a = { .o = x->v[i].o, .file = x->v[i].file, .path = x->v[i].path };
		a.o.kind = "http";
		a.o.path = x->v[at].o.path;
		a.o.bare = x->v[at].o.bare;
		x->v[x->n++] = a;
	}
}

void bind_handlers_expand_references(struct handler_binder *x)
{
	size_t before = x->n, n = 0;

	for (size_t i = 0; i < before; i++)
		if (!strcmp(x->v[i].o.kind, "reference"))
			expand_reference(x, i, before);
	for (size_t i = 0; i < x->n; i++)
		if (strcmp(x->v[i].o.kind, "reference") && strcmp(x->v[i].o.kind, "item"))
			x->v[n++] = x->v[i];
	if (n && x->n > before)
		qsort(x->v, n, sizeof *x->v, by_place);
	x->n = n;
}
