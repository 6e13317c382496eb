/* Members of values. */
#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/program/type_inference_internal.h"
#include "shard/facts/qualified_name.h"

/* The type that an alias stands for; RESOLVED_UNKNOWN if it is not an alias. */
static struct resolved_value unalias(struct name_resolver *l, const struct sym *s)
{
	if (s->kind == KIND_type && s->type && !resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return resolved_type_text(sym_file(l, s), s->parent, s->type);
	return resolved_unknown();
}

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
			return type_instance(base);
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
	const char *qualified = qualified_join(l->a, s->qualified, name);

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
	struct resolved_value member = module_member(l, &v, name);
	if (resolved_is_known(&member))
		return member;
	struct resolved_value again = module_reexport(l, s, name);
	if (resolved_is_known(&again))
		return again;
	return member;
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
			return type_instance(resolved_symbol(s, CONFIDENCE_SELF, "self"));
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
		v = infer_call_result(l, s);
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

static bool all_blank(struct name_resolver *l, const struct resolved_value *of, const char *name)
{
	for (size_t i = 0; i < of->n; i++)
		if (!is_blank(l, of->v[i], name))
			return false;
	return true;
}

/* What a function calls the literal on that it is given: `read(block: Source.() -> T)`. */
static struct resolved_value block_receiver(struct name_resolver *l, const struct sym *s)
{
	struct source_file *f = sym_file(l, s);
	const struct local *x = scope_find_local(l, f, s->index, BLOCK_LOCAL, 0);

	if (!x || !x->type)
		return resolved_unknown();
	return resolved_type_text(f, s->index, x->type);
}

static struct resolved_value member_of_symbols(
    struct name_resolver *l, const struct resolved_value *of, const char *name)
{
	struct resolved_value out = { 0 };

	if (!strcmp(name, BLOCK_LOCAL)) {
		for (size_t i = 0; i < of->n && !out.what; i++)
			out = block_receiver(l, of->v[i]);
		return out;
	}
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

/* The result of a method of a container outside: an element, or as many elements. */
static struct resolved_value member_of_container(
    struct name_resolver *l, struct resolved_value of, const char *name)
{
	const struct dialect *d = of.file->dialect;
	size_t n = strlen(name);

	if (!word_list_has(&d->same, name, n)) {
		if (!word_list_has(&d->element, name, n))
			return resolved_unknown();
		of = infer_element(l, of);
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
	struct resolved_value object = type_instance(types);
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

/* The name with its first letter as a capital or not, after `before`. */
static const char *recased(
    struct arena *a, const char *before, const char *name, int (*letter)(int))
{
	char *out = arena_printf(a, "%s%s", before, name);
	size_t at = strlen(before);

	out[at] = (char)letter((unsigned char)out[at]);
	return out;
}

/*
 * A property by its accessor, `getBody()` of Kotlin's `body`, or an accessor by the property,
 * `body` of Java's getBody().
 */
static struct resolved_value member_by_accessor(
    struct name_resolver *l, struct resolved_value *of, const char *name)
{
	static const char *const before[] = { "get", "set", "is" };
	struct resolved_value out = { 0 };

	for (size_t i = 0; i < LEN(before) && !out.what; i++) {
		size_t n = strlen(before[i]);
		if (strncmp(name, before[i], n) || !isupper((unsigned char)name[n]))
			continue;
		out = member_of_instance(l, of, recased(l->a, "", name + n, tolower));
		if (!out.what) /* setOpen() of isOpen */
			out = member_of_instance(l, of, recased(l->a, "is", name + n, toupper));
		out.by_call = out.what == RESOLVED_SYMBOLS;
	}
	if (out.what || !islower((unsigned char)*name))
		return out;
	out = member_of_instance(l, of, recased(l->a, "get", name, toupper));
	if (!out.what)
		out = member_of_instance(l, of, recased(l->a, "is", name, toupper));
	return out;
}

/* Whether it is a field that only its own file sees: code elsewhere means the accessor. */
static bool is_private_field(struct name_resolver *l, const struct resolved_value *v)
{
	if (v->what != RESOLVED_SYMBOLS || v->n != 1 || v->v[0]->kind != KIND_field)
		return false;
	return !v->v[0]->exported && sym_file(l, v->v[0]) != l->file;
}

/* A member of an object, by itself or by its accessor where the language has these. */
static struct resolved_value member_or_accessor(
    struct name_resolver *l, struct resolved_value *of, const char *name)
{
	struct resolved_value out = member_of_instance(l, of, name), other;

	if (!l->file->dialect->accessors || (out.what && !is_private_field(l, &out)))
		return out;
	other = member_by_accessor(l, of, name);
	if (other.what == RESOLVED_SYMBOLS)
		return other;
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
	case RESOLVED_INSTANCE: out = member_or_accessor(l, &of, name); break;
	case RESOLVED_SYMBOLS:
		out = member_of_symbols(l, &of, name);
		break;
	}
	if (resolved_is_known(&out))
		return resolved_limit_confidence(out, of.confidence, of.reason);
	return out;
}
