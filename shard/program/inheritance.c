#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/program/name_resolution.h"
#include "shard/program/resolver_cache.h"

enum { MAX_INHERITANCE_DEPTH = 16, MOST_SEEN = 64 };

/* A type and those that it is derived from, in the order in which they are asked. */
struct linearization {
	struct ancestor {
		const struct sym *type;
		int confidence;
		bool open;		/* its bases are being put in */
	} v[MOST_SEEN];
	size_t n;
};

/* The full name of what is called so in a type's package. */
static const char *full_name(
    struct name_resolver *l, const struct source_file *f, const char *qualified)
{
	if (f->package && !f->dialect->path_package)
		return arena_join_dotted(l->a, f->package, qualified);
	return qualified;
}

static bool own_base(struct name_resolver *l, const struct sym *type, size_t *i,
    struct resolved_value *out, const struct base_type **base)
{
	struct source_file *f = sym_file(l, type);
	const struct file_symbols *u = resolver_type_bases(l, f, type->qualified);

	for (size_t k = 0; k < u->nbases; k++)
		if (u->bases[k].definition == type->index && !(*i)--) {
			*base = &u->bases[k];
			*out = infer_named_type(l, f, type->parent, u->bases[k].type);
			return true;
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
	for (size_t k = 0; k < n && k < MAX_CANDIDATES; k++)
		if (part[k] != type && syms_are_one_type(l, type, part[k]) &&
		    own_base(l, part[k], &i, out, base))
			return true;
	return false;
}

/* Members that stand in other files than the type: Go methods, partial classes, extensions. */
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

struct resolved_value inherit_field_assignment(
    struct name_resolver *l, const struct sym *type, const char *name)
{
	struct source_file *f = sym_file(l, type);
	const struct file_symbols *u = resolver_file_scope(l, f);
	struct resolved_value v = { 0 };

	for (size_t i = 0; i < u->nassigned && !v.what; i++) {
		const struct local *x = &u->locals[u->assigned[i]];
		const char *field = local_field(x);
		if (strcmp(field + (*field == '@'), name))
			continue;
		int d = x->definition;
		while (d >= 0 && d != type->index)
			d = u->v[d].parent;
		if (d != type->index)
			continue;
		if (x->type)
			v = (struct resolved_value){ .what = RESOLVED_TYPE_TEXT,
				.file = f,
				.definition = x->definition,
				.text = x->type,
				.confidence = CONFIDENCE_TYPE,
				.reason = "type" };
		else if (x->value && !resolver_too_deep(l, MAX_INHERITANCE_DEPTH)) {
			l->depth++;
			v = infer_instance(l, infer_expression(l, f, x->definition, x->line, x->value));
			l->depth--;
		}
		if (v.what == RESOLVED_EXTERNAL)
			v.what = RESOLVED_UNKNOWN;
	}
	return v;
}

static struct resolved_value own(struct name_resolver *l, const struct sym *type, const char *name)
{
	struct resolved_value v = { .confidence = CONFIDENCE_SELF };
	bool variable = *name == '@';	/* of an object: a method may have its name (Ruby) */
	const char *qualified = arena_join_dotted(l->a, type->qualified, name += variable);
	struct source_file *f = sym_file(l, type);

	resolved_add_definitions(l, &v, f, qualified);
	if (!v.n && f->dialect && f->dialect->open_types)
		collect_open(l, &v, type, qualified);
	if (v.n && variable && !kind_holds_value(v.v[0]->kind)) {
		struct resolved_value held = inherit_field_assignment(l, type, name);
		return held.what ? held : v;
	}
	if (v.n)
		return v;
	return inherit_field_assignment(l, type, name);
}

/* Put a type and what it is derived from into `w`, depth first. */
static void linearize(struct name_resolver *l, const struct sym *type, int confidence, int depth,
    struct linearization *w)
{
	struct resolved_value base;
	const struct base_type *b;

	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].type == type && w->v[i].open)
			return;		/* derived from itself */
	if (w->n == MOST_SEEN || depth > MAX_INHERITANCE_DEPTH ||
	    resolver_too_deep(l, MAX_INHERITANCE_DEPTH + 1) || resolver_out_of_steps(l))
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

/* What is reached on two ways counts where it comes last: after all that is derived from it. */
static struct resolved_value search(
    struct name_resolver *l, const struct sym *type, const char *name, bool above)
{
	struct resolved_value v = { 0 };
	struct linearization w;

	if (!above && (v = own(l, type, name)).what)
		return v;
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

/* Whether a base along the way is not of this repository. */
static bool has_external_base(struct name_resolver *l, const struct sym *type, int depth)
{
	struct resolved_value base;
	const struct base_type *b;
	bool open = false;

	for (size_t i = 0;
	     !open && depth < MAX_INHERITANCE_DEPTH && inherit_base(l, type, i, &base, &b); i++)
		open = base.what != RESOLVED_SYMBOLS || !base.n ||
		    has_external_base(l, base.v[0], depth + 1);
	return open;
}

static struct resolved_value find_member(
    struct name_resolver *l, const struct sym *type, const char *name)
{
	struct resolved_value v = search(l, type, name, false);

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
	return search(l, type, name, true);
}

struct resolved_value inherit_constructor(struct name_resolver *l, const struct sym *type)
{
	struct source_file *f = sym_file(l, type);
	struct resolved_value v = { .confidence = CONFIDENCE_IMPORT };

	if (!f->dialect)
		return v;
	/* it may be called as the type is */
	for (size_t i = 0; i <= f->dialect->constructors.n && !v.n; i++) {
		const char *name = i < f->dialect->constructors.n ? f->dialect->constructors.v[i] :
		                                                    type->name;
		const char *qualified = arena_join_dotted(l->a, type->qualified, name);
		resolved_add_definitions(l, &v, f, qualified);
		if (!v.n && f->dialect->parts)
			collect_open(l, &v, type, qualified);
	}
	if (!v.n || !kind_is_callable(v.v[0]->kind))
		v.what = RESOLVED_UNKNOWN;
	return v;
}
