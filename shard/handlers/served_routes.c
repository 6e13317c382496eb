#include "shard/handlers/served_routes.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "proto/text/symbol_match.h"

struct route_rows {
	struct route_row *v;
	size_t n, cap;
};

static int by_file(const void *a, const void *b)
{
	const struct reached_definition *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	if (!c)
		c = compare_numbers(x->depth, y->depth);
	if (c)
		return c;
	return compare_numbers(x->line, y->line);
}

/*
 * Whether this definition is the handler that the route's fact names: `h.list` and `Handler.list`
 * both end in `list`.
 */
static bool handles(const struct fact *f, const struct reached_definition *x)
{
	if (!f->symbol || !x->node.symbol)
		return false;
	return !strcmp(f->symbol, x->qualified) ||
	    !strcmp(symbol_base_name(f->symbol), symbol_base_name(x->qualified));
}

static bool registers(const struct fact *f, const struct reached_definition *x)
{
	return x->line && x->line >= f->line && x->line <= f->end_line;
}

/* The depth at which the definition serves the route; -1 if it does not. */
static int64_t depth_by(const struct fact *f, const struct reached_definition *x)
{
	if (handles(f, x))
		return (int64_t)x->depth;
	if (!registers(f, x))
		return -1;
	if (x->depth && !x->called)
		return (int64_t)x->depth - 1;
	return (int64_t)x->depth;
}

/* The smallest depth at which any of them serves the route of this fact; -1 if none does. */
static int64_t depth_of(const struct fact *f, const struct reached_definition *v, size_t n)
{
	int64_t best = -1;

	for (size_t i = 0; i < n; i++) {
		int64_t depth = depth_by(f, &v[i]);
		if (depth < 0)
			continue;
		if (best < 0 || depth < best)
			best = depth;
	}
	return best;
}

/* Adds the routes of one file that any of the `n` definitions in it serves. */
static int of_file(struct db *db, const struct reached_definition *v, size_t n,
    struct route_rows *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select fact from contracts where file = ? order by line, fact", e);
	int rc;

	if (!s || db_bind(s, "i", v->node.file))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		struct fact f;
		size_t size;
		const void *p = db_blob(s, 0, &size);
		if (codec_get(&rec_fact, &f, p, size, a, e))
			return -1;
		int64_t depth = -1;
		if (!strcmp(f.side, "provides"))
			depth = depth_of(&f, v, n);
		if (depth < 0)
			continue;
		out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = (struct route_row){ .kind = f.kind, .method = f.method, .path = f.path,
			.framework = f.framework, .handler = f.symbol, .file = f.file, .line = f.line,
			.end_line = f.end_line, .depth = (uint64_t)depth };
	}
	return rc;
}

static int by_depth(const void *a, const void *b)
{
	const struct route_row *x = a, *y = b;
	int c = compare_numbers(x->depth, y->depth);

	if (!c)
		c = strcmp(x->file, y->file);
	if (!c)
		c = compare_numbers(x->line, y->line);
	if (!c)
		c = strcmp(x->path, y->path);
	if (c)
		return c;
	return strcmp(x->method, y->method);
}

int served_routes(struct db *db, struct reached_definition *v, size_t n, struct route_list *out,
    struct arena *a, struct err *e)
{
	struct route_rows l = { 0 };
	int rc = 0;

	if (n)
		qsort(v, n, sizeof *v, by_file);
	size_t i = 0;
	while (!rc && i < n) {
		size_t end = i + 1;
		while (end < n && v[end].node.file == v[i].node.file)
			end++;
		rc = of_file(db, v + i, end - i, &l, a, e);
		i = end;
	}
	if (l.n)
		qsort(l.v, l.n, sizeof *l.v, by_depth);
	out->n = 0;
	if (!rc)
		out->n = l.n;
	out->v = arena_many(a, out->n + 1, struct route_row);
	if (out->n)
		memcpy(out->v, l.v, out->n * sizeof *l.v);
	free(l.v);
	return rc;
}
