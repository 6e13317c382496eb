/* What modules export, what imports bring, and what resolve knows of names of other files. */
#include "shard/contracts/urls/value_origin_internal.h"

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

/*
 * What the whole file gives to a name, in whatever function: module.exports in one that is called
 * at once.
 */
static const struct binding *binding_anywhere(const struct syntax_tree *t, const char *name)
{
	const struct binding *found = NULL;

	for (size_t i = 0; i < t->bindings.n; i++)
		if (!strcmp(t->bindings.v[i].name, name))
			found = &t->bindings.v[i];
	return found;
}

static const char *const defaults[] = { "default", "module.exports" };

struct origin origin_default_export(struct dataflow_context *a, struct contract_file *in)
{
	for (size_t i = 0; i < LEN(defaults); i++) {
		const struct binding *b = binding_anywhere(in->t, defaults[i]);
		if (b)
			return origin_at_binding(a, in, b, NULL);
	}
	return origin_unknown;
}

/* What the module offers of others under the name. */
static struct origin origin_reexported(
    struct dataflow_context *a, struct contract_file *in, const char *name, int depth)
{
	struct origin o = origin_unknown;

	for (size_t i = 0; i < in->facts->imports.n && depth < 4 && !o.what; i++) {
		const struct import *x = &in->facts->imports.v[i];
		bool all = !x->name || !strcmp(x->name, "*");
		if (!x->again || !x->module || (!all && strcmp(x->alias ? x->alias : x->name, name)))
			continue;
		struct source_file *f = other_files_module(a->join, in, x->module);
		struct contract_file *r = NULL;
		if (f)
			r = other_files_read(a->join, f);
		if (r)
			o = origin_exported(a, r, all ? name : x->name, depth + 1);
	}
	return o;
}

struct origin origin_assigned_member(
    struct dataflow_context *a, const struct origin *object, const char *name)
{
	struct contract_file *in = object->at.in;
	const char *full = object->what == ORIGIN_NODE && object->name ?
	    arena_printf(a->a, "%s.%s", object->name, name) :
	    NULL;
	const struct binding *b = NULL;

	if (full)
		b = find_local_binding(in->t, full, strlen(full), node_start_byte(object->at.n), NULL);
	if (b)
		return origin_at_binding(a, in, b, object->at.given);
	return origin_unknown;
}

struct origin origin_exported(
    struct dataflow_context *a, struct contract_file *in, const char *name, int depth)
{
	static const char *const before[] = { "", "exports.", "module.exports." };
	struct origin o = origin_unknown;

	if (!strcmp(name, "default") && (o = origin_default_export(a, in)).what)
		return o;
	for (size_t i = 0; i < LEN(before); i++) {
		const char *full = arena_printf(a->a, "%s%s", before[i], name);
		const struct binding *b = i ? binding_anywhere(in->t, full) :
		                              find_local_binding(in->t, full, strlen(full), 0, NULL);
		if (b && (i || !b->from))
			return origin_at_binding(a, in, b, NULL);
	}
	for (size_t i = 0; i < in->found->n; i++)
		if (!strcmp(in->found->v[i].def.qualified, name))
			return origin_at_definition(a, in, (int)i);
	if (strcmp(name, "default") && (o = origin_default_export(a, in)).what == ORIGIN_NODE) {
		struct expression m = origin_member(a, o.at, name);
		if (!ts_node_is_null(m.n))
			return origin_follow(a, m, name);
		struct origin put = origin_assigned_member(a, &o, name);
		if (put.what)
			return put;
	}
	return origin_reexported(a, in, name, depth);
}

/* ---- objects that are written out ---- */

struct expression origin_member(
    struct dataflow_context *a, struct expression object, const char *name)
{
	struct origin o = origin_of(a, object);

	if (o.what == ORIGIN_MODULE)
		o = origin_default_export(a, o.at.in);
	if (o.what != ORIGIN_NODE || !literal_is_object(o.at.n))
		return (struct expression){ 0 };
	return literal_member(a, o.at, name);
}

/* ---- names ---- */

struct origin origin_imported(
    struct dataflow_context *a, struct contract_file *in, const char *name)
{
	for (size_t i = 0; a->join && in->file && i < in->facts->imports.n; i++) {
		const struct import *x = &in->facts->imports.v[i];
		if (!x->module || !x->name || strcmp(x->alias ? x->alias : x->name, name))
			continue;
		struct source_file *f = other_files_module(a->join, in, x->module);
		struct contract_file *r = NULL;
		if (f)
			r = other_files_read(a->join, f);
		if (r)
			return origin_exported(a, r, x->name, 0);
	}
	return origin_unknown;
}

/*
 * The file whose default a name is by an import: resolve knows what that is, which may be a thing
 * of a library's.
 */
static struct source_file *default_of(
    struct dataflow_context *a, struct contract_file *in, const char *name)
{
	for (size_t i = 0; i < in->facts->imports.n; i++) {
		const struct import *x = &in->facts->imports.v[i];
		if (x->module && x->name && x->alias && !strcmp(x->name, "default") &&
		    !strcmp(x->alias, name))
			return other_files_module(a->join, in, x->module);
	}
	return NULL;
}

/*
 * Whether the name is that of a module whose default is an object: resolve takes what stands in it
 * for that.
 */
static bool exports_object(struct dataflow_context *a, struct contract_file *in, const char *name,
    const struct contract_file *there)
{
	const struct binding *b = binding_anywhere(there->t, "default");

	return b && literal_is_object(b->value) && default_of(a, in, name) == there->file;
}

struct origin origin_other_file(struct dataflow_context *a, struct expression t, const char *chain)
{
	const struct sym *s;
	struct source_file *f;
	int found;

	a->unknown = true;
	for (const char *sign; (sign = strstr(chain, "::"));)	/* Ruby's Settings::USERS is one node */
		chain = arena_printf(a->a, "%.*s.%s", (int)(sign - chain), chain, sign + 2);
	if (!a->join || !t.in->file)
		return origin_unknown;
	if (!(found = other_files_resolve_name(a->join, t.in, t.n, chain, &s, &f))) {
		if ((f = default_of(a, t.in, chain)))
			found = 2;
		else
			found = 0;
	}
	if (!found)
		return origin_unknown;
	struct contract_file *r = other_files_read(a->join, f);
	if (!r)
		return origin_unknown;
	if (found == 2 || exports_object(a, t.in, chain, r))
		return (struct origin){ .what = ORIGIN_MODULE, .at = { .in = r } };
	if (s->index < 0 || (size_t)s->index >= r->found->n ||
	    strcmp(r->found->v[s->index].def.name, s->name))
		return origin_unknown;
	return origin_at_definition(a, r, s->index);
}
