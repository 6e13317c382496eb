#include "shard/interfaces/imported_modules.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "shard/base/kinds.h"
#include "shard/facts/facts.h"
#include "shard/program/module_rules.h"

enum { MAX_MISSING = 2000 };

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct strs sorted_keys(const struct map *m, struct arena *a)
{
	struct strs out = { .v = arena_many(a, map_len(m) + 1, const char *), .n = map_len(m) };

	for (size_t i = 0; i < out.n; i++)
		out.v[i] = arena_str(a, map_key(m, i));
	if (out.n)
		qsort(out.v, out.n, sizeof *out.v, by_text);
	return out;
}

/* ---- of a file ---- */

void list_includes(const struct dialect *d, const struct facts *f, struct buf *out)
{
	buf_str(out, "");
	for (size_t i = 0; d && d->headers.n && i < f->imports.n; i++)
		if (f->imports.v[i].include)
			buf_printf(out, "%s\n", f->imports.v[i].module);
}

/* Whether its imports begin with the name of a package or namespace. */
static bool imports_by_name(const struct dialect *d)
{
	return d && d->scheme == SCHEME_NAME && !d->headers.n && !d->path_package;
}

void list_imports(const struct dialect *d, const struct facts *f, struct buf *out)
{
	buf_str(out, "");
	for (size_t i = 0; imports_by_name(d) && i < f->imports.n; i++) {
		const struct import *x = &f->imports.v[i];
		if (!x->include && *x->module &&
		    !word_list_has(&d->external, x->module, strcspn(x->module, ".")))
			buf_printf(out, "%s %s\n", dialect_ecosystem(d), x->module);
	}
}

void list_modules(
    const struct dialect *d, const struct facts *f, const char *package, struct buf *out)
{
	const char *dot = package && *package ? "." : "";

	buf_str(out, "");
	if (!imports_by_name(d))
		return;
	if (*dot && f->definitions.n)
		buf_printf(out, "%s %s\n", dialect_ecosystem(d), package);
	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *x = &f->definitions.v[i];
		if (kind_of(x->kind) == KIND_module)
			buf_printf(out, "%s %s%s%s\n", dialect_ecosystem(d), package ? package : "", dot,
			    x->qualified);
	}
}

/* ---- of a repository ---- */

/* Note every path that can mean a header: its ends behind a slash. */
static void add_tails(struct map *m, const char *path)
{
	for (const char *tail = path; tail; tail = strchr(tail, '/')) {
		tail += *tail == '/';
		*map_at(m, tail) = m;
	}
}

static int read_own_paths(struct db *cache, struct map *own, struct err *e)
{
	struct stmt *s = db_prep(cache, "select path from shown", e);
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1)
		add_tails(own, db_str(s, 0));
	return rc;
}

/* A header as it is included, without the dots at its beginning. */
static const char *included_path(const char *line, size_t n, struct arena *a)
{
	const char *path = arena_strn(a, line, n);

	while (*path == '.' || *path == '/')
		path++;
	return path;
}

static int read_includes(
    struct db *cache, const struct map *own, struct map *missing, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(cache, "select includes from shown where includes <> ''", e);
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1)
		for (const char *line = db_str(s, 0); *line;) {
			size_t n = strcspn(line, "\n");
			const char *path = included_path(line, n, a);
			if (*path && !map_get(own, path) && map_len(missing) < MAX_MISSING)
				*map_at(missing, path) = missing;
			line += n + (line[n] == '\n');
		}
	return rc;
}

int missing_includes(struct db *cache, struct arena *a, struct strs *out, struct err *e)
{
	struct map *own = map_new(), *missing = map_new();
	int rc = read_own_paths(cache, own, e);

	if (!rc)
		rc = read_includes(cache, own, missing, a, e);
	*out = sorted_keys(missing, a);
	map_free(own);
	map_free(missing);
	return rc;
}

/* Note the lines of a column of the cache, except those in `known`. */
static int read_lines(struct db *cache, const char *sql, const struct map *known, struct map *lines,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(cache, sql, e);
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1)
		for (const char *line = db_str(s, 0); *line;) {
			size_t n = strcspn(line, "\n");
			const char *name = arena_strn(a, line, n);
			if (!known || !map_get(known, name))
				*map_at(lines, name) = lines;
			line += n + 1;
		}
	return rc;
}

int missing_imports(struct db *cache, struct arena *a, struct strs *out, struct err *e)
{
	struct map *own = map_new(), *missing = map_new();
	int rc = read_lines(cache, "select modules from shown where modules <> ''", NULL, own, a, e);

	if (!rc)
		rc = read_lines(cache, "select imports from shown where imports <> ''", own, missing, a, e);
	*out = sorted_keys(missing, a);
	if (out->n > MAX_MISSING)
		out->n = MAX_MISSING;
	map_free(own);
	map_free(missing);
	return rc;
}
