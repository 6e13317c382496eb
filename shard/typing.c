#include <string.h>

#include "proto/base/arena.h"
#include "shard/memo.h"
#include "shard/value.h"

enum { DEEPEST = 12, LONGEST_NAME = 300 };

struct value value_weaker(struct value v, int confidence, const char *reason)
{
	if (!v.reason || confidence < v.confidence) {
		v.confidence = v.confidence && v.confidence < confidence ? v.confidence : confidence;
		v.reason = reason;
	}
	return v;
}

/* ---- types ---- */

static size_t type_head(const char *type)
{
	return strcspn(type, "<");
}

/* The last argument of `Map<String,List<User>>`: List<User>; NULL: none. */
static const char *last_argument(struct arena *a, const char *type)
{
	size_t n = strlen(type), head = type_head(type);
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

static bool goes_through(const struct dialect *d, const char *type)
{
	size_t head = type_head(type), from = head;

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

static struct value find_type(struct look *l, struct file *f, int definition, const char *type)
{
	char name[LONGEST_NAME];
	size_t head = type_head(type), n = 0;
	struct value v = { 0 };

	if (!head || head >= sizeof name || *type == '[' || look_spent(l))
		return v;
	for (size_t at = 0; at <= head; at += n + 1) {
		n = strcspn(type + at, ".<");
		memcpy(name, type + at, n);
		name[n] = 0;
		v = at ? typing_member(l, v, name) : !strcmp(name, "self") ? visible_self(l, f, definition) :
		    first_of_type(l, f, definition, name);
		if (v.what == OBJECT)
			v.what = SYMBOLS;
		if (!v.what && !at && type[n] == '.')
			v = visible_package(l, f, arena_str(l->a, name));
		if (!v.what)
			break;
	}
	v = only_types(l, v);
	const char *inner = v.what != SYMBOLS && goes_through(f->dialect, type) ? last_argument(l->a, type) : NULL;
	return inner ? typing_type(l, f, definition, inner) : v;
}

struct value typing_type(struct look *l, struct file *f, int definition, const char *type)
{
	struct memo m = { .of = f, .what = MEMO_TYPE, .number = definition, .text = type };

	return memo_find(l, &m) ? m.value : memo_keep(l, &m, find_type(l, f, definition, m.text));
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
		return typed(l, s, strcmp(s->type, "self") ? s->parent : s->index, s->type);
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
	return out.what ? value_weaker(out, v.confidence < SURE_TYPE ? v.confidence : SURE_TYPE, "type") : out;
}

static struct value call(struct look *l, struct value v)
{
	struct value out = { 0 };

	if (v.what == OUTSIDE)
		return v;
	v = typing_object(l, v);
	if (v.what == OBJECT && v.reason && !strcmp(v.reason, "self"))
		return v;	/* cls() */
	if (v.what != SYMBOLS || !v.n || look_deep(l, DEEPEST))
		return out;
	l->depth++;
	for (size_t i = 0; i < v.n && !out.what; i++)
		out = called(l, v.v[i]);
	if (v.n > 1 && out.what == OBJECT && kind_type(v.v[0]->kind))
		out.n = v.n, memcpy(out.v, v.v, sizeof v.v);
	l->depth--;
	return value_weaker(out, v.confidence < SURE_TYPE ? v.confidence : SURE_TYPE, "type");
}

static struct value element(struct look *l, struct value v)
{
	v = typing_object(l, v);
	if (v.what != TYPED)
		return v.what == OUTSIDE ? v : (struct value){ 0 };
	while (goes_through(v.file->dialect, v.text)) {
		const char *inner = last_argument(l->a, v.text);
		if (!inner)
			break;
		v.text = inner;
	}
	v.text = last_argument(l->a, v.text);
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

static struct value member_of_type(struct look *l, const struct sym *s, const char *name)
{
	struct value alias, v = inherit_member(l, s, name);

	if ((v.what && v.what != OUTSIDE) || !(alias = unalias(l, s)).what)
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

	if (kind_type(s->kind))
		return member_of_type(l, s, name);
	if (kind_holder(s->kind) && s->type && !look_deep(l, DEEPEST)) {
		l->depth++;
		v = typing_member(l, typed(l, s, s->parent, s->type), name);
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
		if (look_deep(l, DEEPEST))
			return out;
		l->depth++;
		struct value types = typing_type(l, of.file, of.definition, of.text);
		l->depth--;
		out = object_of(types);
		if (out.what != OBJECT)
			return out;
		return typing_member(l, value_weaker(out, of.confidence, of.reason), name);
	case OBJECT:
		for (size_t i = 0; i < of.n; i++)
			merge(&out, of.above ? inherit_super(l, of.v[i], name) : member_of_type(l, of.v[i], name));
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
			v = first ? primary(l, f, definition, line, name) : typing_member(l, v, name);
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
