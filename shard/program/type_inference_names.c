/* The definitions that the text of a type names. */
#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/resolver_cache.h"
#include "shard/program/type_inference_internal.h"

enum { MAX_NAME = 300 };

size_t type_name_length(const char *type)
{
	return strcspn(type, "<");
}

const char *type_last_argument(struct arena *a, const char *type)
{
	size_t n = strlen(type), head = type_name_length(type);
	int depth = 0;

	if (head >= n || type[n - 1] != '>')
		return NULL;
	const char *from = type + head + 1, *end = type + n - 1;
	for (const char *c = from; c < end; c++) {
		depth += (*c == '<') - (*c == '>');
		if (*c == ',' && !depth)
			from = c + 1;
	}
	if (from >= end)
		return NULL;
	return arena_strn(a, from, (size_t)(end - from));
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

/* Resolve a name that is used as a type: types around win over variables of the same name. */
static struct resolved_value first_of_type(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	int d = definition;
	struct resolved_value v;

	while (d >= 0 && !kind_is_type(u->v[d].kind) && u->v[d].kind != KIND_module)
		d = u->v[d].parent;
	v = scope_find_name(l, f, d, 0, name);
	/* a member may have the name of its type */
	for (; d >= 0 && v.what == RESOLVED_SYMBOLS && !has_type(&v); d = u->v[d].parent) {
		struct resolved_value outer = scope_find_name(l, f, u->v[d].parent, 0, name);
		if (outer.what)
			v = outer;
	}
	if (v.what || d == definition)
		return v;
	return scope_find_name(l, f, definition, 0, name);
}

/* The type of a constructor with the name of its type (Java); otherwise the definition itself. */
static const struct sym *type_made(struct name_resolver *l, const struct sym *s)
{
	const struct sym *parent = NULL;

	if (s->kind == KIND_constructor)
		parent = sym_parent(l, s);
	if (parent && !strcmp(parent->name, s->name))
		return parent;
	return s;
}

/* The type, or the function that makes objects, that is the value of a variable: `Alias = Type`. */
static struct resolved_value aliased_type(struct name_resolver *l, const struct sym *s)
{
	if (!kind_holds_value(s->kind) || !s->value || resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return resolved_unknown();
	l->depth++;
	struct resolved_value v = infer_expression(l, sym_file(l, s), s->parent, 0, s->value);
	l->depth--;
	v = module_value(l, v);
	if (v.what != RESOLVED_SYMBOLS || !v.n)
		return resolved_unknown();
	if (kind_is_type(v.v[0]->kind) || kind_is_callable(v.v[0]->kind))
		return v;
	return resolved_unknown();
}

/* The types and callables among the definitions of a name; otherwise the type that it aliases. */
static struct resolved_value only_types(struct name_resolver *l, struct resolved_value v)
{
	v = module_value(l, v);
	struct resolved_value out = v;

	if (v.what != RESOLVED_SYMBOLS)
		return v;
	out.n = 0;
	for (size_t i = 0; i < v.n; i++) {
		const struct sym *made = type_made(l, v.v[i]);
		bool repeated = out.n && out.v[out.n - 1] == made;
		if (!repeated && (kind_is_type(made->kind) || kind_is_callable(made->kind)))
			out.v[out.n++] = made;
	}
	if (out.n)
		return out;
	if (!v.n)
		return resolved_unknown();
	out = aliased_type(l, v.v[0]);
	out.alias = v.v[0];
	return out;
}

bool type_is_self(const struct dialect *d, const char *type)
{
	return !strcmp(type, "self") || word_list_has(&d->class_self, type, strlen(type));
}

/* The bound of the type parameter `name`; RESOLVED_UNKNOWN if it is NULL. */
static struct resolved_value infer_type_bound(struct name_resolver *l, struct source_file *f,
    int definition, const char *name, const char *bound)
{
	if (!bound || !strcmp(bound, name) || resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return resolved_unknown();
	l->depth++;
	struct resolved_value v = infer_named_type(l, f, definition, bound);
	l->depth--;
	return v;
}

/* The first part of a type's name. */
static struct resolved_value first_part(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	if (type_is_self(f->dialect, name))
		return scope_find_self(l, f, definition);
	return first_of_type(l, f, definition, name);
}

/* Whether types may be named below the value: it is no object. */
static bool may_have_types(const struct resolved_value *v)
{
	return resolved_is_known(v) && v->what != RESOLVED_TYPE_TEXT && v->what != RESOLVED_INSTANCE;
}

/* Resolve a dotted name of `len` bytes part by part. */
static struct resolved_value find_dotted(
    struct name_resolver *l, struct source_file *f, int definition, const char *type, size_t len)
{
	char name[MAX_NAME];
	struct resolved_value v = { 0 };
	size_t at = 0;

	while (at <= len) {
		size_t n = strcspn(type + at, ".<");
		memcpy(name, type + at, n);
		name[n] = 0;
		if (at)
			v = infer_member(l, v, name);
		else
			v = first_part(l, f, definition, name);
		if (v.what == RESOLVED_INSTANCE)
			v.what = RESOLVED_SYMBOLS;
		if (!at && type[n] == '.' && !may_have_types(&v)) {
			struct resolved_value package = scope_find_package(l, f, arena_str(l->a, name));
			if (package.what)
				v = package;
		}
		if (!v.what)
			break;
		at += n + 1;
	}
	return v;
}

static struct resolved_value find_type(
    struct name_resolver *l, struct source_file *f, int definition, const char *type)
{
	size_t head = type_name_length(type);
	const char *bound, *inner = NULL;

	if (!head || head >= MAX_NAME || *type == '[' || resolver_out_of_steps(l))
		return resolved_unknown();
	const char *own = name_in_own_module(f->dialect, type);
	if (own)
		return infer_named_type(l, f, -1, own);
	if (!memchr(type, '.', head)) {
		const char *name = arena_strn(l->a, type, head);
		if (generics_find_parameter(l, f, definition, name, &bound))
			return infer_type_bound(l, f, definition, name, bound);
	}
	struct resolved_value v = only_types(l, find_dotted(l, f, definition, type, head));
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
