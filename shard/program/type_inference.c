#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/program/type_inference_internal.h"

enum { MAX_NAME = 300, MAX_PACKAGE_PARTS = 8 };

struct resolved_value resolved_limit_confidence(
    struct resolved_value v, int confidence, const char *reason)
{
	if (!v.reason || confidence < v.confidence) {
		if (!v.confidence || v.confidence >= confidence)
			v.confidence = confidence;
		v.reason = reason;
	}
	return v;
}

struct resolved_value type_instance(struct resolved_value types)
{
	if (types.what != RESOLVED_SYMBOLS)
		return types;
	types.what = RESOLVED_INSTANCE;
	types.confidence = MIN(types.confidence, CONFIDENCE_TYPE);
	types.reason = "type";
	return types;
}

/* ---- steps of an expression ---- */

/* The object of a type: what a call of the type's name makes, for example. */
static struct resolved_value instance_of(const struct sym *type)
{
	return type_instance(resolved_symbol(type, CONFIDENCE_TYPE, "type"));
}

/* The value of a definition, as seen from `definition` of its file. */
static struct resolved_value evaluated(struct name_resolver *l, const struct sym *s, int definition)
{
	struct resolved_value v = { 0 };

	if (!s->value || resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return v;
	resolver_file_scope(l, sym_file(l, s));
	l->depth++;
	v = infer_expression(l, sym_file(l, s), definition, 0, s->value);
	l->depth--;
	return v;
}

/*
 * The definition from which the result type of a callable is seen: the callable itself for `self`,
 * and for a method outside of its type, whose type parameters it may mention.
 */
static int result_scope(const struct sym *s)
{
	if (!strcmp(s->type, "self"))
		return s->index;
	if (s->parent < 0 && strchr(s->qualified, '.'))
		return s->index;
	return s->parent;
}

/* The result of a call of a definition. */
struct resolved_value infer_call_result(struct name_resolver *l, const struct sym *s)
{
	const struct sym *parent = sym_parent(l, s);

	if (kind_is_type(s->kind))
		return instance_of(s);
	if (s->kind == KIND_constructor && parent)
		return instance_of(parent);
	if (!kind_is_callable(s->kind))
		return resolved_unknown();
	if (s->type)
		return resolved_type_text(sym_file(l, s), result_scope(s), s->type);
	return infer_instance(l, evaluated(l, s, s->index));
}

/* The value of a field or variable. */
static struct resolved_value infer_held_value(struct name_resolver *l, const struct sym *s)
{
	const struct sym *parent = sym_parent(l, s);
	struct resolved_value v = { 0 };

	if (s->type)
		return resolved_type_text(sym_file(l, s), s->parent, s->type);
	if (s->kind == KIND_constant && parent && parent->kind == KIND_enum)
		return instance_of(parent);
	if (s->kind == KIND_field && parent)
		v = inherit_field_assignment(l, parent, s->name);
	if (v.what)
		return v;
	return evaluated(l, s, s->parent);
}

struct resolved_value infer_instance(struct name_resolver *l, struct resolved_value v)
{
	if (v.what != RESOLVED_SYMBOLS || v.n != 1)
		return v;
	if (!kind_holds_value(v.v[0]->kind) || resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return v;
	l->depth++;
	struct resolved_value out = infer_instance(l, infer_held_value(l, v.v[0]));
	l->depth--;
	if (out.what == RESOLVED_TYPE_TEXT && !out.generics)
		out.generics = v.generics;
	if (out.what)
		return resolved_limit_confidence(out, MIN(v.confidence, CONFIDENCE_TYPE), "type");
	return out;
}

/* An object of a generic instance. */
static struct resolved_value object_of_generic(const struct generic_instance *g)
{
	if (!g->text)
		return instance_of(g->type);
	struct resolved_value v = resolved_type_text(g->file, g->definition, g->text);
	v.generics = g->outer;
	return v;
}

/* The result of a call of one of several definitions, whose type parameters `g` binds. */
static struct resolved_value call_symbols(
    struct name_resolver *l, const struct resolved_value *v, const struct generic_instance *g)
{
	struct resolved_value out = { 0 };

	for (size_t i = 0; i < v->n && !out.what; i++)
		out = infer_call_result(l, v->v[i]);
	if (out.what == RESOLVED_TYPE_TEXT) {
		/* `self` is the type that it is called on, not the one that declares it */
		if (g && type_is_self(out.file->dialect, out.text))
			out = object_of_generic(g);
		else if (!out.generics)
			out.generics = g;
	}
	if (v->n > 1 && out.what == RESOLVED_INSTANCE && kind_is_type(v->v[0]->kind)) {
		out.n = v->n;
		memcpy(out.v, v->v, sizeof v->v);
	}
	return out;
}

static bool is_constant(const struct resolved_value *v)
{
	return v->what == RESOLVED_SYMBOLS && v->n && v->v[0]->kind == KIND_constant;
}

static bool is_self_instance(const struct resolved_value *v)
{
	return v->what == RESOLVED_INSTANCE && v->reason && !strcmp(v->reason, "self");
}

static bool is_object(const struct resolved_value *v)
{
	return v->what == RESOLVED_INSTANCE || v->what == RESOLVED_TYPE_TEXT;
}

/* The result of calling a value. */
static struct resolved_value call(struct name_resolver *l, struct resolved_value v)
{
	if (v.what == RESOLVED_EXTERNAL)
		return v;
	if (v.what == RESOLVED_FILE && v.by_call) {
		v.by_call = false;
		return v;
	}
	v = module_value(l, v);
	bool is_case = is_constant(&v);		/* of an enum with values */
	bool is_property = v.what == RESOLVED_SYMBOLS && v.by_call;
	v = infer_instance(l, v);
	if (is_property && is_object(&v)) { /* getBody() of a property `body` */
		v.by_call = false;
		return v;
	}
	if (is_case && v.what == RESOLVED_INSTANCE)
		return v;
	if (v.what == RESOLVED_TYPE_TEXT && v.by_call) {
		v.by_call = false;
		return v;
	}
	if (is_self_instance(&v))	/* cls() */
		return v;
	if (is_object(&v) && l->file->dialect->called)
		v = infer_member(l, v, l->file->dialect->called);
	if (v.what != RESOLVED_SYMBOLS || !v.n || resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return resolved_unknown();
	l->depth++;
	struct resolved_value out = call_symbols(l, &v, v.generics);
	l->depth--;
	return resolved_limit_confidence(out, MIN(v.confidence, CONFIDENCE_TYPE), "type");
}

/* The element of a type that names it: `type Item = User` (Rust); RESOLVED_UNKNOWN if none does. */
static struct resolved_value named_element(struct name_resolver *l, const struct resolved_value *v)
{
	struct resolved_value types = *v, found = { 0 };

	if (v->what == RESOLVED_TYPE_TEXT)
		types = infer_named_type(l, v->file, v->definition, v->text);
	else if (v->what != RESOLVED_INSTANCE)
		return found;
	if (!types.n || !sym_file(l, types.v[0])->dialect->item ||
	    resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return found;
	l->depth++;
	found = infer_member(l, type_instance(types), sym_file(l, types.v[0])->dialect->item);
	l->depth--;
	if (found.what != RESOLVED_SYMBOLS || found.v[0]->kind != KIND_type || !found.v[0]->type)
		return resolved_unknown();
	const struct sym *item = found.v[0];
	return resolved_type_text(sym_file(l, item), item->index, item->type);
}

/* The element of a container. */
struct resolved_value infer_element(struct name_resolver *l, struct resolved_value v)
{
	const char *inner;
	bool through = false;

	v = generics_substitute(l, infer_instance(l, v));
	if (v.what == RESOLVED_EXTERNAL)
		return v;
	struct resolved_value item = named_element(l, &v);
	if (item.what)
		return item;
	while (v.what == RESOLVED_TYPE_TEXT && type_is_transparent(v.file->dialect, v.text)) {
		inner = type_last_argument(l->a, v.text);
		if (!inner)
			break;
		v.text = inner;
		v = generics_substitute(l, v);
		through = true;
	}
	if (v.what != RESOLVED_TYPE_TEXT)
		return resolved_unknown();
	inner = type_last_argument(l->a, v.text);
	if (inner)
		v.text = inner;
	else if (!through && !v.file->dialect->bare_element)
		return resolved_unknown();
	return v;
}

/* ---- expressions ---- */

/* The module that a call in the line loads without naming it: require("x").y() (JavaScript). */
static struct resolved_value loaded_module(
    struct name_resolver *l, struct source_file *f, uint32_t line)
{
	const struct file_symbols *u = resolver_file_scope(l, f);
	const struct import *only = NULL;

	for (size_t i = 0; line && i < u->nimports; i++) {
		const struct import *x = &u->imports[i];
		if (x->line != line || x->name || x->alias || x->again)
			continue;
		if (only)
			return resolved_unknown();	/* it may be either */
		only = x;
	}
	if (!only)
		return resolved_unknown();
	struct resolved_value v = import_value(l, f, only);
	v.by_call = true;
	return v;
}

static struct resolved_value primary(
    struct name_resolver *l, struct source_file *f, int definition, uint32_t line, const char *name)
{
	struct resolved_value v;

	if (!strcmp(name, "self"))
		return scope_find_self(l, f, definition);
	bool module = word_list_has(&f->dialect->up, name, strlen(name));	/* Rust: super::f() */
	if (!strcmp(name, "super") && !module) {
		v = scope_find_self(l, f, definition);
		v.is_super = true;
		return resolved_limit_confidence(v, CONFIDENCE_INHERITED, "inherited");
	}
	if (word_list_has(&f->dialect->class_self, name, strlen(name))) {
		v = scope_find_self(l, f, definition);
		if (v.what == RESOLVED_INSTANCE) {
			v.what = RESOLVED_SYMBOLS;
			return v;
		}
	}
	if (f->dialect->loader && !strcmp(name, f->dialect->loader))
		return loaded_module(l, f, line);
	v = scope_find_name(l, f, definition, line, name);
	if (v.what || !word_list_has(&f->dialect->makers, name, strlen(name)))
		return v;
	v = scope_find_self(l, f, definition);	/* new() in a method of a type (Ruby) */
	if (v.what != RESOLVED_INSTANCE)
		return resolved_unknown();
	v.what = RESOLVED_SYMBOLS;
	return v;
}

/*
 * The package, or the type of a full name, that an expression begins with: com.shop in
 * com.shop.User.find.  `*n`, the length of its first name, becomes the length of that.
 */
static struct resolved_value package_first(
    struct name_resolver *l, struct source_file *f, const char *x, size_t *n)
{
	struct resolved_value v = { 0 };
	size_t to = *n;

	for (int part = 0; part < MAX_PACKAGE_PARTS; part++) {
		struct resolved_value full = scope_find_full_name(l, f, arena_strn(l->a, x, to));
		if (full.what) {
			v = full;
			*n = to;
		}
		if (x[to] != '.')
			break;
		if (!v.what) {
			v = scope_find_package(l, f, arena_strn(l->a, x, to));
			if (v.what) {
				*n = to;
				break;
			}
		}
		to += 1 + strcspn(x + to + 1, ".([!");
	}
	return v;
}

/* An expression that is read from left to right. */
struct expression_reader {
	struct source_file *f;
	int definition;
	uint32_t line;
	const char *x;			/* the rest */
	bool first;			/* nothing was read yet */
};

/* A new instance of the type that is the first `n` bytes of an expression: `T!`. */
static struct resolved_value new_instance(
    struct name_resolver *l, const struct expression_reader *e, size_t n)
{
	const char *type = arena_strn(l->a, e->x, n);

	if (strchr(type, '<'))		/* its arguments may be needed */
		return resolved_type_text(e->f, e->definition, type);
	struct resolved_value v = type_instance(infer_named_type(l, e->f, e->definition, type));
	if (v.what != RESOLVED_INSTANCE && v.what != RESOLVED_EXTERNAL)
		return resolved_unknown();
	return v;
}

/* Follow a member of an expression; `called`: it is called, so it may be an extension. */
static struct resolved_value follow_member(struct name_resolver *l, const struct source_file *f,
    struct resolved_value of, const char *name, bool called)
{
	struct resolved_value v = infer_member(l, of, name);

	if (resolved_is_known(&v) || !called || !f->dialect->extensions)
		return v;
	struct resolved_value extension = extensions_find(l, of, name);
	if (extension.what)
		return extension;
	return v;
}

/* Copy the first name of an expression; its length, or 0 if it has none or is too long. */
static size_t copy_name(const char *x, char name[MAX_NAME])
{
	size_t n = strcspn(x, ".([!");

	if (n >= MAX_NAME)
		return 0;
	memcpy(name, x, n);
	name[n] = 0;
	return n;
}

/* Read a name of the expression: the first one, or a member of `v`. */
static struct resolved_value read_name(
    struct name_resolver *l, struct expression_reader *e, struct resolved_value v)
{
	char name[MAX_NAME];

	e->x += *e->x == '.';
	size_t n = copy_name(e->x, name);
	if (!n)
		return resolved_unknown();
	if (e->first)
		v = primary(l, e->f, e->definition, e->line, name);
	else
		v = follow_member(l, e->f, v, name, e->x[n] == '(');
	if (e->first && !v.what && e->x[n] == '.')
		v = package_first(l, e->f, e->x, &n);
	e->x += n;
	e->x += *e->x == '!';
	return v;
}

/* Read the next part of the expression, whose value up to it is `v`. */
static struct resolved_value read_part(
    struct name_resolver *l, struct expression_reader *e, struct resolved_value v)
{
	if (!strncmp(e->x, "()", 2)) {
		e->x += 2;
		return call(l, v);
	}
	if (!strncmp(e->x, "[]", 2)) {
		e->x += 2;
		return infer_element(l, v);
	}
	return read_name(l, e, v);
}

const char *name_in_own_module(const struct dialect *d, const char *x)
{
	size_t n = strcspn(x, ".");

	if (x[n] == '.' && word_list_has(&d->here, x, n))
		return x + n + 1;
	return NULL;
}

static struct resolved_value read_expression(
    struct name_resolver *l, struct source_file *f, int definition, uint32_t line, const char *x)
{
	struct expression_reader e = { f, definition, line, x, true };
	size_t n = strcspn(x, "!(");
	struct resolved_value v = { 0 };

	if (!f->dialect || resolver_too_deep(l, MAX_EXPRESSION_DEPTH) || *x == '?')
		return v;
	if (resolver_out_of_steps(l))
		return v;
	if (x[n] == '!') {
		v = new_instance(l, &e, n);
		e.x += n + 1;
		e.first = false;
	}
	while (*e.x) {
		v = read_part(l, &e, v);
		e.first = false;
		if (!v.what)
			break;
	}
	return v;
}

struct resolved_value infer_expression(
    struct name_resolver *l, struct source_file *f, int definition, uint32_t line, const char *x)
{
	struct resolved_value v = read_expression(l, f, definition, line, x);
	const char *own = NULL;

	if (!resolved_is_known(&v) && f->dialect)
		own = name_in_own_module(f->dialect, x);
	if (!own)
		return v;
	struct resolved_value in_module = read_expression(l, f, -1, 0, own);
	if (resolved_is_known(&in_module))
		return in_module;
	return v;
}
