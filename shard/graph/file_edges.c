#include "shard/graph/file_edges.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/graph/overrides.h"
#include "shard/program/name_resolution.h"

enum { MOST_STEPS = 500, MOST_IMPORTED = 8, SURE_TEST = 50 };

static void put(struct edge_list *out, struct edge e)
{
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = e;
}

/*
 * For each definition where its names hold and its calls come from: of one that holds a value the function that is around
 * it, as a field stands in the method that assigns it; else itself.
 */
static int *homes_find(struct look *l)
{
	const struct facts *f = l->facts;
	int *home = arena_many(l->a, f->definitions.n + 1, int), *open = arena_many(l->a, f->definitions.n + 1, int), n = 0;

	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		enum kind k = kind_of(d->kind);
		while (n && f->definitions.v[open[n - 1]].end_byte <= d->start_byte)
			n--;
		home[i] = kind_holder(k) && n ? open[n - 1] : (int)i;
		if (kind_callable(k))
			open[n++] = (int)i;
	}
	return home;
}

/* ---- one reference ---- */

/* Of overloads, those that take as many arguments; all when none does. */
static void narrow(const struct look *l, struct value *v, int arguments)
{
	size_t n = 0;
	const struct sym *fit[MOST_CANDIDATES];

	for (size_t i = 0; i < v->n && arguments >= 0; i++) {
		const struct sym *s = v->v[i];
		const struct dialect *d = file_of(l, s)->dialect;
		if (!kind_callable(s->kind) || !d || !d->overloads ||
		    (arguments >= s->least && (s->most < 0 || arguments <= s->most)))
			fit[n++] = s;
	}
	if (!n)
		return;
	memcpy(v->v, fit, n * sizeof *fit);
	v->n = n;
}

/* Whether a name alone may mean the definition: a member where something was before the name, else what is at the top. */
static bool may_mean(const struct look *l, const struct reference *r, const struct sym *s)
{
	bool member = s->kind == KIND_method || (s->kind == KIND_function && kind_type(s->owner));

	if (r->kind == REF_NEW || r->kind == REF_TYPE)
		return kind_type(s->kind) && s->kind != KIND_constant;
	if (!kind_callable(s->kind) || s->kind == KIND_constructor)
		return false;
	if (r->receiver)
		return member;
	return !member && (s->exported || file_of(l, s) == l->file);
}

/* The last resort: the name alone, anywhere; `extends`: of what may be called on an object of any type. */
static struct value by_name(struct look *l, const struct reference *r, bool extends)
{
	const struct dialect *d = l->file->dialect;
	const struct sym *v[4 * MOST_CANDIDATES];
	struct value out = { .what = SYMBOLS, .confidence = SURE_NAME, .reason = "name" };

	if (r->kind == REF_VALUE || (r->receiver && !strcmp(r->receiver, "super")) || word_among(&d->builtin, r->name, strlen(r->name)))
		return (struct value){ 0 };
	size_t n = look_named(l, r->name, v, LEN(v));
	for (size_t i = 0; i < n && n <= LEN(v); i++) {
		if (!may_mean(l, r, v[i]) || (extends && !v[i]->extends))
			continue;
		if (out.n == MOST_CANDIDATES)
			return (struct value){ 0 };
		out.v[out.n++] = v[i];
	}
	return out.n ? out : (struct value){ 0 };
}

static struct value meaning(struct look *l, const struct reference *r)
{
	struct value v = { 0 }, on = { 0 };

	l->steps = MOST_STEPS;
	if (r->kind == REF_TYPE || r->kind == REF_NEW) {
		v = typing_type(l, l->file, r->definition, r->receiver ? arena_dotted(l->a, r->receiver, r->name) : r->name);
	} else if (!r->receiver) {
		v = strchr(r->name, '!') ? visible_find(l, l->file, r->definition, r->line, r->name) :	/* save! (Ruby) is no instance */
		    typing_expression(l, l->file, r->definition, r->line, r->name);
	} else if (*r->receiver != '?') {
		on = v = typing_expression(l, l->file, r->definition, r->line, r->receiver);
		if (!v.what && !strpbrk(r->receiver, ".(["))
			v = visible_package(l, l->file, r->receiver);
		v = typing_member(l, v, r->name);
		if (!v.what)
			v = visible_full(l, l->file, arena_dotted(l->a, r->receiver, r->name));
	}
	if ((!v.what || v.what == OUTSIDE) && r->kind == REF_CALL && r->receiver && l->file->dialect->extensions) {
		struct value found = extensions_find(l, on, r->name);
		if (found.what)
			return found;
	}
	if (v.what == OUTSIDE && r->kind == REF_CALL && r->receiver && l->file->dialect->extensions)
		return by_name(l, r, true);
	return v.what ? v : by_name(l, r, false);
}

/* ---- what a reference means, as edges ---- */

static int shared_confidence(const struct value *v)
{
	int most = v->reason && !strcmp(v->reason, "name") ? SURE_NAME : v->n > 1 ? SURE_SHARED : v->confidence;
	int each = most / (int)(v->n ? v->n : 1);

	return each < v->confidence ? each : v->confidence;
}

static void put_target(struct look *l, struct edge_list *out, const struct reference *r, enum edge_kind kind,
    const struct sym *s, int confidence, const char *reason)
{
	if (s->index == r->definition && s->file == l->file->place && kind != EDGE_CALLS)
		return;
	struct edge e = { r->definition, kind, file_of(l, s), s, confidence, reason ? reason : "file", r->line };
	put(out, e);
	bool test = l->file->test || (r->definition >= 0 && l->facts->definitions.v[r->definition].test);
	if (test && !s->test && confidence >= SURE_TEST && (kind_callable(s->kind) || kind_type(s->kind))) {
		e.kind = EDGE_TESTS;
		put(out, e);
	}
}

/* this(x): a constructor calls another. */
static bool is_own(const struct reference *r)
{
	return r->kind == REF_CALL && !r->receiver && !strcmp(r->name, "self");
}

static void put_call(struct look *l, struct edge_list *out, const struct reference *r, const struct value *v, const struct sym *s)
{
	const struct dialect *d = l->file->dialect;
	struct value made = { 0 };
	bool makes = r->kind == REF_NEW || d->callable_types || is_own(r);

	if (kind_type(s->kind) && makes)
		made = inherit_constructor(l, s);
	else if (kind_holder(s->kind))
		made = typing_object(l, value_of(s, v->confidence, v->reason));
	if (made.what == SYMBOLS && made.n && r->kind == REF_NEW && kind_type(s->kind) && made.v[0]->kind != KIND_constructor)
		made.n = 0;	/* `new` asks no `apply` (Scala) */
	if (made.what == SYMBOLS && made.n && kind_callable(made.v[0]->kind)) {
		narrow(l, &made, r->arguments);
		made = value_weaker(made, shared_confidence(v), v->reason);
		for (size_t i = 0; i < made.n; i++)
			put_target(l, out, r, EDGE_CALLS, made.v[i], shared_confidence(&made), v->reason);
		return;
	}
	bool calls = kind_callable(s->kind) || (kind_type(s->kind) && makes);
	put_target(l, out, r, calls ? EDGE_CALLS : EDGE_REFERENCES, s, shared_confidence(v), v->reason);
}

/* super in a method: what it replaces. */
static void put_replaced(struct look *l, struct edge_list *out, const struct reference *r)
{
	const struct unit *u = world_unit(l->w, l->file);
	struct value self = visible_self(l, l->file, r->definition);
	struct value v = { 0 };

	l->steps = MOST_STEPS;
	if (r->definition >= 0 && self.what == OBJECT && self.n)
		v = inherit_super(l, self.v[0], u->v[r->definition].name);
	for (size_t i = 0; v.what == SYMBOLS && i < v.n; i++)
		put_target(l, out, r, EDGE_CALLS, v.v[i], shared_confidence(&v), v.reason);
}

/* A constructor that calls another of its type, or its base's: self(…), super(…). */
static void put_delegation(struct look *l, struct edge_list *out, const struct reference *r)
{
	struct value types = visible_self(l, l->file, r->definition), base;
	struct reference made = *r;
	const struct base *b;

	l->steps = MOST_STEPS;
	made.kind = REF_NEW;
	if (types.what != OBJECT || !types.n)
		return;
	if (!strcmp(r->name, "self"))
		put_call(l, out, &made, &types, types.v[0]);
	for (size_t i = 0; !strcmp(r->name, "super") && inherit_base(l, types.v[0], i, &base, &b); i++) {
		base = value_weaker(base, SURE_INHERITED, "inherited");
		for (size_t k = 0; base.what == SYMBOLS && k < base.n; k++)
			if (base.v[k]->kind == KIND_class || base.v[k]->kind == KIND_struct)
				put_call(l, out, &made, &base, base.v[k]);
	}
}

static void put_reference(struct look *l, struct edge_list *out, const struct reference *r)
{
	if (r->kind == REF_CALL && !r->receiver && (!strcmp(r->name, "self") || !strcmp(r->name, "super"))) {
		if (l->file->dialect->super_same && !strcmp(r->name, "super"))
			put_replaced(l, out, r);
		else
			put_delegation(l, out, r);
		return;
	}
	struct value v = meaning(l, r);

	if (v.what == OBJECT && !r->receiver && (r->kind == REF_TYPE || r->kind == REF_NEW || is_own(r)))
		v.what = SYMBOLS;
	if (v.what != SYMBOLS || (*r->name == '@' && strcmp(v.v[0]->name, r->name + 1)))	/* what a variable holds is not it */
		return;
	if (r->kind == REF_CALL)
		narrow(l, &v, r->arguments);
	for (size_t i = 0; i < v.n; i++)
		if (r->kind == REF_CALL || r->kind == REF_NEW)
			put_call(l, out, r, &v, v.v[i]);
		else
			put_target(l, out, r, EDGE_REFERENCES, v.v[i], shared_confidence(&v), v.reason);
}

/* ---- imports ---- */

static void put_import(struct look *l, struct edge_list *out, const struct import *i)
{
	struct edge e = { .source = -1, .kind = EDGE_IMPORTS, .reason = "import", .line = i->line };

	l->steps = MOST_STEPS;
	struct value v = import_value(l, l->file, i);
	if (v.what == OUTSIDE && i->module && i->name && !strcmp(i->name, "default"))	/* a file's, which a library made */
		v = module_find(l, l->file, i->module, i->include);
	e.confidence = v.confidence;
	e.file = v.file;
	if (v.what == IN_FILE && v.file != l->file)
		put(out, e);
	for (size_t k = 0; v.what == SYMBOLS && k < v.n; k++) {
		e.target = v.v[k];
		e.file = file_of(l, v.v[k]);
		e.confidence = shared_confidence(&v);
		put(out, e);
	}
	const struct file_list *list = v.what == IN_DIR ? look_dir(l, v.text) : NULL;
	for (size_t k = 0, n = 0; list && k < list->n && n < MOST_IMPORTED; k++)
		if (list->v[k]->dialect == l->file->dialect && !list->v[k]->test && list->v[k] != l->file) {
			e.file = list->v[k];
			put(out, e);
			n++;
		}
}

/* ---- all together ---- */

static int by_target(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	int32_t i = x->target ? x->target->index : -1, k = y->target ? y->target->index : -1;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->file != y->file)
		return x->file->place < y->file->place ? -1 : 1;
	if (i != k)
		return i < k ? -1 : 1;
	if (x->confidence != y->confidence)
		return x->confidence > y->confidence ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return strcmp(x->reason, y->reason);
}

static bool same_ends(const struct edge *x, const struct edge *y)
{
	return x->source == y->source && x->kind == y->kind && x->file == y->file && x->target == y->target;
}

/* Of each source, kind and target the surest, at the first line of any. */
static void unite(struct edge_list *out)
{
	size_t n = 0;

	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_target);
	for (size_t i = 0; i < out->n; i++) {
		if (n && same_ends(&out->v[n - 1], &out->v[i])) {
			if (out->v[i].line < out->v[n - 1].line)
				out->v[n - 1].line = out->v[i].line;
			continue;
		}
		out->v[n++] = out->v[i];
	}
	out->n = n;
}

void edges_find(struct look *l, struct edge_list *out)
{
	const struct facts *f = l->facts;

	out->n = 0;
	for (size_t i = 0; i < f->imports.n; i++)
		put_import(l, out, &f->imports.v[i]);
	const int *home = homes_find(l);
	for (size_t i = 0; i < f->references.n; i++) {
		struct reference r = f->references.v[i];
		r.definition = r.definition < 0 ? -1 : home[r.definition];
		put_reference(l, out, &r);
	}
	overrides_find(l, out);
	unite(out);
}
