/* What modules export, what imports bring, and what the resolver knows of names of other files. */
#include "shard/contracts/urls/value_origin_internal.h"

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

/*
 * What any function of the file assigns to a name: module.exports may be set in a function that is
 * called at once.
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

/* The name under which the file uses what an import brings. */
static const char *local_name(const struct import *x)
{
	if (x->alias)
		return x->alias;
	return x->name;
}

/* The file that an import names, read again; NULL if it is not of this repository. */
static struct contract_file *imported_file(
    struct dataflow_context *a, struct contract_file *in, const struct import *x)
{
	struct source_file *f = other_files_module(a->join, in, x->module);

	if (f)
		return other_files_read(a->join, f);
	return NULL;
}

/* What the module exports under the name from other modules. */
static struct origin origin_reexported(
    struct dataflow_context *a, struct contract_file *in, const char *name, int depth)
{
	struct origin o = origin_unknown;

	for (size_t i = 0; i < in->facts->imports.n && depth < 4 && !o.what; i++) {
		const struct import *x = &in->facts->imports.v[i];
		bool all = !x->name || !strcmp(x->name, "*");
		if (!x->again || !x->module || (!all && strcmp(local_name(x), name)))
			continue;
		struct contract_file *r = imported_file(a, in, x);
		if (r)
			o = origin_exported(a, r, all ? name : x->name, depth + 1);
	}
	return o;
}

struct origin origin_assigned_member(
    struct dataflow_context *a, const struct origin *object, const char *name)
{
	struct contract_file *in = object->at.in;

	if (object->what != ORIGIN_NODE || !object->name)
		return origin_unknown;
	const char *full = arena_printf(a->a, "%s.%s", object->name, name);
	const struct binding *b = find_local_binding(
	    in->t, full, strlen(full), node_start_byte(object->at.n), NULL);
	if (b)
		return origin_at_binding(a, in, b, object->at.given);
	return origin_unknown;
}

/* What the file itself assigns to an exported name, or NULL. */
static const struct binding *exported_binding(
    struct dataflow_context *a, const struct contract_file *in, const char *name)
{
	static const char *const before[] = { "exports.", "module.exports." };
	const struct binding *b = find_local_binding(in->t, name, strlen(name), 0, NULL);

	if (b && !b->from)
		return b;
	for (size_t i = 0; i < LEN(before); i++) {
		b = binding_anywhere(in->t, arena_printf(a->a, "%s%s", before[i], name));
		if (b)
			return b;
	}
	return NULL;
}

/* A member of the object that the module exports by default. */
static struct origin member_of_default(
    struct dataflow_context *a, struct contract_file *in, const char *name)
{
	struct origin o = origin_default_export(a, in);

	if (o.what != ORIGIN_NODE)
		return origin_unknown;
	struct expression m = origin_member(a, o.at, name);
	if (!ts_node_is_null(m.n))
		return origin_follow(a, m, name);
	return origin_assigned_member(a, &o, name);
}

struct origin origin_exported(
    struct dataflow_context *a, struct contract_file *in, const char *name, int depth)
{
	struct origin o = origin_unknown;
	bool is_default = !strcmp(name, "default");

	if (is_default)
		o = origin_default_export(a, in);
	if (o.what)
		return o;
	const struct binding *b = exported_binding(a, in, name);
	if (b)
		return origin_at_binding(a, in, b, NULL);
	for (size_t i = 0; i < in->found->n; i++)
		if (!strcmp(in->found->v[i].def.qualified, name))
			return origin_at_definition(a, in, (int)i);
	if (!is_default)
		o = member_of_default(a, in, name);
	if (o.what)
		return o;
	return origin_reexported(a, in, name, depth);
}

/* ---- object literals ---- */

enum { MAX_RETURNED = 4 };

/* The member of one of the objects that a function returns: of the last one that has it. */
static struct expression returned_member(
    struct dataflow_context *a, struct expression call, const char *name)
{
	struct expression returned[MAX_RETURNED], m = { 0 };
	size_t n = 0;

	if (--a->budget < 0)
		return m;
	a->depth++;
	n = origin_return_values(a, call, returned, MAX_RETURNED); /* none if that is too deep */
	bool several = n > 1;
	while (several && n-- && ts_node_is_null(m.n))
		m = origin_member(a, returned[n], name);
	a->depth--;
	return m;
}

struct expression origin_member(
    struct dataflow_context *a, struct expression object, const char *name)
{
	struct expression changed = changed_member(a, object, name);

	if (!ts_node_is_null(changed.n))
		return changed;
	struct origin o = origin_of(a, object);
	if (o.what == ORIGIN_MODULE)
		o = origin_default_export(a, o.at.in);
	if (o.what != ORIGIN_NODE)
		return (struct expression){ 0 };
	struct expression m = collection_member(o.at, name);
	if (!ts_node_is_null(m.n))
		return m;
	if (literal_is_object(o.at.n))
		return literal_member(a, o.at, name);
	m = literal_merged_member(a, o.at, name);
	if (ts_node_is_null(m.n))
		return returned_member(a, o.at, name);
	return m;
}

/* ---- names ---- */

struct origin origin_imported(
    struct dataflow_context *a, struct contract_file *in, const char *name)
{
	if (!a->join || !in->file)
		return origin_unknown;
	for (size_t i = 0; i < in->facts->imports.n; i++) {
		const struct import *x = &in->facts->imports.v[i];
		if (!x->module || !x->name || strcmp(local_name(x), name))
			continue;
		struct contract_file *r = imported_file(a, in, x);
		if (r)
			return origin_exported(a, r, x->name, 0);
	}
	return origin_unknown;
}

/* The file whose default export an import binds to the name, or NULL. */
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

/* Whether the name is that of a module whose default export is an object literal. */
static bool exports_object(struct dataflow_context *a, struct contract_file *in, const char *name,
    const struct contract_file *there)
{
	const struct binding *b = binding_anywhere(there->t, "default");

	return b && literal_is_object(b->value) && default_of(a, in, name) == there->file;
}

/* The chain with dots in place of `::`: Ruby's Settings::USERS is one node. */
static const char *with_dots(struct dataflow_context *a, const char *chain)
{
	for (;;) {
		const char *sign = strstr(chain, "::");
		if (!sign)
			return chain;
		chain = arena_printf(a->a, "%.*s.%s", (int)(sign - chain), chain, sign + 2);
	}
}

/*
 * The method of that name of the type around a node, by index, or -1: what a bare name calls where
 * a name may be a call.
 */
static int method_around(const struct contract_file *in, TSNode n, const char *name)
{
	const struct expr_rule *x = rules_expr(in->t, n);
	int type = enclosing_type_index(in, n);

	for (size_t i = 0; i < in->found->n && type >= 0 && x && x->calls; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->parent == type && d->signature && !strcmp(d->name, name))
			return (int)i;
	}
	return -1;
}

/* The type of the file that a node is the name of, by index, or -1. */
static int type_named_by(const struct contract_file *in, TSNode n, const char *name)
{
	int type = enclosing_type_index(in, n);

	if (type < 0 || strcmp(in->found->v[type].def.name, name))
		return -1;
	TSNode named = node_field(definition_node(in, type), "name");
	if (ts_node_is_null(named) || !ts_node_eq(named, n))
		return -1;
	return type;
}

/* What the name means before other files are known. */
static struct origin origin_this_file(
    struct dataflow_context *a, struct expression t, const char *chain)
{
	int found = method_around(t.in, t.n, chain);

	if (found < 0)
		found = type_named_by(t.in, t.n, chain);
	if (found < 0)
		return origin_unknown;
	return origin_at_definition(a, t.in, found);
}

struct origin origin_other_file(struct dataflow_context *a, struct expression t, const char *chain)
{
	const struct sym *s;
	struct source_file *f;

	a->unknown = true;
	chain = with_dots(a, chain);
	if (!a->join || !t.in->file)
		return origin_this_file(a, t, chain);
	int found = other_files_resolve_name(a->join, t.in, t.n, chain, &s, &f);
	if (!found) {
		f = default_of(a, t.in, chain);
		if (!f)
			return origin_unknown;
		found = 2;
	}
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
