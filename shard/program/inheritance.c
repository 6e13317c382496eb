#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/name_resolution.h"
#include "shard/program/resolver_cache.h"

enum { DEEPEST_BASE = 16, MOST_SEEN = 64 };

/* A type and those that it is derived from, in the order in which they are asked. */
struct walk {
	struct ancestor {
		const struct sym *type;
		int confidence;
		bool open;		/* its bases are being put in */
	} v[MOST_SEEN];
	size_t n;
};

/* The full name of what is called so in a type's package. */
static const char *full_name(struct look *l, const struct file *f, const char *qualified)
{
	return f->package && !f->dialect->path_package ? arena_dotted(l->a, f->package, qualified) : qualified;
}

static bool own_base(struct look *l, const struct sym *type, size_t *i, struct value *out, const struct base **base)
{
	struct file *f = file_of(l, type);
	const struct unit *u = look_bases(l, f, type->qualified);

	for (size_t k = 0; k < u->nbases; k++)
		if (u->bases[k].definition == type->index && !(*i)--) {
			*base = &u->bases[k];
			*out = typing_type(l, f, type->parent, u->bases[k].type);
			return true;
		}
	return false;
}

bool inherit_base(struct look *l, const struct sym *type, size_t i, struct value *out, const struct base **base)
{
	struct file *f = file_of(l, type);
	const struct sym *part[MOST_CANDIDATES];
	size_t n = 0;

	if (own_base(l, type, &i, out, base))
		return true;
	if (f->dialect && f->dialect->parts)
		n = look_full(l, full_name(l, f, type->qualified), part, MOST_CANDIDATES);
	for (size_t k = 0; k < n && k < MOST_CANDIDATES; k++)
		if (part[k] != type && value_part(l, type, part[k]) && own_base(l, part[k], &i, out, base))
			return true;
	return false;
}

/* Members that stand in other files than the type: Go methods, partial classes, extensions. */
static void collect_open(struct look *l, struct value *v, const struct sym *type, const char *qualified)
{
	struct file *f = file_of(l, type);
	const struct sym *found[MOST_CANDIDATES];
	size_t n;

	if (f->dialect->scheme == SCHEME_DIRECTORY)
		n = look_folder(l, f->dir, qualified, found, MOST_CANDIDATES);
	else
		n = look_full(l, full_name(l, f, qualified), found, MOST_CANDIDATES);
	for (size_t i = 0; i < n && i < MOST_CANDIDATES; i++)
		value_add(l, v, found[i]);
}

struct value inherit_assigned(struct look *l, const struct sym *type, const char *name)
{
	struct file *f = file_of(l, type);
	const struct unit *u = look_inside(l, f);
	struct value v = { 0 };

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
			v = (struct value){ .what = TYPED, .file = f, .definition = x->definition, .text = x->type,
				.confidence = SURE_TYPE, .reason = "type" };
		else if (x->value && !look_deep(l, DEEPEST_BASE)) {
			l->depth++;
			v = typing_object(l, typing_expression(l, f, x->definition, x->line, x->value));
			l->depth--;
		}
		if (v.what == OUTSIDE)
			v.what = NOTHING;
	}
	return v;
}

static struct value own(struct look *l, const struct sym *type, const char *name)
{
	struct value v = { .confidence = SURE_SELF };
	bool variable = *name == '@';	/* of an object: a method may have its name (Ruby) */
	const char *qualified = arena_dotted(l->a, type->qualified, name += variable);
	struct file *f = file_of(l, type);

	value_collect(l, &v, f, qualified);
	if (!v.n && f->dialect && f->dialect->open_types)
		collect_open(l, &v, type, qualified);
	if (v.n && variable && !kind_holder(v.v[0]->kind)) {
		struct value held = inherit_assigned(l, type, name);
		return held.what ? held : v;
	}
	return v.n ? v : inherit_assigned(l, type, name);
}

/* Put a type and what it is derived from into `w`, depth first. */
static void line_up(struct look *l, const struct sym *type, int confidence, int depth, struct walk *w)
{
	struct value base;
	const struct base *b;

	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].type == type && w->v[i].open)
			return;		/* derived from itself */
	if (w->n == MOST_SEEN || depth > DEEPEST_BASE || look_deep(l, DEEPEST_BASE + 1) || look_spent(l))
		return;
	size_t me = w->n++;
	w->v[me] = (struct ancestor){ type, confidence, true };
	l->depth++;
	for (size_t i = 0; inherit_base(l, type, i, &base, &b); i++)
		for (size_t k = 0; k < base.n && base.what == SYMBOLS; k++)
			line_up(l, base.v[k], base.confidence < confidence ? base.confidence : confidence, depth + 1, w);
	l->depth--;
	w->v[me].open = false;
}

static bool comes_later(const struct walk *w, size_t i)
{
	for (size_t k = i + 1; k < w->n; k++)
		if (w->v[k].type == w->v[i].type)
			return true;
	return false;
}

/* What is reached on two ways counts where it comes last: after all that is derived from it. */
static struct value search(struct look *l, const struct sym *type, const char *name, bool above)
{
	struct value v = { 0 };
	struct walk w;

	if (!above && (v = own(l, type, name)).what)
		return v;
	w.n = 0;
	line_up(l, type, SURE_INHERITED, 0, &w);
	for (size_t i = 1; i < w.n && !v.what; i++) {
		if (comes_later(&w, i) || w.v[i].type == type)
			continue;
		v = own(l, w.v[i].type, name);
		if (v.what)
			v = value_weaker(v, w.v[i].confidence, "inherited");
	}
	return v;
}

/* Whether a base along the way is not of this repository. */
static bool open_above(struct look *l, const struct sym *type, int depth)
{
	struct value base;
	const struct base *b;
	bool open = false;

	for (size_t i = 0; !open && depth < DEEPEST_BASE && inherit_base(l, type, i, &base, &b); i++)
		open = base.what != SYMBOLS || !base.n || open_above(l, base.v[0], depth + 1);
	return open;
}

static struct value find_member(struct look *l, const struct sym *type, const char *name)
{
	struct value v = search(l, type, name, false);

	if (!v.what && open_above(l, type, 0))
		v.what = OUTSIDE;
	return v;
}

struct value inherit_member(struct look *l, const struct sym *type, const char *name)
{
	struct memo m = { .of = type, .what = MEMO_MEMBER, .text = name };

	return memo_find(l, &m) ? m.value : memo_keep(l, &m, find_member(l, type, m.text));
}

struct value inherit_super(struct look *l, const struct sym *type, const char *name)
{
	return search(l, type, name, true);
}

struct value inherit_constructor(struct look *l, const struct sym *type)
{
	struct file *f = file_of(l, type);
	struct value v = { .confidence = SURE_IMPORT };

	if (!f->dialect)
		return v;
	for (size_t i = 0; i <= f->dialect->constructors.n && !v.n; i++) {	/* it may be called as the type is */
		const char *name = i < f->dialect->constructors.n ? f->dialect->constructors.v[i] : type->name;
		const char *qualified = arena_dotted(l->a, type->qualified, name);
		value_collect(l, &v, f, qualified);
		if (!v.n && f->dialect->parts)
			collect_open(l, &v, type, qualified);
	}
	if (!v.n || !kind_callable(v.v[0]->kind))
		v.what = NOTHING;
	return v;
}
