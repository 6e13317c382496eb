#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/type_inference_internal.h"

enum { LONGEST_NAME = 300 };

struct value value_weaker(struct value v, int confidence, const char *reason)
{
	if (!v.reason || confidence < v.confidence) {
		v.confidence = v.confidence && v.confidence < confidence ? v.confidence : confidence;
		v.reason = reason;
	}
	return v;
}

/* What an alias stands for; the type itself otherwise. */
static struct value unalias(struct look *l, const struct sym *s)
{
	if (s->kind == KIND_type && s->type && !look_deep(l, DEEPEST))
		return (struct value){ .what = TYPED, .file = file_of(l, s), .definition = s->parent, .text = s->type,
			.confidence = SURE_TYPE, .reason = "type" };
	return (struct value){ 0 };
}

static struct value object_of(struct value types)
{
	if (types.what != SYMBOLS)
		return types;
	types.what = OBJECT;
	types.confidence = types.confidence < SURE_TYPE ? types.confidence : SURE_TYPE;
	types.reason = "type";
	return types;
}

/* ---- steps of an expression ---- */

static struct value typed(struct look *l, const struct sym *s, int definition, const char *type)
{
	return (struct value){ .what = TYPED, .file = file_of(l, s), .definition = definition, .text = type,
		.confidence = SURE_TYPE, .reason = "type" };
}

static struct value evaluated(struct look *l, const struct sym *s, int definition)
{
	struct value v = { 0 };

	if (!s->value || look_deep(l, DEEPEST))
		return v;
	look_inside(l, file_of(l, s));
	l->depth++;
	v = typing_expression(l, file_of(l, s), definition, 0, s->value);
	l->depth--;
	return v;
}

/* Whether what a callable gives back is meant as inside of it: the object itself, a type parameter of the type it stands outside of. */
static bool inside_means(const struct sym *s)
{
	return !strcmp(s->type, "self") || (s->parent < 0 && strchr(s->qualified, '.'));
}

/* What a call of a definition gives. */
static struct value called(struct look *l, const struct sym *s)
{
	const struct sym *parent = parent_of(l, s);

	if (kind_type(s->kind))
		return object_of(value_of(s, SURE_TYPE, "type"));
	if (s->kind == KIND_constructor && parent)
		return object_of(value_of(parent, SURE_TYPE, "type"));
	if (!kind_callable(s->kind))
		return (struct value){ 0 };
	if (s->type)
		return typed(l, s, inside_means(s) ? s->index : s->parent, s->type);
	return typing_object(l, evaluated(l, s, s->index));
}

/* What a field or variable holds. */
static struct value held(struct look *l, const struct sym *s)
{
	const struct sym *parent = parent_of(l, s);
	struct value v = { 0 };

	if (s->type)
		return typed(l, s, s->parent, s->type);
	if (s->kind == KIND_constant && parent && parent->kind == KIND_enum)
		return object_of(value_of(parent, SURE_TYPE, "type"));
	if (s->kind == KIND_field && parent)
		v = inherit_assigned(l, parent, s->name);
	return v.what ? v : evaluated(l, s, s->parent);
}

struct value typing_object(struct look *l, struct value v)
{
	if (v.what != SYMBOLS || v.n != 1 || !kind_holder(v.v[0]->kind) || look_deep(l, DEEPEST))
		return v;
	l->depth++;
	struct value out = typing_object(l, held(l, v.v[0]));
	l->depth--;
	if (out.what == TYPED && !out.generics)
		out.generics = v.generics;
	return out.what ? value_weaker(out, v.confidence < SURE_TYPE ? v.confidence : SURE_TYPE, "type") : out;
}

static struct value call(struct look *l, struct value v)
{
	struct value out = { 0 };

	if (v.what == OUTSIDE)
		return v;
	bool is_case = v.what == SYMBOLS && v.n && v.v[0]->kind == KIND_constant;	/* of an enum, that holds values */
	v = typing_object(l, v);
	if (is_case && v.what == OBJECT)
		return v;
	if (v.what == TYPED && v.by_call) {
		v.by_call = false;
		return v;
	}
	if (v.what == OBJECT && v.reason && !strcmp(v.reason, "self"))
		return v;	/* cls() */
	if (v.what != SYMBOLS || !v.n || look_deep(l, DEEPEST))
		return out;
	l->depth++;
	for (size_t i = 0; i < v.n && !out.what; i++)
		out = called(l, v.v[i]);
	if (out.what == TYPED && v.generics && typing_self(out.file->dialect, out.text)) {	/* what it is called on, not what declares it */
		const struct generics *g = v.generics;
		out = g->text ? (struct value){ .what = TYPED, .file = g->file, .definition = g->definition, .text = g->text, .generics = g->outer } :
		    object_of(value_of(g->type, SURE_TYPE, "type"));
		out.confidence = SURE_TYPE;
		out.reason = "type";
	} else if (out.what == TYPED && !out.generics) {
		out.generics = v.generics;
	}
	if (v.n > 1 && out.what == OBJECT && kind_type(v.v[0]->kind))
		out.n = v.n, memcpy(out.v, v.v, sizeof v.v);
	l->depth--;
	return value_weaker(out, v.confidence < SURE_TYPE ? v.confidence : SURE_TYPE, "type");
}

static struct value element(struct look *l, struct value v)
{
	bool through = false;

	v = generics_settle(l, typing_object(l, v));
	if (v.what != TYPED)
		return v.what == OUTSIDE ? v : (struct value){ 0 };
	while (v.what == TYPED && typing_through(v.file->dialect, v.text)) {
		const char *inner = typing_last_argument(l->a, v.text);
		if (!inner)
			break;
		v.text = inner;
		v = generics_settle(l, v);
		through = true;
	}
	const char *inner = v.what == TYPED ? typing_last_argument(l->a, v.text) : NULL;
	v.text = inner ? inner : through && v.what == TYPED ? v.text : NULL;
	return v.text ? v : (struct value){ 0 };
}

/* ---- members ---- */

static void merge(struct value *out, struct value v)
{
	if (!out->what || (out->what == OUTSIDE && v.what))
		*out = v;
	else if (out->what == SYMBOLS && v.what == SYMBOLS)
		for (size_t i = 0; i < v.n && out->n < MOST_CANDIDATES; i++) {
			bool there = false;
			for (size_t k = 0; k < out->n; k++)
				there |= out->v[k] == v.v[i];
			if (!there)
				out->v[out->n++] = v.v[i];
		}
}

/* What is embedded is a field that is called as its type is (Go). */
static struct value embedded(struct look *l, const struct sym *s, const char *name)
{
	struct value base;
	const struct base *b;

	for (size_t i = 0; inherit_base(l, s, i, &base, &b); i++)
		if (base.what == SYMBOLS && base.n && !strcmp(base.v[0]->name, name))
			return object_of(base);
	return (struct value){ 0 };
}

static struct value member_of_type(struct look *l, const struct sym *s, const char *name)
{
	struct value alias, v = inherit_member(l, s, name);

	if (v.what && v.what != OUTSIDE)
		return v;
	if (file_of(l, s)->dialect->scheme == SCHEME_DIRECTORY && (alias = embedded(l, s, name)).what)
		return alias;
	if (!(alias = unalias(l, s)).what)
		return v;
	l->depth++;
	v = typing_member(l, alias, name);
	l->depth--;
	return v;
}

/* A member of the definition itself: static, nested, of a namespace, of an object that is written out. */
static struct value member_of_symbol(struct look *l, const struct sym *s, const struct value *of, const char *name)
{
	struct file *f = file_of(l, s);
	struct value v = { 0 };

	if (kind_type(s->kind) && !strcmp(name, "this"))	/* Outer.this */
		return object_of(value_of(s, SURE_SELF, "self"));
	if (kind_type(s->kind))
		return member_of_type(l, s, name);
	if (kind_holder(s->kind) && s->type && !look_deep(l, DEEPEST)) {
		l->depth++;
		v = typed(l, s, s->parent, s->type);
		v.generics = of->generics;
		v = typing_member(l, v, name);
		l->depth--;
		if (v.what && v.what != OUTSIDE)
			return v;
		return value_of(look_member(l, f, arena_dotted(l->a, s->qualified, name)), SURE_IMPORT, NULL);
	}
	v = value_of(look_member(l, f, arena_dotted(l->a, s->qualified, name)), SURE_IMPORT, NULL);
	if (v.what)
		return v;
	if (s->kind == KIND_module && f->dialect && f->dialect->scheme == SCHEME_NAME) {
		v = (struct value){ .what = IN_PACKAGE, .text = f->package ? arena_dotted(l->a, f->package, s->qualified) :
		    s->qualified, .confidence = of->confidence, .reason = of->reason };
		return module_member(l, &v, name);
	}
	if (look_deep(l, DEEPEST))
		return v;
	l->depth++;
	v = kind_callable(s->kind) ? called(l, s) : typing_object(l, *of);
	if (v.what)
		v = typing_member(l, v, name);
	l->depth--;
	return v;
}

/* The steps that it takes to ask several values for what they hold, when nothing is known of any: each asks all again. */
static void go_round(struct look *l, size_t n)
{
	for (size_t i = 0; i < n && !look_deep(l, DEEPEST); i++) {
		l->depth++;
		if (!look_spent(l))
			go_round(l, n);
		l->depth--;
	}
}

/* Whether nothing is known of what it holds, and it holds no `name` itself. */
static bool is_blank(struct look *l, const struct sym *s, const char *name)
{
	return kind_holder(s->kind) && !s->type && !look_member(l, file_of(l, s), arena_dotted(l->a, s->qualified, name));
}

static struct value member_of_symbols(struct look *l, const struct value *of, const char *name)
{
	struct value out = { 0 };
	size_t blank = 0;

	while (of->n > 1 && blank < of->n && is_blank(l, of->v[blank], name))
		blank++;
	if (blank && blank == of->n)
		go_round(l, of->n);
	else
		for (size_t i = 0; i < of->n; i++)
			merge(&out, member_of_symbol(l, of->v[i], of, name));
	if (out.what == SYMBOLS && of->n == 1 && !out.generics && kind_type(of->v[0]->kind))
		out.generics = generics_of(l, of, of->v[0]);	/* T.make() gives a T */
	return out;
}

/* What a container of another repository gives: an element of it, or as many. */
static struct value member_of_container(struct look *l, struct value of, const char *name)
{
	const struct dialect *d = of.file->dialect;
	bool same = word_among(&d->same, name, strlen(name));

	if (!same && !word_among(&d->element, name, strlen(name)))
		return (struct value){ 0 };
	if (!same)
		of = element(l, of);
	of.by_call = of.what == TYPED;
	return of;
}

static bool names_it(const char *type, const struct sym *s)
{
	size_t head = typing_head(type), n = strlen(s->name);

	return head >= n && !memcmp(type + head - n, s->name, n);
}

static struct value member_of_typed(struct look *l, struct value of, const char *name)
{
	struct value types, out;
	const char *inner;

	if (of.what != TYPED)
		return of;
	l->depth++;
	types = typing_type(l, of.file, of.definition, of.text);
	out = object_of(types);
	if (typing_through(of.file->dialect, of.text) && (inner = typing_last_argument(l->a, of.text)) &&
	    !(out.what == OBJECT && names_it(of.text, out.v[0]))) {
		struct value in = of;
		in.text = inner;
		out = typing_member(l, in, name);
	} else if (out.what == OBJECT) {
		if (types.n == 1)
			out.generics = generics_of(l, &of, types.v[0]);
		out = typing_member(l, value_weaker(out, of.confidence, of.reason), name);
	} else if (out.what == TYPED) {
		out = typing_member(l, out, name);
	}
	if ((!out.what || out.what == OUTSIDE) && strchr(of.text, '<')) {
		struct value v = member_of_container(l, of, name);
		out = v.what ? v : out;
	}
	l->depth--;
	return out;
}

struct value typing_member(struct look *l, struct value of, const char *name)
{
	struct value out = { 0 };

	if (look_spent(l))
		return out;
	switch (of.what) {
	case NOTHING:
	case OUTSIDE:
		return of;
	case IN_FILE:
	case IN_DIR:
	case IN_PACKAGE:
		return module_member(l, &of, name);
	case TYPED:
		return look_deep(l, DEEPEST) ? out : member_of_typed(l, generics_settle(l, of), name);
	case OBJECT:
		for (size_t i = 0; i < of.n; i++)
			merge(&out, of.above ? inherit_super(l, of.v[i], name) : member_of_type(l, of.v[i], name));
		if (out.what == SYMBOLS && of.n == 1)
			out.generics = of.generics ? of.generics : generics_of(l, &of, of.v[0]);
		break;
	case SYMBOLS:
		out = member_of_symbols(l, &of, name);
		break;
	}
	return out.what && out.what != OUTSIDE ? value_weaker(out, of.confidence, of.reason) : out;
}

/* ---- expressions ---- */

static struct value primary(struct look *l, struct file *f, int definition, uint32_t line, const char *name)
{
	struct value v;

	if (!strcmp(name, "self"))
		return visible_self(l, f, definition);
	if (!strcmp(name, "super")) {
		v = visible_self(l, f, definition);
		v.above = true;
		return value_weaker(v, SURE_INHERITED, "inherited");
	}
	if (word_among(&f->dialect->class_self, name, strlen(name)) && (v = visible_self(l, f, definition)).what == OBJECT) {
		v.what = SYMBOLS;
		return v;
	}
	return visible_find(l, f, definition, line, name);
}

/* The package, or type of a full name, that an expression begins with: com.shop in com.shop.User.find; *n bytes name it. */
static struct value package_first(struct look *l, struct file *f, const char *x, size_t *n)
{
	struct value v = { 0 }, longer;

	for (size_t to = *n, parts = 0; parts < 8; to += 1 + strcspn(x + to + 1, ".([!"), parts++) {
		if ((longer = visible_full(l, f, arena_strn(l->a, x, to))).what) {
			v = longer;
			*n = to;
		}
		if (x[to] != '.')
			break;
		if (!v.what && (v = visible_package(l, f, arena_strn(l->a, x, to))).what) {
			*n = to;
			break;
		}
	}
	return v;
}

struct value typing_expression(struct look *l, struct file *f, int definition, uint32_t line, const char *x)
{
	char name[LONGEST_NAME];
	size_t n = strcspn(x, "!(");
	struct value v = { 0 };
	bool first = true;

	if (!f->dialect || look_deep(l, DEEPEST) || *x == '?' || look_spent(l))
		return v;
	if (x[n] == '!' && memchr(x, '<', n)) {	/* its arguments may be asked for */
		v = (struct value){ .what = TYPED, .file = f, .definition = definition, .text = arena_strn(l->a, x, n),
			.confidence = SURE_TYPE, .reason = "type" };
		x += n + 1;
		first = false;
	} else if (x[n] == '!') {
		v = object_of(typing_type(l, f, definition, arena_strn(l->a, x, n)));
		if (v.what != OBJECT && v.what != OUTSIDE)
			v = (struct value){ 0 };
		x += n + 1;
		first = false;
	}
	while (*x) {
		if (!strncmp(x, "()", 2) || !strncmp(x, "[]", 2)) {
			v = *x == '(' ? call(l, v) : element(l, v);
			x += 2;
		} else {
			x += *x == '.';
			n = strcspn(x, ".([!");
			if (!n || n >= sizeof name)
				return (struct value){ 0 };
			memcpy(name, x, n);
			name[n] = 0;
			struct value of = v;
			v = first ? primary(l, f, definition, line, name) : typing_member(l, v, name);
			if (!first && (!v.what || v.what == OUTSIDE) && x[n] == '(' && f->dialect->extensions && (of = extensions_find(l, of, name)).what)
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
