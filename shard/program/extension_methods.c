/* Methods that are defined outside of the types whose objects they are called on. */
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/facts/qualified_name.h"
#include "shard/program/name_resolution.h"

enum { MAX_SAME_NAME = 32, MAX_BASE_DEPTH = 8 };

const char *extensions_receiver(struct name_resolver *l, const struct sym *s)
{
	if (!s->has_receiver || s->index < 0)
		return NULL;
	const struct local *x = scope_find_local(l, sym_file(l, s), s->index, RECEIVER_LOCAL, 0);
	if (!x)
		return NULL;
	return x->type;
}

/* The last name of a type, without its arguments. */
static size_t last_name(const char *type, const char **name)
{
	size_t n = strcspn(type, "<"), from = n;

	while (from && type[from - 1] != '.')
		from--;
	*name = type + from;
	return n - from;
}

static bool same_name(const char *a, const char *b)
{
	const char *x, *y;
	size_t n = last_name(a, &x);

	return n == last_name(b, &y) && !memcmp(x, y, n);
}

/* Whether `type` is `from`, or derived from it. */
static bool is_derived(
    struct name_resolver *l, const struct sym *type, const struct sym *from, int depth)
{
	struct resolved_value base;
	const struct base_type *b;

	if (type == from || syms_are_one_type(l, type, from))
		return true;
	if (depth >= MAX_BASE_DEPTH)
		return false;
	for (size_t i = 0;; i++) {
		if (resolver_out_of_steps(l) || !inherit_base(l, type, i, &base, &b))
			return false;
		for (size_t k = 0; base.what == RESOLVED_SYMBOLS && k < base.n; k++)
			if (is_derived(l, base.v[k], from, depth + 1))
				return true;
	}
}

/*
 * Whether objects of `types`, or of the type `text` if that is outside of this repository, may be
 * its receiver.
 */
static bool fits(struct name_resolver *l, const struct sym *s, const struct resolved_value *types,
    const char *text)
{
	const char *receiver = extensions_receiver(l, s);
	struct resolved_value wanted;

	if (!receiver)
		return false;
	wanted = infer_named_type(l, sym_file(l, s), s->index, receiver);
	if ((wanted.what == RESOLVED_SYMBOLS) != (types->what == RESOLVED_SYMBOLS))
		return false;
	if (wanted.what != RESOLVED_SYMBOLS)
		return text && same_name(text, receiver);
	for (size_t i = 0; i < types->n; i++)
		for (size_t k = 0; k < wanted.n; k++)
			if (is_derived(l, types->v[i], wanted.v[k], 0))
				return true;
	return false;
}

/* How many parts a name with dots has. */
static size_t part_count(const char *name)
{
	size_t n = 1;

	for (const char *c = name; *c; c++)
		n += *c == '.';
	return n;
}

/* Whether the name is that of a package, or is at most two parts below it: in a class of it. */
static bool is_just_below(const char *name, const char *package)
{
	size_t n = strlen(package);

	if (strncmp(name, package, n))
		return false;
	return !name[n] || (name[n] == '.' && part_count(name + n + 1) <= 2);
}

/* Whether a file imports the definition with this full name, or its package. */
static bool imports_extension(struct name_resolver *l, struct source_file *f, const char *full)
{
	const struct file_symbols *u = resolver_file_scope(l, f);

	for (size_t i = 0; i < u->nimports; i++) {
		const struct import *x = &u->imports[i];
		const char *imported = x->module;
		if (!imported)
			continue;
		if (x->name && strcmp(x->name, "*"))
			imported = name_with_prefix(l->a, imported, x->name);
		if (is_just_below(full, imported))
			return true;
	}
	return false;
}

/* Whether the file that is resolved imports an extension of another repository, or its package. */
static bool is_imported(struct name_resolver *l, const struct sym *s)
{
	const char *full = name_with_prefix(l->a, sym_file(l, s)->package, s->qualified);
	struct import_files files = scope_import_files(l, l->file);

	for (size_t i = 0; i < files.n; i++)
		if (imports_extension(l, files.v[i], full))
			return true;
	return l->file->package && is_just_below(full, l->file->package);
}

/* The extensions of that name: those of this repository, and those of others that are imported. */
static size_t find_extensions(
    struct name_resolver *l, const char *name, const struct sym **out, size_t max)
{
	const struct sym *v[MAX_SAME_NAME];
	size_t n = resolver_find_by_name(l, name, out, max),
	       more = resolver_find_external(l, name, v, MAX_SAME_NAME);

	n = MIN(n, max);
	more = MIN(more, MAX_SAME_NAME);
	for (size_t i = 0; i < more && n < max; i++)
		if (v[i]->has_receiver && is_imported(l, v[i]))
			out[n++] = v[i];
	return n;
}

struct resolved_value extensions_find(
    struct name_resolver *l, struct resolved_value of, const char *name)
{
	const struct sym *v[MAX_SAME_NAME];
	struct resolved_value out = { .confidence = CONFIDENCE_INHERITED, .reason = "type" }, types;
	const char *text = NULL;
	size_t n;

	of = generics_substitute(l, infer_instance(l, of));
	if (of.what == RESOLVED_TYPE_TEXT) {
		types = infer_named_type(l, of.file, of.definition, of.text);
		text = of.text;
	} else if (of.what == RESOLVED_INSTANCE) {
		types = of;
		types.what = RESOLVED_SYMBOLS;
	} else {
		return resolved_unknown();
	}
	n = find_extensions(l, name, v, MAX_SAME_NAME);
	for (size_t i = 0; i < n && out.n < MAX_CANDIDATES; i++)
		if (fits(l, v[i], &types, text))
			resolved_add(l, &out, v[i]);
	if (!out.n)
		return resolved_unknown();
	return out;
}

struct resolved_value extensions_find_imported(struct name_resolver *l, const char *name)
{
	const struct sym *own[1];
	struct resolved_value v = scope_find_imported_name(l, l->file, name);

	if (resolver_find_by_name(l, name, own, LEN(own)))
		return resolved_unknown();	/* it may be one of this repository */
	if (v.what != RESOLVED_SYMBOLS || v.n != 1 || !v.v[0]->has_receiver)
		return resolved_unknown();
	return resolved_limit_confidence(v, CONFIDENCE_SUFFIX, "import");
}

/* ---- methods of traits, on objects of types outside ---- */

/* The method of a trait that an import names, or of one in a module that it imports whole. */
static const struct sym *method_of_import(
    struct name_resolver *l, const struct import *i, const char *name)
{
	struct resolved_value m = import_value(l, l->file, i), trait;
	const struct sym *v[MAX_SAME_NAME];
	size_t n = 0;

	if (m.what == RESOLVED_SYMBOLS && m.v[0]->kind == KIND_trait)
		return resolver_find_definition(
		    l, sym_file(l, m.v[0]), qualified_join(l->a, m.v[0]->qualified, name));
	if (m.what == RESOLVED_PACKAGE && i->name && !strcmp(i->name, "*"))
		n = resolver_find_trait_methods(l, name, v, MAX_SAME_NAME);
	for (size_t k = 0; k < n && k < MAX_SAME_NAME; k++) {
		const struct sym *parent = sym_parent(l, v[k]);
		if (!parent)
			continue;
		trait = module_member(l, &m, parent->name);
		if (trait.what == RESOLVED_SYMBOLS && trait.v[0] == parent)
			return v[k];
	}
	return NULL;
}

/* Whether an import of `definition`, or of the file (-1), is valid in `inside`. */
static bool is_valid_in(struct name_resolver *l, int definition, int inside)
{
	const struct file_symbols *u = program_file_symbols(l->w, l->file);

	while (inside >= 0 && inside != definition)
		inside = u->v[inside].parent;
	return inside == definition;
}

/* Whether it is a list or another container, whose own methods are not known. */
static bool is_foreign_container(const struct resolved_value *of)
{
	return of->what == RESOLVED_TYPE_TEXT && strchr(of->text, '<');
}

struct resolved_value extensions_find_trait_method(
    struct name_resolver *l, struct resolved_value of, int definition, const char *name)
{
	const struct file_symbols *u = resolver_file_scope(l, l->file);
	const struct sym *method = NULL;

	of = generics_substitute(l, infer_instance(l, of));
	if (of.what && !is_foreign_container(&of))
		return resolved_unknown();
	for (size_t i = 0; i < u->nimports && !method && !resolver_out_of_steps(l); i++)
		if (is_valid_in(l, u->imports[i].definition, definition))
			method = method_of_import(l, &u->imports[i], name);
	return resolved_symbol(method, CONFIDENCE_SUFFIX, "import");
}
