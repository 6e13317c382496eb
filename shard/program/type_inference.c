#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/program/type_inference_internal.h"

enum { LONGEST_NAME = 300 };

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

/* What an alias stands for; the type itself otherwise. */
static struct resolved_value unalias(struct name_resolver *l, const struct sym *s)
{
	if (s->kind == KIND_type && s->type && !resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return (struct resolved_value){ .what = RESOLVED_TYPE_TEXT,
			.file = sym_file(l, s),
			.definition = s->parent,
			.text = s->type,
			.confidence = CONFIDENCE_TYPE,
			.reason = "type" };
	return (struct resolved_value){ 0 };
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

static struct resolved_value typed(
    struct name_resolver *l, const struct sym *s, int definition, const char *type)
{
	return (struct resolved_value){ .what = RESOLVED_TYPE_TEXT,
		.file = sym_file(l, s),
		.definition = definition,
		.text = type,
		.confidence = CONFIDENCE_TYPE,
		.reason = "type" };
}

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
 * Whether what a callable gives back is meant as inside of it: the object itself, a type parameter
 * of the type it stands outside of.
 */
static bool inside_means(const struct sym *s)
{
	return !strcmp(s->type, "self") || (s->parent < 0 && strchr(s->qualified, '.'));
}

/* What a call of a definition gives. */
static struct resolved_value called(struct name_resolver *l, const struct sym *s)
{
	const struct sym *parent = sym_parent(l, s);

	if (kind_is_type(s->kind))
		return object_of(resolved_symbol(s, CONFIDENCE_TYPE, "type"));
	if (s->kind == KIND_constructor && parent)
		return object_of(resolved_symbol(parent, CONFIDENCE_TYPE, "type"));
	if (!kind_is_callable(s->kind))
		return (struct resolved_value){ 0 };
	if (s->type)
		return typed(l, s, inside_means(s) ? s->index : s->parent, s->type);
	return infer_instance(l, evaluated(l, s, s->index));
}

/* What a field or variable holds. */
static struct resolved_value infer_held_value(struct name_resolver *l, const struct sym *s)
{
	const struct sym *parent = sym_parent(l, s);
	struct resolved_value v = { 0 };

	if (s->type)
		return typed(l, s, s->parent, s->type);
	if (s->kind == KIND_constant && parent && parent->kind == KIND_enum)
		return object_of(resolved_symbol(parent, CONFIDENCE_TYPE, "type"));
	if (s->kind == KIND_field && parent)
		v = inherit_field_assignment(l, parent, s->name);
	if (v.what)
		return v;
	return evaluated(l, s, s->parent);
}

struct resolved_value infer_instance(struct name_resolver *l, struct resolved_value v)
{
	if (v.what != RESOLVED_SYMBOLS || v.n != 1 || !kind_holds_value(v.v[0]->kind) ||
	    resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
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

static struct resolved_value call(struct name_resolver *l, struct resolved_value v)
{
	struct resolved_value out = { 0 };

	if (v.what == RESOLVED_EXTERNAL)
		return v;
	/* of an enum, that holds values */
	bool is_case = v.what == RESOLVED_SYMBOLS && v.n && v.v[0]->kind == KIND_constant;
	v = infer_instance(l, v);
	if (is_case && v.what == RESOLVED_INSTANCE)
		return v;
	if (v.what == RESOLVED_TYPE_TEXT && v.by_call) {
		v.by_call = false;
		return v;
	}
	if (v.what == RESOLVED_INSTANCE && v.reason && !strcmp(v.reason, "self"))
		return v;	/* cls() */
	if (v.what != RESOLVED_SYMBOLS || !v.n || resolver_too_deep(l, MAX_EXPRESSION_DEPTH))
		return out;
	l->depth++;
	for (size_t i = 0; i < v.n && !out.what; i++)
		out = called(l, v.v[i]);
	/* what it is called on, not what declares it */
	if (out.what == RESOLVED_TYPE_TEXT && v.generics && type_is_self(out.file->dialect, out.text)) {
		const struct generic_instance *g = v.generics;
		out = g->text ? (struct resolved_value){ .what = RESOLVED_TYPE_TEXT,
			.file = g->file,
			.definition = g->definition,
			.text = g->text,
			.generics = g->outer } :
		                object_of(resolved_symbol(g->type, CONFIDENCE_TYPE, "type"));
		out.confidence = CONFIDENCE_TYPE;
		out.reason = "type";
	} else if (out.what == RESOLVED_TYPE_TEXT && !out.generics) {
		out.generics = v.generics;
	}
	if (v.n > 1 && out.what == RESOLVED_INSTANCE && kind_is_type(v.v[0]->kind))
		out.n = v.n, memcpy(out.v, v.v, sizeof v.v);
	l->depth--;
	return resolved_limit_confidence(out, MIN(v.confidence, CONFIDENCE_TYPE), "type");
}

static struct resolved_value element(struct name_resolver *l, struct resolved_value v)
{
	bool through = false;

	v = generics_substitute(l, infer_instance(l, v));
	if (v.what != RESOLVED_TYPE_TEXT)
		return v.what == RESOLVED_EXTERNAL ? v : (struct resolved_value){ 0 };
	while (v.what == RESOLVED_TYPE_TEXT && type_is_transparent(v.file->dialect, v.text)) {
		const char *inner = type_last_argument(l->a, v.text);
		if (!inner)
			break;
		v.text = inner;
		v = generics_substitute(l, v);
		through = true;
	}
	const char *inner = NULL;
	if (v.what == RESOLVED_TYPE_TEXT)
		inner = type_last_argument(l->a, v.text);
	if (inner)
		v.text = inner;
	else if (through && v.what == RESOLVED_TYPE_TEXT)
		v.text = v.text;
	else
		v.text = NULL;
	return v.text ? v : (struct resolved_value){ 0 };
}

/* ---- members ---- */

static void merge(struct resolved_value *out, struct resolved_value v)
{
	if (!out->what || (out->what == RESOLVED_EXTERNAL && v.what))
		*out = v;
	else if (out->what == RESOLVED_SYMBOLS && v.what == RESOLVED_SYMBOLS)
		for (size_t i = 0; i < v.n && out->n < MAX_CANDIDATES; i++) {
			bool there = false;
			for (size_t k = 0; k < out->n; k++)
				there |= out->v[k] == v.v[i];
			if (!there)
				out->v[out->n++] = v.v[i];
		}
}

/* What is embedded is a field that is called as its type is (Go). */
static struct resolved_value embedded(
    struct name_resolver *l, const struct sym *s, const char *name)
{
	struct resolved_value base;
	const struct base_type *b;

	for (size_t i = 0; inherit_base(l, s, i, &base, &b); i++)
		if (base.what == RESOLVED_SYMBOLS && base.n && !strcmp(base.v[0]->name, name))
			return object_of(base);
	return (struct resolved_value){ 0 };
}

static struct resolved_value member_of_type(
    struct name_resolver *l, const struct sym *s, const char *name)
{
	struct resolved_value alias, v = inherit_member(l, s, name);

	if (v.what && v.what != RESOLVED_EXTERNAL)
		return v;
	if (sym_file(l, s)->dialect->scheme == SCHEME_DIRECTORY && (alias = embedded(l, s, name)).what)
		return alias;
	if (!(alias = unalias(l, s)).what)
		return v;
	l->depth++;
	v = infer_member(l, alias, name);
	l->depth--;
	return v;
}

/*
 * A member of the definition itself: static, nested, of a namespace, of an object that is written
 * out.
 */
static struct resolved_value member_of_symbol(
    struct name_resolver *l, const struct sym *s, const struct resolved_value *of, const char *name)
{
	struct source_file *f = sym_file(l, s);
	struct resolved_value v = { 0 };

	if (kind_is_type(s->kind) && !strcmp(name, "this"))	/* Outer.this */
		return object_of(resolved_symbol(s, CONFIDENCE_SELF, "self"));
	if (kind_is_type(s->kind))
		return member_of_type(l, s, name);
	if (kind_holds_value(s->kind) && s->type && !resolver_too_deep(l, MAX_EXPRESSION_DEPTH)) {
		l->depth++;
		v = typed(l, s, s->parent, s->type);
		v.generics = of->generics;
		v = infer_member(l, v, name);
		l->depth--;
		if (v.what && v.what != RESOLVED_EXTERNAL)
			return v;
		return resolved_symbol(
		    resolver_find_definition(l, f, arena_join_dotted(l->a, s->qualified, name)),
		    CONFIDENCE_IMPORT, NULL);
	}
	v = resolved_symbol(resolver_find_definition(l, f, arena_join_dotted(l->a, s->qualified, name)),
	    CONFIDENCE_IMPORT, NULL);
	if (v.what)
		return v;
	if (s->kind == KIND_module && f->dialect && f->dialect->scheme == SCHEME_NAME) {
		v = (struct resolved_value){ .what = RESOLVED_PACKAGE,
			.text = f->package ? arena_join_dotted(l->a, f->package, s->qualified) : s->qualified,
			.confidence = of->confidence,
			.reason = of->reason };
		return module_member(l, &v, name);
	}
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
 * The steps that it takes to ask several values for what they hold, when nothing is known of any:
 * each asks all again.
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

/* Whether nothing is known of what it holds, and it holds no `name` itself. */
static bool is_blank(struct name_resolver *l, const struct sym *s, const char *name)
{
	return kind_holds_value(s->kind) && !s->type &&
	    !resolver_find_definition(l, sym_file(l, s), arena_join_dotted(l->a, s->qualified, name));
}

static struct resolved_value member_of_symbols(
    struct name_resolver *l, const struct resolved_value *of, const char *name)
{
	struct resolved_value out = { 0 };
	size_t blank = 0;

	while (of->n > 1 && blank < of->n && is_blank(l, of->v[blank], name))
		blank++;
	if (blank && blank == of->n)
		spend_blank_member_steps(l, of->n);
	else
		for (size_t i = 0; i < of->n; i++)
			merge(&out, member_of_symbol(l, of->v[i], of, name));
	if (out.what == RESOLVED_SYMBOLS && of->n == 1 && !out.generics && kind_is_type(of->v[0]->kind))
		out.generics = generics_instance_of(l, of, of->v[0]);	/* T.make() gives a T */
	return out;
}

/* What a container of another repository gives: an element of it, or as many. */
static struct resolved_value member_of_container(
    struct name_resolver *l, struct resolved_value of, const char *name)
{
	const struct dialect *d = of.file->dialect;
	bool same = word_list_has(&d->same, name, strlen(name));

	if (!same && !word_list_has(&d->element, name, strlen(name)))
		return (struct resolved_value){ 0 };
	if (!same)
		of = element(l, of);
	of.by_call = of.what == RESOLVED_TYPE_TEXT;
	return of;
}

static bool type_names_symbol(const char *type, const struct sym *s)
{
	size_t head = type_name_length(type), n = strlen(s->name);

	return head >= n && !memcmp(type + head - n, s->name, n);
}

static struct resolved_value member_of_typed(
    struct name_resolver *l, struct resolved_value of, const char *name)
{
	struct resolved_value types, out;
	const char *inner;

	if (of.what != RESOLVED_TYPE_TEXT)
		return of;
	l->depth++;
	types = infer_named_type(l, of.file, of.definition, of.text);
	out = object_of(types);
	if (type_is_transparent(of.file->dialect, of.text) &&
	    (inner = type_last_argument(l->a, of.text)) &&
	    !(out.what == RESOLVED_INSTANCE && type_names_symbol(of.text, out.v[0]))) {
		struct resolved_value in = of;
		in.text = inner;
		out = infer_member(l, in, name);
	} else if (out.what == RESOLVED_INSTANCE) {
		if (types.n == 1)
			out.generics = generics_instance_of(l, &of, types.v[0]);
		out = infer_member(l, resolved_limit_confidence(out, of.confidence, of.reason), name);
	} else if (out.what == RESOLVED_TYPE_TEXT) {
		out = infer_member(l, out, name);
	}
	if ((!out.what || out.what == RESOLVED_EXTERNAL) && strchr(of.text, '<')) {
		struct resolved_value v = member_of_container(l, of, name);
		if (v.what)
			out = v;
	}
	l->depth--;
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
		for (size_t i = 0; i < of.n; i++)
			merge(&out,
			    of.is_super ? inherit_super(l, of.v[i], name) : member_of_type(l, of.v[i], name));
		if (out.what == RESOLVED_SYMBOLS && of.n == 1) {
			if (of.generics)
				out.generics = of.generics;
			else
				out.generics = generics_instance_of(l, &of, of.v[0]);
		}
		break;
	case RESOLVED_SYMBOLS:
		out = member_of_symbols(l, &of, name);
		break;
	}
	if (out.what && out.what != RESOLVED_EXTERNAL)
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
	if (word_list_has(&f->dialect->class_self, name, strlen(name)) &&
	    (v = scope_find_self(l, f, definition)).what == RESOLVED_INSTANCE) {
		v.what = RESOLVED_SYMBOLS;
		return v;
	}
	return scope_find_name(l, f, definition, line, name);
}

/*
 * The package, or type of a full name, that an expression begins with: com.shop in
 * com.shop.User.find; *n bytes name it.
 */
static struct resolved_value package_first(
    struct name_resolver *l, struct source_file *f, const char *x, size_t *n)
{
	struct resolved_value v = { 0 }, longer;

	for (size_t to = *n, parts = 0; parts < 8; to += 1 + strcspn(x + to + 1, ".([!"), parts++) {
		if ((longer = scope_find_full_name(l, f, arena_strn(l->a, x, to))).what) {
			v = longer;
			*n = to;
		}
		if (x[to] != '.')
			break;
		if (!v.what && (v = scope_find_package(l, f, arena_strn(l->a, x, to))).what) {
			*n = to;
			break;
		}
	}
	return v;
}

struct resolved_value infer_expression(
    struct name_resolver *l, struct source_file *f, int definition, uint32_t line, const char *x)
{
	char name[LONGEST_NAME];
	size_t n = strcspn(x, "!(");
	struct resolved_value v = { 0 };
	bool first = true;

	if (!f->dialect || resolver_too_deep(l, MAX_EXPRESSION_DEPTH) || *x == '?' ||
	    resolver_out_of_steps(l))
		return v;
	if (x[n] == '!' && memchr(x, '<', n)) {	/* its arguments may be asked for */
		v = (struct resolved_value){ .what = RESOLVED_TYPE_TEXT,
			.file = f,
			.definition = definition,
			.text = arena_strn(l->a, x, n),
			.confidence = CONFIDENCE_TYPE,
			.reason = "type" };
		x += n + 1;
		first = false;
	} else if (x[n] == '!') {
		v = object_of(infer_named_type(l, f, definition, arena_strn(l->a, x, n)));
		if (v.what != RESOLVED_INSTANCE && v.what != RESOLVED_EXTERNAL)
			v = (struct resolved_value){ 0 };
		x += n + 1;
		first = false;
	}
	while (*x) {
		if (!strncmp(x, "()", 2) || !strncmp(x, "[]", 2)) {
			if (*x == '(')
				v = call(l, v);
			else
				v = element(l, v);
			x += 2;
		} else {
			x += *x == '.';
			n = strcspn(x, ".([!");
			if (!n || n >= sizeof name)
				return (struct resolved_value){ 0 };
			memcpy(name, x, n);
			name[n] = 0;
			struct resolved_value of = v;
			if (first)
				v = primary(l, f, definition, line, name);
			else
				v = infer_member(l, v, name);
			if (!first && (!v.what || v.what == RESOLVED_EXTERNAL) && x[n] == '(' &&
			    f->dialect->extensions && (of = extensions_find(l, of, name)).what)
				v = of;
			if (first && !v.what && x[n] == '.')
				v = package_first(l, f, x, &n);
			x += n + (x[n] == '!');
		}
		first = false;
		if (!v.what)
			break;
	}
	return v;
}
