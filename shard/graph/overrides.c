#include "shard/graph/overrides.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/graph/file_edges.h"
#include "shard/program/file_symbols.h"
#include "shard/program/name_resolution.h"

enum { STEPS = 500, CONFIDENCE_IMPLICIT = 60, MAX_METHODS = 256, MAX_NAMED = 64 };

static void put(struct name_resolver *l, struct edge_list *out, enum edge_kind kind, int source,
    const struct sym *target, int confidence, const char *reason, uint32_t line)
{
	if (!reason)
		reason = "file";
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = (struct edge){
		.source = source,
		.kind = kind,
		.file = sym_file(l, target),
		.target = target,
		.confidence = confidence,
		.reason = reason,
		.line = line,
	};
}

static bool is_interface(const struct sym *s)
{
	return s->kind == KIND_interface || s->kind == KIND_trait;
}

static enum edge_kind relation(
    const struct base_type *b, const struct sym *type, const struct sym *base)
{
	if (b->relation == BASE_EITHER) {
		if (is_interface(base) && !is_interface(type))
			return EDGE_IMPLEMENTS;
		return EDGE_EXTENDS;
	}
	if (b->relation == BASE_IMPLEMENTS)
		return EDGE_IMPLEMENTS;
	return EDGE_EXTENDS;
}

static bool same_arity(const struct name_resolver *l, const struct sym *a, const struct sym *b)
{
	const struct dialect *d = l->file->dialect;

	if (!d->overloads || a->most < 0 || b->most < 0)
		return true;
	return a->most == b->most;
}

static bool overridable(const struct sym *s)
{
	return (s->kind == KIND_method || s->kind == KIND_function) && kind_is_callable(s->kind);
}

/* OVERRIDES of a method for the methods of that name in a base. */
static void put_overrides(struct name_resolver *l, struct edge_list *out, const struct sym *method,
    const struct sym *base, int confidence, const char *reason)
{
	uint32_t line = l->facts->definitions.v[method->index].start_line;

	l->steps = STEPS;
	struct resolved_value v = inherit_member(l, base, method->name);
	for (size_t i = 0; v.what == RESOLVED_SYMBOLS && i < v.n; i++) {
		const struct sym *s = v.v[i];
		if (s != method && overridable(s) && same_arity(l, method, s))
			put(l, out, EDGE_OVERRIDES, method->index, s, MIN(confidence, CONFIDENCE_TYPE), reason,
			    line);
	}
}

/* Compare the methods of a type in this file with those of one of its bases. */
static void override(struct name_resolver *l, struct edge_list *out, const struct sym *type,
    const struct sym *base, int confidence, const char *reason)
{
	const struct file_symbols *u = program_file_symbols(l->w, l->file);
	size_t n, len = strlen(type->qualified);
	const uint32_t *below = file_symbols_find_members(u, type->qualified, &n);

	for (size_t i = 0; i < n; i++) {
		const struct sym *s = &u->v[below[i]];
		bool direct = !strcmp(s->qualified + len + 1, s->name);
		if (direct && overridable(s))
			put_overrides(l, out, s, base, confidence, reason);
	}
}

static void put_declared_bases(
    struct name_resolver *l, struct edge_list *out, const struct sym *type)
{
	const struct file_symbols *u = program_file_symbols(l->w, l->file);
	struct resolved_value v;
	const struct base_type *b;

	for (size_t i = 0;; i++) {
		l->steps = STEPS;
		if (!inherit_base(l, type, i, &v, &b))
			return;
		int confidence = v.confidence;
		if (v.n > 1)
			confidence = CONFIDENCE_SHARED / (int)v.n;
		/* otherwise another part of the type declares it */
		bool declared_here = b >= u->bases && b < u->bases + u->nbases;
		for (size_t k = 0; v.what == RESOLVED_SYMBOLS && k < v.n; k++) {
			const struct sym *base = v.v[k];
			if (base == type)
				continue;
			if (declared_here)
				put(l, out, relation(b, type, base), type->index, base, confidence, v.reason,
				    b->line);
			override(l, out, type, base, confidence, "inherited");
		}
	}
}

/* ---- interfaces that are implemented without a declaration (Go) ---- */

struct method_set {
	const struct sym *v[MAX_METHODS];
	size_t n;
};

static int by_index(const void *a, const void *b)
{
	const struct sym *x = *(const struct sym *const *)a, *y = *(const struct sym *const *)b;

	return (x->index > y->index) - (x->index < y->index);
}

/* Add the methods of a type in one file, in order of position. */
static void methods_of_file(
    struct name_resolver *l, struct source_file *f, const struct sym *type, struct method_set *out)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	size_t n, found = 0;
	const uint32_t *below = file_symbols_find_members(u, type->qualified, &n);
	const struct sym **v = arena_many(l->a, n + 1, const struct sym *);

	for (size_t i = 0; i < n; i++)
		if (u->v[below[i]].kind == KIND_method)
			v[found++] = &u->v[below[i]];
	if (found)
		qsort(v, found, sizeof(const struct sym *), by_index);
	for (size_t i = 0; i < found && out->n < MAX_METHODS; i++)
		out->v[out->n++] = v[i];
}

static void methods_of_folder(
    struct name_resolver *l, const struct sym *type, struct method_set *out)
{
	resolver_record_type_members(l, l->file->dir, type->qualified);
	const struct file_list *files = resolver_files_in_dir(l, l->file->dir);
	for (size_t i = 0; i < files->n; i++)
		if (files->v[i]->dialect == l->file->dialect)
			methods_of_file(l, files->v[i], type, out);
}

static const struct sym *method_named(const struct method_set *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (!strcmp(m->v[i]->name, name))
			return m->v[i];
	return NULL;
}

/* A method that is defined outside of its type counts its receiver as a parameter. */
static bool same_parameters(const struct sym *method, const struct sym *of_interface)
{
	int more = method->most - of_interface->most;

	if (method->most < 0 || of_interface->most < 0)
		return true;
	return more == 0 || more == 1;
}

/* The number of the interface's methods if all of them are in `m`; otherwise 0. */
static size_t count_covered_methods(
    struct name_resolver *l, const struct method_set *m, const struct sym *interface)
{
	const struct file_symbols *u = resolver_type_bases(
	    l, sym_file(l, interface), interface->qualified);
	size_t n = 0;

	for (size_t i = 0; i < u->nbases; i++)
		if (u->bases[i].definition == interface->index)
			return 0;	/* embeds others */
	for (size_t i = 0; i < u->n; i++) {
		if (u->v[i].parent != interface->index || u->v[i].kind != KIND_method)
			continue;
		const struct sym *mine = method_named(m, u->v[i].name);
		if (!mine || !same_parameters(mine, &u->v[i]))
			return 0;
		n++;
	}
	return n;
}

static void put_implementation(struct name_resolver *l, struct edge_list *out,
    const struct sym *type, const struct method_set *m, const struct sym *interface)
{
	const struct file_symbols *u = program_file_symbols(l->w, sym_file(l, interface));
	uint32_t line = l->facts->definitions.v[type->index].start_line;

	put(l, out, EDGE_IMPLEMENTS, type->index, interface, CONFIDENCE_IMPLICIT, "type", line);
	for (size_t i = 0; i < u->n; i++) {
		const struct sym *mine = NULL;
		if (u->v[i].parent == interface->index)
			mine = method_named(m, u->v[i].name);
		if (mine && mine->file == l->file->place)
			put(l, out, EDGE_OVERRIDES, mine->index, &u->v[i], CONFIDENCE_IMPLICIT, "type",
			    l->facts->definitions.v[mine->index].start_line);
	}
}

/* The interfaces that were checked for a type. */
struct checked_interfaces {
	const struct sym *v[MAX_NAMED];
	size_t n;
};

/* Add an interface; false if it was checked before, or there is no room. */
static bool add_interface(struct checked_interfaces *c, const struct sym *interface)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i] == interface)
			return false;
	if (c->n == MAX_NAMED)
		return false;
	c->v[c->n++] = interface;
	return true;
}

/* Whether the file imports the folder. */
static bool imports_folder(struct name_resolver *l, const char *dir)
{
	const struct file_symbols *u = resolver_file_scope(l, l->file);

	for (size_t i = 0; i < u->nimports; i++) {
		struct resolved_value v = import_value(l, l->file, &u->imports[i]);
		if (v.what == RESOLVED_DIR && !strcmp(v.text, dir))
			return true;
	}
	return false;
}

/* Whether the type may be meant to implement the interface: of other repositories only imported ones. */
static bool may_implement(struct name_resolver *l, const struct sym *interface)
{
	const struct source_file *f = sym_file(l, interface);

	return interface->kind == KIND_interface && (!f->origin || imports_folder(l, f->dir));
}

static void structural(struct name_resolver *l, struct edge_list *out, const struct sym *type)
{
	struct method_set m = { .n = 0 };
	struct checked_interfaces checked = { .n = 0 };

	methods_of_folder(l, type, &m);
	for (size_t i = 0; i < m.n; i++) {
		const struct sym *named[MAX_NAMED];
		size_t n = resolver_find_iface_methods(l, m.v[i]->name, named, MAX_NAMED);
		for (size_t k = 0; k < n && k < MAX_NAMED; k++) {
			const struct sym *interface = sym_parent(l, named[k]);
			if (!interface || !may_implement(l, interface))
				continue;
			if (!add_interface(&checked, interface))
				continue;
			if (count_covered_methods(l, &m, interface))
				put_implementation(l, out, type, &m, interface);
		}
	}
}

void overrides_find(struct name_resolver *l, struct edge_list *out)
{
	const struct file_symbols *u = program_file_symbols(l->w, l->file);

	for (size_t i = 0; i < u->n; i++) {
		if (!kind_is_type(u->v[i].kind))
			continue;
		put_declared_bases(l, out, &u->v[i]);
		if (l->file->dialect->structural && !is_interface(&u->v[i]))
			structural(l, out, &u->v[i]);
	}
}
