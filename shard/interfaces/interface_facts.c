#include "shard/interfaces/interface_facts.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/kinds.h"
#include "shard/facts/facts.h"
#include "shard/program/module_paths.h"
#include "shard/program/module_rules.h"

/*
 * Whether a definition outside of all others is test code: modules and functions are, but the name
 * of a type alone says nothing (TestClient).
 */
static bool is_test(const struct definition *d)
{
	return d->test && !(d->exported && kind_is_type(kind_of(d->kind)));
}

/* Whether code sees it that does not include the file, unlike what is in headers. */
static bool is_linked(const struct definition *d)
{
	enum kind kind = kind_of(d->kind);

	if (!d->exported || kind == KIND_macro)
		return false;
	return kind_is_callable(kind) || kind == KIND_module;
}

bool interface_is_included(const struct dialect *d, const char *path)
{
	const char *dot = strrchr(path, '.');

	if (!d || !d->headers.n)
		return true;
	return dot && word_list_has(&d->headers, dot + 1, strlen(dot + 1));
}

bool interface_is_namespace(const struct dialect *d, enum kind kind)
{
	if (kind != KIND_module)
		return false;
	return d->headers.n || (d->parts && d->share == SHARE_PACKAGE);
}

int *interface_places(const struct definition *v, size_t count, bool included, struct arena *a)
{
	int *at = arena_many(a, count + 1, int), n = 0;

	for (size_t i = 0; i < count; i++) {
		const struct definition *d = &v[i];
		enum kind up = KIND_module;
		bool hidden = false;
		if (d->parent >= 0) {
			up = kind_of(v[d->parent].kind);
			hidden = at[d->parent] < 0 || kind_is_callable(up);
		} else if (is_test(d) || kind_of(d->kind) == KIND_field) {
			hidden = true; /* a field without its type is one of broken code */
		}
		if (!included && up == KIND_module)
			hidden |= !is_linked(d);
		at[i] = -1;
		if (!hidden)
			at[i] = n++;
	}
	return at;
}

/* Whether what belongs to a definition, or to the file (-1), is in the interface. */
static bool is_kept(const int *at, int definition)
{
	return definition < 0 || at[definition] >= 0;
}

static int place(const int *at, int definition)
{
	if (definition < 0)
		return -1;
	return at[definition];
}

static void take_definitions(
    const struct facts *f, const int *at, struct arena *a, struct facts *out)
{
	out->definitions.v = arena_many(a, f->definitions.n + 1, struct definition);
	for (size_t i = 0; i < f->definitions.n; i++) {
		if (at[i] < 0)
			continue;
		struct definition *d = &out->definitions.v[out->definitions.n++];
		*d = f->definitions.v[i];
		d->parent = place(at, d->parent);
		d->start_line = d->end_line = d->start_byte = d->end_byte = 0;
	}
}

static void take_imports(const struct facts *f, const int *at, struct arena *a, struct facts *out)
{
	out->imports.v = arena_many(a, f->imports.n + 1, struct import);
	for (size_t i = 0; i < f->imports.n; i++) {
		if (!is_kept(at, f->imports.v[i].definition))
			continue;
		struct import *x = &out->imports.v[out->imports.n++];
		*x = f->imports.v[i];
		x->definition = place(at, x->definition);
	}
}

static void take_bases(const struct facts *f, const int *at, struct arena *a, struct facts *out)
{
	out->bases.v = arena_many(a, f->bases.n + 1, struct base_type);
	for (size_t i = 0; i < f->bases.n; i++) {
		if (!is_kept(at, f->bases.v[i].definition))
			continue;
		struct base_type *x = &out->bases.v[out->bases.n++];
		*x = f->bases.v[i];
		x->definition = place(at, x->definition);
		x->line = 0;
	}
}

/* Parameters count arguments; the other locals are those that types of other files depend on. */
static void take_locals(const struct facts *f, const int *at, struct arena *a, struct facts *out)
{
	const bool *shared = facts_shared_locals(f, a);

	out->locals.v = arena_many(a, f->locals.n + 1, struct local);
	for (size_t i = 0; i < f->locals.n; i++) {
		const struct local *l = &f->locals.v[i];
		bool wanted = shared[i] || (l->parameter && l->definition >= 0);
		if (!wanted || !is_kept(at, l->definition))
			continue;
		struct local *x = &out->locals.v[out->locals.n++];
		*x = *l;
		x->definition = place(at, l->definition);
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The place of a line among the lines that the interface mentions. */
static uint32_t rank_of(const uint32_t *lines, size_t n, uint32_t line)
{
	const uint32_t *at = bsearch(&line, lines, n, sizeof *lines, by_number);

	return (uint32_t)(at - lines) + 1;
}

/*
 * Number the lines of imports and locals: which comes first, and what stands in one line, is all
 * that counts.
 */
static void rank_lines(struct arena *a, struct facts *out)
{
	uint32_t *lines = arena_many(a, out->imports.n + out->locals.n + 1, uint32_t);
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < out->imports.n; i++)
		lines[n++] = out->imports.v[i].line;
	for (size_t i = 0; i < out->locals.n; i++)
		lines[n++] = out->locals.v[i].line;
	qsort(lines, n, sizeof *lines, by_number);
	for (size_t i = 0; i < n; i++)
		if (!kept || lines[kept - 1] != lines[i])
			lines[kept++] = lines[i];
	for (size_t i = 0; i < out->imports.n; i++)
		out->imports.v[i].line = rank_of(lines, kept, out->imports.v[i].line);
	for (size_t i = 0; i < out->locals.n; i++)
		out->locals.v[i].line = rank_of(lines, kept, out->locals.v[i].line);
}

void interface_facts(const struct facts *f, bool included, struct arena *a, struct facts *out)
{
	const int *at = interface_places(f->definitions.v, f->definitions.n, included, a);

	*out = (struct facts){ .package = f->package };
	take_definitions(f, at, a, out);
	take_imports(f, at, a, out);
	take_bases(f, at, a, out);
	take_locals(f, at, a, out);
	rank_lines(a, out);
}
