/* What the text of a type names. */
#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/resolver_cache.h"
#include "shard/program/type_inference_internal.h"

enum { LONGEST_NAME = 300 };

size_t typing_head(const char *type)
{
	return strcspn(type, "<");
}

const char *typing_last_argument(struct arena *a, const char *type)
{
	size_t n = strlen(type), head = typing_head(type);
	const char *from = type + head + 1;
	int depth = 0;

	if (head >= n || type[n - 1] != '>')
		return NULL;
	for (const char *c = from; c < type + n - 1; c++) {
		depth += (*c == '<') - (*c == '>');
		if (*c == ',' && !depth)
			from = c + 1;
	}
	return from < type + n - 1 ? arena_strn(a, from, (size_t)(type + n - 1 - from)) : NULL;
}

bool typing_through(const struct dialect *d, const char *type)
{
	size_t head = typing_head(type), from = head;

	while (from && type[from - 1] != '.')
		from--;
	return word_among(&d->through, type + from, head - from);
}

static bool has_type(const struct value *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (kind_type(v->v[i]->kind))
			return true;
	return false;
}

/* What a name stands for, where it is used as a type: names of variables give way. */
static struct value first_of_type(struct look *l, struct file *f, int definition, const char *name)
{
	const struct unit *u = world_unit(l->w, f);
	int d = definition;
	struct value v;

	while (d >= 0 && !kind_type(u->v[d].kind) && u->v[d].kind != KIND_module)
		d = u->v[d].parent;
	v = visible_find(l, f, d, 0, name);
	for (; d >= 0 && v.what == SYMBOLS && !has_type(&v); d = u->v[d].parent) {	/* a member may be called as its type is */
		struct value outer = visible_find(l, f, u->v[d].parent, 0, name);
		v = outer.what ? outer : v;
	}
	return v.what || d == definition ? v : visible_find(l, f, definition, 0, name);
}

/* A constructor is called as its type is (Java). */
static const struct sym *type_made(struct look *l, const struct sym *s)
{
	const struct sym *parent = s->kind == KIND_constructor ? parent_of(l, s) : NULL;

	return parent && !strcmp(parent->name, s->name) ? parent : s;
}

/* The types, or what makes objects, among what a name stands for. */
static struct value only_types(struct look *l, struct value v)
{
	struct value out = v;

	if (v.what != SYMBOLS)
		return v;
	out.n = 0;
	for (size_t i = 0; i < v.n; i++) {
		const struct sym *made = type_made(l, v.v[i]);
		bool again = out.n && out.v[out.n - 1] == made;
		if (!again && (kind_type(made->kind) || kind_callable(made->kind)))
			out.v[out.n++] = made;
	}
	if (out.n)
		return out;
	const struct sym *s = v.n ? v.v[0] : NULL;	/* Alias = Type */
	if (s && kind_holder(s->kind) && s->value && !look_deep(l, DEEPEST)) {
		l->depth++;
		out = typing_expression(l, file_of(l, s), s->parent, 0, s->value);
		l->depth--;
		return out.what == SYMBOLS && out.n && kind_type(out.v[0]->kind) ? out : (struct value){ 0 };
	}
	return (struct value){ 0 };
}

bool typing_self(const struct dialect *d, const char *type)
{
	return !strcmp(type, "self") || word_among(&d->class_self, type, strlen(type));
}

static struct value typing_bound(struct look *l, struct file *f, int definition, const char *bound)
{
	l->depth++;
	struct value v = typing_type(l, f, definition, bound);
	l->depth--;
	return v;
}

static struct value find_type(struct look *l, struct file *f, int definition, const char *type)
{
	char name[LONGEST_NAME];
	size_t head = typing_head(type), n = 0;
	struct value v = { 0 };

	if (!head || head >= sizeof name || *type == '[' || look_spent(l))
		return v;
	for (size_t at = 0; at <= head; at += n + 1) {
		n = strcspn(type + at, ".<");
		memcpy(name, type + at, n);
		name[n] = 0;
		const char *bound;
		if (!at && type[n] != '.' && generics_name(l, f, definition, name, &bound))
			return bound && strcmp(bound, name) && !look_deep(l, DEEPEST) ? typing_bound(l, f, definition, bound) : v;
		v = at ? typing_member(l, v, name) : typing_self(f->dialect, name) ? visible_self(l, f, definition) :
		    first_of_type(l, f, definition, name);
		if (v.what == OBJECT)
			v.what = SYMBOLS;
		if (!v.what && !at && type[n] == '.')
			v = visible_package(l, f, arena_str(l->a, name));
		if (!v.what)
			break;
	}
	v = only_types(l, v);
	const char *inner = v.what != SYMBOLS && typing_through(f->dialect, type) ? typing_last_argument(l->a, type) : NULL;
	return inner ? typing_type(l, f, definition, inner) : v;
}

struct value typing_type(struct look *l, struct file *f, int definition, const char *type)
{
	struct memo m = { .of = f, .what = MEMO_TYPE, .number = definition, .text = type };

	return memo_find(l, &m) ? m.value : memo_keep(l, &m, find_type(l, f, definition, m.text));
}
