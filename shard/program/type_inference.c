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

/* The type that an alias stands for; RESOLVED_UNKNOWN if it is not an alias. */
static struct resolved_value unalias(struct name_resolver *l, const struct sym *s)
{
	if (s->kind == KIND_type && s->type && !resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return resolved_type_text(sym_file(l, s), s->parent, s->type);
	return resolved_unknown();
}

static struct resolved_value object_of(struct resolved_value types)
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
	return object_of(resolved_symbol(type, CONFIDENCE_TYPE, "type"));
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
static struct resolved_value called(struct name_resolver *l, const struct sym *s)
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
		out = called(l, v->v[i]);
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

/* The result of calling a value. */
static struct resolved_value call(struct name_resolver *l, struct resolved_value v)
{
	if (v.what == RESOLVED_EXTERNAL)
		return v;
	bool is_case = is_constant(&v);		/* of an enum with values */
	v = infer_instance(l, v);
	if (is_case && v.what == RESOLVED_INSTANCE)
		return v;
	if (v.what == RESOLVED_TYPE_TEXT && v.by_call) {
		v.by_call = false;
		return v;
	}
	if (is_self_instance(&v))	/* cls() */
		return v;
	if (v.what != RESOLVED_SYMBOLS || !v.n || resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return resolved_unknown();
	l->depth++;
	struct resolved_value out = call_symbols(l, &v, v.generics);
	l->depth--;
	return resolved_limit_confidence(out, MIN(v.confidence, CONFIDENCE_TYPE), "type");
}

/* The element of a container. */
static struct resolved_value element(struct name_resolver *l, struct resolved_value v)
{
	const char *inner;
	bool through = false;

	v = generics_substitute(l, infer_instance(l, v));
	if (v.what == RESOLVED_EXTERNAL)
		return v;
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
	else if (!through)
		return resolved_unknown();
	return v;
}

/* ---- members ---- */

static bool has_symbol(const struct resolved_value *v, const struct sym *s)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->v[i] == s)
			return true;
	return false;
}

/* Add a further value to `out`: definitions are combined, otherwise the first known value stays. */
static void merge(struct resolved_value *out, struct resolved_value v)
{
	if (!out->what || (out->what == RESOLVED_EXTERNAL && v.what)) {
		*out = v;
		return;
	}
	if (out->what != RESOLVED_SYMBOLS || v.what != RESOLVED_SYMBOLS)
		return;
	for (size_t i = 0; i < v.n && out->n < MAX_CANDIDATES; i++)
		if (!has_symbol(out, v.v[i]))
			out->v[out->n++] = v.v[i];
}

/* An embedded type is a field with the name of its type (Go). */
static struct resolved_value embedded(
    struct name_resolver *l, const struct sym *s, const char *name)
{
	struct resolved_value base;
	const struct base_type *b;

	for (size_t i = 0; inherit_base(l, s, i, &base, &b); i++)
		if (base.what == RESOLVED_SYMBOLS && base.n && !strcmp(base.v[0]->name, name))
			return object_of(base);
	return resolved_unknown();
}

static struct resolved_value member_of_type(
    struct name_resolver *l, const struct sym *s, const char *name)
{
	struct resolved_value v = inherit_member(l, s, name), other;

	if (resolved_is_known(&v))
		return v;
	if (sym_file(l, s)->dialect->scheme == SCHEME_DIRECTORY) {
		other = embedded(l, s, name);
		if (other.what)
			return other;
	}
	other = unalias(l, s);
	if (!other.what)
		return v;
	l->depth++;
	v = infer_member(l, other, name);
	l->depth--;
	return v;
}

/* A definition whose qualified name is that of `s` and the name: static, nested, in a namespace. */
static struct resolved_value nested_definition(
    struct name_resolver *l, const struct sym *s, const char *name)
{
	const char *qualified = arena_join_dotted(l->a, s->qualified, name);

	return resolved_symbol(
	    resolver_find_definition(l, sym_file(l, s), qualified), CONFIDENCE_IMPORT, NULL);
}

/* A member of a variable with a declared type. */
static struct resolved_value member_of_variable(
    struct name_resolver *l, const struct sym *s, const struct resolved_value *of, const char *name)
{
	struct resolved_value v = resolved_type_text(sym_file(l, s), s->parent, s->type);

	v.generics = of->generics;
	l->depth++;
	v = infer_member(l, v, name);
	l->depth--;
	if (resolved_is_known(&v))
		return v;
	return nested_definition(l, s, name);
}

/* A name in a module or namespace that may be declared in several files. */
static struct resolved_value member_of_module(
    struct name_resolver *l, const struct sym *s, const struct resolved_value *of, const char *name)
{
	struct resolved_value v = {
		.what = RESOLVED_PACKAGE,
		.text = s->qualified,
		.confidence = of->confidence,
		.reason = of->reason,
	};
	const char *package = sym_file(l, s)->package;

	if (package)
		v.text = arena_join_dotted(l->a, package, s->qualified);
	return module_member(l, &v, name);
}

/*
 * A member of the definition itself: static, nested, of a namespace, of an object literal.
 */
static struct resolved_value member_of_symbol(
    struct name_resolver *l, const struct sym *s, const struct resolved_value *of, const char *name)
{
	const struct dialect *d = sym_file(l, s)->dialect;

	if (kind_is_type(s->kind)) {
		if (!strcmp(name, "this"))	/* Outer.this */
			return object_of(resolved_symbol(s, CONFIDENCE_SELF, "self"));
		return member_of_type(l, s, name);
	}
	if (kind_holds_value(s->kind) && s->type && !resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return member_of_variable(l, s, of, name);
	struct resolved_value v = nested_definition(l, s, name);
	if (v.what)
		return v;
	if (s->kind == KIND_module && d && d->scheme == SCHEME_NAME)
		return member_of_module(l, s, of, name);
	if (resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return v;
	l->depth++;
	if (kind_is_callable(s->kind))
		v = called(l, s);
	else
		v = infer_instance(l, *of);
	if (v.what)
		v = infer_member(l, v, name);
	l->depth--;
	return v;
}

/*
 * Take the steps that a lookup of a member in several values would take if none of them is known:
 * each value leads to all of them again.
 */
static void spend_blank_member_steps(struct name_resolver *l, size_t n)
{
	for (size_t i = 0; i < n && !resolver_too_deep(l, MAX_EXPRESSION_DEPTH); i++) {
		l->depth++;
		if (!resolver_out_of_steps(l))
			spend_blank_member_steps(l, n);
		l->depth--;
	}
}

/* Whether the value of a variable is unknown, and no definition is named after it and `name`. */
static bool is_blank(struct name_resolver *l, const struct sym *s, const char *name)
{
	if (!kind_holds_value(s->kind) || s->type)
		return false;
	return !nested_definition(l, s, name).what;
}

static bool all_blank(
    struct name_resolver *l, const struct resolved_value *of, const char *name)
{
	for (size_t i = 0; i < of->n; i++)
		if (!is_blank(l, of->v[i], name))
			return false;
	return true;
}

static struct resolved_value member_of_symbols(
    struct name_resolver *l, const struct resolved_value *of, const char *name)
{
	struct resolved_value out = { 0 };

	if (of->n > 1 && all_blank(l, of, name)) {
		spend_blank_member_steps(l, of->n);
		return out;
	}
	for (size_t i = 0; i < of->n; i++)
		merge(&out, member_of_symbol(l, of->v[i], of, name));
	bool of_type = of->n == 1 && kind_is_type(of->v[0]->kind);
	if (of_type && out.what == RESOLVED_SYMBOLS && !out.generics)
		out.generics = generics_instance_of(l, of, of->v[0]);	/* T.make() returns a T */
	return out;
}

/* The result of a method of a container outside: an element, or a container of the same elements. */
static struct resolved_value member_of_container(
    struct name_resolver *l, struct resolved_value of, const char *name)
{
	const struct dialect *d = of.file->dialect;
	size_t n = strlen(name);

	if (!word_list_has(&d->same, name, n)) {
		if (!word_list_has(&d->element, name, n))
			return resolved_unknown();
		of = element(l, of);
	}
	of.by_call = of.what == RESOLVED_TYPE_TEXT;
	return of;
}

static bool type_names_symbol(const char *type, const struct sym *s)
{
	size_t head = type_name_length(type), n = strlen(s->name);

	return head >= n && !memcmp(type + head - n, s->name, n);
}

/*
 * The last argument of a type whose members are those of that argument.  NULL if it has none, or if
 * the type itself is defined in this repository: `object`.
 */
static const char *transparent_argument(
    struct name_resolver *l, const struct resolved_value *of, const struct resolved_value *object)
{
	if (!type_is_transparent(of->file->dialect, of->text))
		return NULL;
	if (object->what == RESOLVED_INSTANCE && type_names_symbol(of->text, object->v[0]))
		return NULL;
	return type_last_argument(l->a, of->text);
}

/* A member of the type `of->text`, without its methods as a container. */
static struct resolved_value member_of_named_type(
    struct name_resolver *l, const struct resolved_value *of, const char *name)
{
	struct resolved_value types = infer_named_type(l, of->file, of->definition, of->text);
	struct resolved_value object = object_of(types);
	const char *inner = transparent_argument(l, of, &object);

	if (inner) {
		struct resolved_value in = *of;
		in.text = inner;
		return infer_member(l, in, name);
	}
	if (object.what == RESOLVED_TYPE_TEXT)
		return infer_member(l, object, name);
	if (object.what != RESOLVED_INSTANCE)
		return object;
	if (types.n == 1)
		object.generics = generics_instance_of(l, of, types.v[0]);
	return infer_member(l, resolved_limit_confidence(object, of->confidence, of->reason), name);
}

static struct resolved_value member_of_typed(
    struct name_resolver *l, struct resolved_value of, const char *name)
{
	if (of.what != RESOLVED_TYPE_TEXT)
		return of;
	l->depth++;
	struct resolved_value out = member_of_named_type(l, &of, name);
	if (!resolved_is_known(&out) && strchr(of.text, '<')) {
		struct resolved_value v = member_of_container(l, of, name);
		if (v.what)
			out = v;
	}
	l->depth--;
	return out;
}

/* A member of an instance of one of several types. */
static struct resolved_value member_of_instance(
    struct name_resolver *l, const struct resolved_value *of, const char *name)
{
	struct resolved_value out = { 0 };

	for (size_t i = 0; i < of->n; i++) {
		if (of->is_super)
			merge(&out, inherit_super(l, of->v[i], name));
		else
			merge(&out, member_of_type(l, of->v[i], name));
	}
	if (out.what != RESOLVED_SYMBOLS || of->n != 1)
		return out;
	if (of->generics)
		out.generics = of->generics;
	else
		out.generics = generics_instance_of(l, of, of->v[0]);
	return out;
}

struct resolved_value infer_member(
    struct name_resolver *l, struct resolved_value of, const char *name)
{
	struct resolved_value out = { 0 };

	if (resolver_out_of_steps(l))
		return out;
	switch (of.what) {
	case RESOLVED_UNKNOWN:
	case RESOLVED_EXTERNAL:
		return of;
	case RESOLVED_FILE:
	case RESOLVED_DIR:
	case RESOLVED_PACKAGE:
		return module_member(l, &of, name);
	case RESOLVED_TYPE_TEXT:
		if (resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
			return out;
		return member_of_typed(l, generics_substitute(l, of), name);
	case RESOLVED_INSTANCE:
		out = member_of_instance(l, &of, name);
		break;
	case RESOLVED_SYMBOLS:
		out = member_of_symbols(l, &of, name);
		break;
	}
	if (resolved_is_known(&out))
		return resolved_limit_confidence(out, of.confidence, of.reason);
	return out;
}

/* ---- expressions ---- */

static struct resolved_value primary(
    struct name_resolver *l, struct source_file *f, int definition, uint32_t line, const char *name)
{
	struct resolved_value v;

	if (!strcmp(name, "self"))
		return scope_find_self(l, f, definition);
	if (!strcmp(name, "super")) {
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
	return scope_find_name(l, f, definition, line, name);
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
struct expression {
	struct source_file *f;
	int definition;
	uint32_t line;
	const char *x;			/* the rest */
	bool first;			/* nothing was read yet */
};

/* A new instance of the type that is the first `n` bytes of an expression: `T!`. */
static struct resolved_value new_instance(
    struct name_resolver *l, const struct expression *e, size_t n)
{
	const char *type = arena_strn(l->a, e->x, n);

	if (strchr(type, '<'))		/* its arguments may be needed */
		return resolved_type_text(e->f, e->definition, type);
	struct resolved_value v = object_of(infer_named_type(l, e->f, e->definition, type));
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
    struct name_resolver *l, struct expression *e, struct resolved_value v)
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
    struct name_resolver *l, struct expression *e, struct resolved_value v)
{
	if (!strncmp(e->x, "()", 2)) {
		e->x += 2;
		return call(l, v);
	}
	if (!strncmp(e->x, "[]", 2)) {
		e->x += 2;
		return element(l, v);
	}
	return read_name(l, e, v);
}

struct resolved_value infer_expression(
    struct name_resolver *l, struct source_file *f, int definition, uint32_t line, const char *x)
{
	struct expression e = { f, definition, line, x, true };
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
