/* What the text of a type names. */
#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/resolver_cache.h"
#include "shard/program/type_inference_internal.h"

enum { LONGEST_NAME = 300 };

size_t type_name_length(const char *type)
{
	return strcspn(type, "<");
}

const char *type_last_argument(struct arena *a, const char *type)
{
	size_t n = strlen(type), head = type_name_length(type);
	const char *from = type + head + 1;
	int depth = 0;

	if (head >= n || type[n - 1] != '>')
		return NULL;
	for (const char *c = from; c < type + n - 1; c++) {
		depth += (*c == '<') - (*c == '>');
		if (*c == ',' && !depth)
			from = c + 1;
	}
	if (from < type + n - 1)
		return arena_strn(a, from, (size_t)(type + n - 1 - from));
	return NULL;
}

bool type_is_transparent(const struct dialect *d, const char *type)
{
	size_t head = type_name_length(type), from = head;

	while (from && type[from - 1] != '.')
		from--;
	return word_list_has(&d->through, type + from, head - from);
}

static bool has_type(const struct resolved_value *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (kind_is_type(v->v[i]->kind))
			return true;
	return false;
}

/* What a name stands for, where it is used as a type: names of variables give way. */
static struct resolved_value first_of_type(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	int d = definition;
	struct resolved_value v;

	while (d >= 0 && !kind_is_type(u->v[d].kind) && u->v[d].kind != KIND_module)
		d = u->v[d].parent;
	v = scope_find_name(l, f, d, 0, name);
	/* a member may be called as its type is */
	for (; d >= 0 && v.what == RESOLVED_SYMBOLS && !has_type(&v); d = u->v[d].parent) {
		struct resolved_value outer = scope_find_name(l, f, u->v[d].parent, 0, name);
		if (outer.what)
			v = outer;
	}
	if (v.what || d == definition)
		return v;
	return scope_find_name(l, f, definition, 0, name);
}

/* A constructor is called as its type is (Java). */
static const struct sym *type_made(struct name_resolver *l, const struct sym *s)
{
	const struct sym *parent = NULL;

	if (s->kind == KIND_constructor)
		parent = sym_parent(l, s);
	if (parent && !strcmp(parent->name, s->name))
		return parent;
	return s;
}

/* The types, or what makes objects, among what a name stands for. */
static struct resolved_value only_types(struct name_resolver *l, struct resolved_value v)
{
	struct resolved_value out = v;

	if (v.what != RESOLVED_SYMBOLS)
		return v;
	out.n = 0;
	for (size_t i = 0; i < v.n; i++) {
		const struct sym *made = type_made(l, v.v[i]);
		bool again = out.n && out.v[out.n - 1] == made;
		if (!again && (kind_is_type(made->kind) || kind_is_callable(made->kind)))
			out.v[out.n++] = made;
	}
	if (out.n)
		return out;
	/* Alias = Type */
	const struct sym *s = NULL;
	if (v.n)
		s = v.v[0];
	if (s && kind_holds_value(s->kind) && s->value && !resolver_too_deep(l, MAX_EXPRESSION_DEPTH)) {
		l->depth++;
		out = infer_expression(l, sym_file(l, s), s->parent, 0, s->value);
		l->depth--;
		return out.what == RESOLVED_SYMBOLS && out.n && kind_is_type(out.v[0]->kind) ?
		    out :
		    (struct resolved_value){ 0 };
	}
	return (struct resolved_value){ 0 };
}

bool type_is_self(const struct dialect *d, const char *type)
{
	return !strcmp(type, "self") || word_list_has(&d->class_self, type, strlen(type));
}

static struct resolved_value infer_type_bound(
    struct name_resolver *l, struct source_file *f, int definition, const char *bound)
{
	l->depth++;
	struct resolved_value v = infer_named_type(l, f, definition, bound);
	l->depth--;
	return v;
}

static struct resolved_value find_type(
    struct name_resolver *l, struct source_file *f, int definition, const char *type)
{
	char name[LONGEST_NAME];
	size_t head = type_name_length(type), n = 0;
	struct resolved_value v = { 0 };

	if (!head || head >= sizeof name || *type == '[' || resolver_out_of_steps(l))
		return v;
	for (size_t at = 0; at <= head; at += n + 1) {
		n = strcspn(type + at, ".<");
		memcpy(name, type + at, n);
		name[n] = 0;
		const char *bound;
		if (!at && type[n] != '.' && generics_find_parameter(l, f, definition, name, &bound)) {
			if (bound && strcmp(bound, name) && !resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
				return infer_type_bound(l, f, definition, bound);
			return v;
		}
		if (at)
			v = infer_member(l, v, name);
		else if (type_is_self(f->dialect, name))
			v = scope_find_self(l, f, definition);
		else
			v = first_of_type(l, f, definition, name);
		if (v.what == RESOLVED_INSTANCE)
			v.what = RESOLVED_SYMBOLS;
		if (!v.what && !at && type[n] == '.')
			v = scope_find_package(l, f, arena_str(l->a, name));
		if (!v.what)
			break;
	}
	v = only_types(l, v);
	const char *inner = NULL;
	if (v.what != RESOLVED_SYMBOLS && type_is_transparent(f->dialect, type))
		inner = type_last_argument(l->a, type);
	if (inner)
		return infer_named_type(l, f, definition, inner);
	return v;
}

struct resolved_value infer_named_type(
    struct name_resolver *l, struct source_file *f, int definition, const char *type)
{
	struct memo m = { .of = f, .what = MEMO_TYPE, .number = definition, .text = type };

	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_type(l, f, definition, m.text));
}
