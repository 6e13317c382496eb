#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/program/name_resolution.h"
#include "shard/facts/qualified_name.h"
#include "shard/program/resolver_cache.h"

enum { MAX_INHERITANCE_DEPTH = 16, MAX_ANCESTORS = 64 };

/* A type and the types that it is derived from, in the order in which they are searched. */
struct linearization {
	struct ancestor {
		const struct sym *type;
		int confidence;
		bool open;		/* its bases are being added */
	} v[MAX_ANCESTORS];
	size_t n;
};

/* The full name of a qualified name in the package of the file. */
static const char *full_name(
    struct name_resolver *l, const struct source_file *f, const char *qualified)
{
	if (f->package && !f->dialect->path_package)
		return arena_join_dotted(l->a, f->package, qualified);
	return qualified;
}

/* Base `*i` of one declaration of the type; if it has fewer, `*i` is reduced by their number. */
static bool own_base(struct name_resolver *l, const struct sym *type, size_t *i,
    struct resolved_value *out, const struct base_type **base)
{
	struct source_file *f = sym_file(l, type);
	const struct file_symbols *u = resolver_type_bases(l, f, type->qualified);

	for (size_t k = 0; k < u->nbases; k++) {
		if (u->bases[k].definition != type->index)
			continue;
		if (*i == 0) {
			*base = &u->bases[k];
			*out = infer_named_type(l, f, type->parent, u->bases[k].type);
			return true;
		}
		--*i;
	}
	return false;
}

bool inherit_base(struct name_resolver *l, const struct sym *type, size_t i,
    struct resolved_value *out, const struct base_type **base)
{
	struct source_file *f = sym_file(l, type);
	const struct sym *part[MAX_CANDIDATES];
	size_t n = 0;

	if (own_base(l, type, &i, out, base))
		return true;
	if (f->dialect && f->dialect->parts)
		n = resolver_find_full_name(l, full_name(l, f, type->qualified), part, MAX_CANDIDATES);
	n = MIN(n, MAX_CANDIDATES);
	for (size_t k = 0; k < n; k++) {
		if (part[k] == type || !syms_are_one_type(l, type, part[k]))
			continue;
		if (own_base(l, part[k], &i, out, base))
			return true;
	}
	return false;
}

/* Members in other files than the type: Go methods, partial classes, extensions. */
static void collect_open(struct name_resolver *l, struct resolved_value *v, const struct sym *type,
    const char *qualified)
{
	struct source_file *f = sym_file(l, type);
	const struct sym *found[MAX_CANDIDATES];
	size_t n;

	if (f->dialect->scheme == SCHEME_DIRECTORY)
		n = resolver_find_in_dir(l, f->dir, qualified, found, MAX_CANDIDATES);
	else
		n = resolver_find_full_name(l, full_name(l, f, qualified), found, MAX_CANDIDATES);
	for (size_t i = 0; i < n && i < MAX_CANDIDATES; i++)
		resolved_add(l, v, found[i]);
}

/* Whether a local assigns the field `name` of the type. */
static bool assigns_field(
    const struct file_symbols *u, const struct local *x, const struct sym *type, const char *name)
{
	const char *field = local_field(x);
	int d = x->definition;

	if (strcmp(field + (*field == '@'), name))
		return false;
	while (d >= 0 && d != type->index)
		d = u->v[d].parent;
	return d == type->index;
}

static struct resolved_value assigned_value(
    struct name_resolver *l, struct source_file *f, const struct local *x)
{
	if (x->type)
		return resolved_type_text(f, x->definition, x->type);
	if (!x->value || resolver_too_deep(l, MAX_INHERITANCE_DEPTH))
		return resolved_unknown();
	l->depth++;
	struct resolved_value v = infer_instance(
	    l, infer_expression(l, f, x->definition, x->line, x->value));
	l->depth--;
	if (v.what == RESOLVED_EXTERNAL)
		v.what = RESOLVED_UNKNOWN;
	return v;
}

struct resolved_value inherit_field_assignment(
    struct name_resolver *l, const struct sym *type, const char *name)
{
	struct source_file *f = sym_file(l, type);
	const struct file_symbols *u = resolver_file_scope(l, f);
	struct resolved_value v = { 0 };

	for (size_t i = 0; i < u->nassigned && !v.what; i++) {
		const struct local *x = &u->locals[u->assigned[i]];
		if (assigns_field(u, x, type, name))
			v = assigned_value(l, f, x);
	}
	return v;
}

/* A member of the type itself. */
static struct resolved_value own(struct name_resolver *l, const struct sym *type, const char *name)
{
	struct resolved_value v = { .confidence = CONFIDENCE_SELF };
	bool variable = *name == '@';	/* of an object: a method may have the same name (Ruby) */
	struct source_file *f = sym_file(l, type);

	if (variable)
		name++;
	const char *qualified = qualified_join(l->a, type->qualified, name);
	resolved_add_definitions(l, &v, f, qualified);
	if (!v.n && f->dialect && f->dialect->open_types)
		collect_open(l, &v, type, qualified);
	bool is_method = variable && v.n && !kind_holds_value(v.v[0]->kind);
	if (v.n && !is_method)
		return v;
	struct resolved_value assigned = inherit_field_assignment(l, type, name);
	if (is_method && !assigned.what)
		return v;
	return assigned;
}

static bool is_open(const struct linearization *w, const struct sym *type)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].type == type && w->v[i].open)
			return true;
	return false;
}

/* Add a type and the types that it is derived from to `w`, depth first. */
static void linearize(struct name_resolver *l, const struct sym *type, int confidence, int depth,
    struct linearization *w)
{
	struct resolved_value base;
	const struct base_type *b;

	if (is_open(w, type))	/* derived from itself */
		return;
	if (w->n == MAX_ANCESTORS || depth > MAX_INHERITANCE_DEPTH)
		return;
	if (resolver_too_deep(l, MAX_INHERITANCE_DEPTH + 1) || resolver_out_of_steps(l))
		return;
	size_t me = w->n++;
	w->v[me] = (struct ancestor){ type, confidence, true };
	l->depth++;
	for (size_t i = 0; inherit_base(l, type, i, &base, &b); i++)
		for (size_t k = 0; k < base.n && base.what == RESOLVED_SYMBOLS; k++)
			linearize(l, base.v[k], MIN(base.confidence, confidence), depth + 1, w);
	l->depth--;
	w->v[me].open = false;
}

static bool reached_again(const struct linearization *w, size_t i)
{
	for (size_t k = i + 1; k < w->n; k++)
		if (w->v[k].type == w->v[i].type)
			return true;
	return false;
}

/*
 * Search the bases for a member.  A type that is reached in two ways is searched where it comes
 * last: after all types that are derived from it.
 */
static struct resolved_value search_bases(
    struct name_resolver *l, const struct sym *type, const char *name)
{
	struct resolved_value v = { 0 };
	struct linearization w;

	w.n = 0;
	linearize(l, type, CONFIDENCE_INHERITED, 0, &w);
	for (size_t i = 1; i < w.n && !v.what; i++) {
		if (reached_again(&w, i) || w.v[i].type == type)
			continue;
		v = own(l, w.v[i].type, name);
		if (v.what)
			v = resolved_limit_confidence(v, w.v[i].confidence, "inherited");
	}
	return v;
}

/* Whether a direct or indirect base is outside of this repository. */
static bool has_external_base(struct name_resolver *l, const struct sym *type, int depth)
{
	struct resolved_value base;
	const struct base_type *b;

	if (depth >= MAX_INHERITANCE_DEPTH)
		return false;
	for (size_t i = 0; inherit_base(l, type, i, &base, &b); i++) {
		if (base.what != RESOLVED_SYMBOLS || !base.n)
			return true;
		if (has_external_base(l, base.v[0], depth + 1))
			return true;
	}
	return false;
}

static struct resolved_value find_member(
    struct name_resolver *l, const struct sym *type, const char *name)
{
	struct resolved_value v = own(l, type, name);

	if (!v.what)
		v = search_bases(l, type, name);
	if (!v.what && has_external_base(l, type, 0))
		v.what = RESOLVED_EXTERNAL;
	return v;
}

struct resolved_value inherit_member(
    struct name_resolver *l, const struct sym *type, const char *name)
{
	struct memo m = { .of = type, .what = MEMO_MEMBER, .text = name };

	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_member(l, type, m.text));
}

struct resolved_value inherit_super(
    struct name_resolver *l, const struct sym *type, const char *name)
{
	return search_bases(l, type, name);
}

struct resolved_value inherit_constructor(struct name_resolver *l, const struct sym *type)
{
	struct source_file *f = sym_file(l, type);
	struct resolved_value v = { .confidence = CONFIDENCE_IMPORT };

	if (!f->dialect)
		return v;
	const struct word_list *names = &f->dialect->constructors;
	for (size_t i = 0; i <= names->n && !v.n; i++) {
		const char *name = type->name;	/* a constructor may have the name of its type */
		if (i < names->n)
			name = names->v[i];
		const char *qualified = qualified_join(l->a, type->qualified, name);
		resolved_add_definitions(l, &v, f, qualified);
		if (!v.n && f->dialect->parts)
			collect_open(l, &v, type, qualified);
	}
	if (!v.n || !kind_is_callable(v.v[0]->kind))
		v.what = RESOLVED_UNKNOWN;
	return v;
}
