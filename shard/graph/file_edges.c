#include "shard/graph/file_edges.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/sorting.h"
#include "shard/graph/overrides.h"
#include "shard/graph/reference_resolution.h"
#include "shard/program/name_resolution.h"

enum { MAX_IMPORTED = 8, MIN_TEST_CONFIDENCE = 50 };

static void put(struct edge_list *out, struct edge e)
{
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = e;
}

/*
 * For each definition the one that its calls belong to: for a value the function around it (a field
 * is inside the method that assigns it), otherwise itself.
 */
static int *find_calling_definitions(struct name_resolver *l)
{
	const struct facts *f = l->facts;
	int *caller = arena_many(l->a, f->definitions.n + 1, int),
	    *open = arena_many(l->a, f->definitions.n + 1, int), n = 0;

	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		enum kind k = kind_of(d->kind);
		while (n && f->definitions.v[open[n - 1]].end_byte <= d->start_byte)
			n--;
		caller[i] = (int)i;
		if (kind_holds_value(k) && n)
			caller[i] = open[n - 1];
		if (kind_is_callable(k))
			open[n++] = (int)i;
	}
	return caller;
}

/* ---- one reference ---- */

/* Whether a call with that many arguments may mean the definition. */
static bool accepts(const struct name_resolver *l, const struct sym *s, int arguments)
{
	const struct dialect *d = sym_file(l, s)->dialect;

	if (!kind_is_callable(s->kind) || !d || !d->overloads)
		return true;
	return arguments >= s->least && (s->most < 0 || arguments <= s->most);
}

/* Keep only the overloads that accept that many arguments; keep all if none does. */
static void narrow(const struct name_resolver *l, struct resolved_value *v, int arguments)
{
	size_t n = 0;
	const struct sym *fit[MAX_CANDIDATES];

	for (size_t i = 0; i < v->n && arguments >= 0; i++)
		if (accepts(l, v->v[i], arguments))
			fit[n++] = v->v[i];
	if (!n)
		return;
	memcpy(v->v, fit, n * sizeof *fit);
	v->n = n;
}

/* ---- edges of a reference ---- */

/* The confidence of each of several candidates. */
static int shared_confidence(const struct resolved_value *v)
{
	int total = v->confidence;

	if (v->reason && !strcmp(v->reason, "name"))
		total = CONFIDENCE_NAME;
	else if (v->n > 1)
		total = CONFIDENCE_SHARED;
	if (v->n > 1)
		total /= (int)v->n;
	return MIN(total, v->confidence);
}

/* Whether the code that refers to the definition tests it. */
static bool is_tested_by(
    const struct name_resolver *l, const struct reference *r, const struct sym *s)
{
	bool in_test = l->file->test;

	if (r->definition >= 0 && l->facts->definitions.v[r->definition].test)
		in_test = true;
	if (!in_test || s->test)
		return false;
	return kind_is_callable(s->kind) || kind_is_type(s->kind);
}

static void put_target(struct name_resolver *l, struct edge_list *out, const struct reference *r,
    enum edge_kind kind, const struct sym *s, int confidence, const char *reason)
{
	bool self = s->index == r->definition && s->file == l->file->place;

	if (self && kind != EDGE_CALLS)
		return;
	if (!reason)
		reason = "file";
	struct edge e = {
		.source = r->definition,
		.kind = kind,
		.file = sym_file(l, s),
		.target = s,
		.confidence = confidence,
		.reason = reason,
		.line = r->line,
	};
	put(out, e);
	if (confidence >= MIN_TEST_CONFIDENCE && is_tested_by(l, r, s)) {
		e.kind = EDGE_TESTS;
		put(out, e);
	}
}

/* this(x): a constructor calls another. */
static bool is_self_call(const struct reference *r)
{
	return r->kind == REF_CALL && !r->receiver && !strcmp(r->name, "self");
}

/* Whether a call of a type makes an instance. */
static bool makes_instance(const struct name_resolver *l, const struct reference *r)
{
	const struct dialect *d = l->file->dialect;

	if (r->kind == REF_NEW || d->callable_types || is_self_call(r))
		return true;
	return word_list_has(&d->makers, r->name, strlen(r->name));
}

/* The callables that run if `s` is called: a constructor, or the value of a variable. */
static struct resolved_value called_through(struct name_resolver *l, const struct reference *r,
    const struct resolved_value *v, const struct sym *s)
{
	struct resolved_value made = { 0 };
	bool type = kind_is_type(s->kind);

	if (type && makes_instance(l, r))
		made = inherit_constructor(l, s);
	else if (kind_holds_value(s->kind))
		made = infer_instance(l, resolved_symbol(s, v->confidence, v->reason));
	if (made.what != RESOLVED_SYMBOLS || !made.n || !kind_is_callable(made.v[0]->kind))
		return resolved_unknown();
	if (type && r->kind == REF_NEW && made.v[0]->kind != KIND_constructor)
		return resolved_unknown();	/* `new` does not call `apply` (Scala) */
	return made;
}

static void put_call(struct name_resolver *l, struct edge_list *out, const struct reference *r,
    const struct resolved_value *v, const struct sym *s)
{
	struct resolved_value made = called_through(l, r, v, s);
	enum edge_kind kind = EDGE_REFERENCES;

	if (made.what) {
		narrow(l, &made, r->arguments);
		made = resolved_limit_confidence(made, shared_confidence(v), v->reason);
		for (size_t i = 0; i < made.n; i++)
			put_target(l, out, r, EDGE_CALLS, made.v[i], shared_confidence(&made), v->reason);
		return;
	}
	if (kind_is_callable(s->kind) || (kind_is_type(s->kind) && makes_instance(l, r)))
		kind = EDGE_CALLS;
	put_target(l, out, r, kind, s, shared_confidence(v), v->reason);
}

/* super in a method: the method that it overrides. */
static void put_overridden(
    struct name_resolver *l, struct edge_list *out, const struct reference *r)
{
	const struct file_symbols *u = program_file_symbols(l->w, l->file);
	struct resolved_value self = scope_find_self(l, l->file, r->definition);
	struct resolved_value v = { 0 };

	l->steps = REFERENCE_STEPS;
	if (r->definition >= 0 && self.what == RESOLVED_INSTANCE && self.n)
		v = inherit_super(l, self.v[0], u->v[r->definition].name);
	for (size_t i = 0; v.what == RESOLVED_SYMBOLS && i < v.n; i++)
		put_target(l, out, r, EDGE_CALLS, v.v[i], shared_confidence(&v), v.reason);
}

/* super(…) in a constructor: the constructors of the bases of `type`. */
static void put_super_delegation(struct name_resolver *l, struct edge_list *out,
    const struct reference *made, const struct sym *type)
{
	struct resolved_value base;
	const struct base_type *b;

	for (size_t i = 0; inherit_base(l, type, i, &base, &b); i++) {
		base = resolved_limit_confidence(base, CONFIDENCE_INHERITED, "inherited");
		for (size_t k = 0; base.what == RESOLVED_SYMBOLS && k < base.n; k++)
			if (base.v[k]->kind == KIND_class || base.v[k]->kind == KIND_struct)
				put_call(l, out, made, &base, base.v[k]);
	}
}

/* A constructor that calls another one of its type, or that of its base: self(…), super(…). */
static void put_delegation(
    struct name_resolver *l, struct edge_list *out, const struct reference *r)
{
	struct resolved_value types = scope_find_self(l, l->file, r->definition);
	struct reference made = *r;

	l->steps = REFERENCE_STEPS;
	made.kind = REF_NEW;
	if (types.what != RESOLVED_INSTANCE || !types.n)
		return;
	if (is_self_call(r))
		put_call(l, out, &made, &types, types.v[0]);
	else
		put_super_delegation(l, out, &made, types.v[0]);
}

static bool is_super_call(const struct reference *r)
{
	return r->kind == REF_CALL && !r->receiver && !strcmp(r->name, "super");
}

/* Whether the reference names a type, so that an instance of it stands for the type. */
static bool names_type(const struct reference *r)
{
	if (r->receiver)
		return false;
	return r->kind == REF_TYPE || r->kind == REF_NEW;
}

/* Note that the edges from `first` on lead to what a variable holds. */
static void note_variable(struct edge_list *out, size_t first, const struct sym *variable)
{
	for (size_t i = first; variable && i < out->n; i++)
		if (out->v[i].target != variable)
			out->v[i].named = variable;
}

static void put_reference(struct name_resolver *l, struct edge_list *out, const struct reference *r)
{
	if (is_super_call(r) && l->file->dialect->super_same) {
		put_overridden(l, out, r);
		return;
	}
	if (is_super_call(r) || is_self_call(r)) {
		put_delegation(l, out, r);
		return;
	}
	struct resolved_value v = module_value(l, reference_resolve(l, r));

	if (v.what == RESOLVED_INSTANCE && names_type(r))
		v.what = RESOLVED_SYMBOLS;
	if (v.what != RESOLVED_SYMBOLS)
		return;
	if (*r->name == '@' && strcmp(v.v[0]->name, r->name + 1))
		return;		/* the value of a variable, not the variable */
	if (r->kind == REF_CALL)
		narrow(l, &v, r->arguments);
	for (size_t i = 0; i < v.n; i++) {
		const struct sym *variable = v.alias;
		size_t first = out->n;
		if (kind_holds_value(v.v[i]->kind))
			variable = v.v[i];
		if (r->kind == REF_CALL || r->kind == REF_NEW)
			put_call(l, out, r, &v, v.v[i]);
		else
			put_target(l, out, r, EDGE_REFERENCES, v.v[i], shared_confidence(&v), v.reason);
		note_variable(out, first, variable);
	}
}

/* ---- imports ---- */

/* Edges to the files of a folder that is imported. */
static void put_imported_dir(
    struct name_resolver *l, struct edge_list *out, const char *dir, struct edge e)
{
	const struct file_list *list = resolver_files_in_dir(l, dir);
	size_t n = 0;

	for (size_t i = 0; i < list->n && n < MAX_IMPORTED; i++) {
		struct source_file *f = list->v[i];
		if (f->dialect != l->file->dialect || f->test || f == l->file)
			continue;
		e.file = f;
		put(out, e);
		n++;
	}
}

static void put_import(struct name_resolver *l, struct edge_list *out, const struct import *i)
{
	struct edge e = { .source = -1, .kind = EDGE_IMPORTS, .reason = "import", .line = i->line };
	bool is_default = i->module && i->name && !strcmp(i->name, "default");

	l->steps = REFERENCE_STEPS;
	struct resolved_value v = import_value(l, l->file, i);
	if (v.what == RESOLVED_EXTERNAL && is_default)	/* made by a library: the file itself */
		v = module_find(l, l->file, i->module, i->include);
	e.confidence = v.confidence;
	e.file = v.file;
	if (v.what == RESOLVED_FILE && v.file != l->file)
		put(out, e);
	v = module_value(l, v);
	for (size_t k = 0; v.what == RESOLVED_SYMBOLS && k < v.n; k++) {
		e.target = v.v[k];
		e.file = sym_file(l, v.v[k]);
		e.confidence = shared_confidence(&v);
		put(out, e);
	}
	if (v.what == RESOLVED_DIR)
		put_imported_dir(l, out, v.text, e);
}

/* ---- all together ---- */

static int32_t target_index(const struct edge *x)
{
	if (!x->target)
		return -1;
	return x->target->index;
}

/* Edges with the same ends are adjacent, the one with the highest confidence first. */
static int by_target(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	int c = compare_signed(x->source, y->source);

	if (!c)
		c = compare_signed(x->kind, y->kind);
	if (!c)
		c = compare_signed(x->file->place, y->file->place);
	if (!c)
		c = compare_signed(target_index(x), target_index(y));
	if (!c)
		c = compare_signed(y->confidence, x->confidence);
	if (!c)
		c = compare_signed(x->line, y->line);
	if (c)
		return c;
	return strcmp(x->reason, y->reason);
}

static bool same_ends(const struct edge *x, const struct edge *y)
{
	if (x->source != y->source || x->kind != y->kind)
		return false;
	return x->file == y->file && x->target == y->target;
}

/* Keep one edge of each source, kind and target: the surest, with the first line of all. */
static void merge_edges(struct edge_list *out)
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

static void find_edges(struct name_resolver *l, struct edge_list *out)
{
	const struct facts *f = l->facts;

	out->n = 0;
	for (size_t i = 0; i < f->imports.n; i++)
		put_import(l, out, &f->imports.v[i]);
	const int *caller = find_calling_definitions(l);
	for (size_t i = 0; i < f->references.n; i++) {
		struct reference r = f->references.v[i];
		if (r.definition < 0)
			r.definition = -1;
		else
			r.definition = caller[r.definition];
		put_reference(l, out, &r);
	}
	overrides_find(l, out);
}

/* ---- each occurrence ---- */

/* The length of the names before the last one in `a.b.c`; 0 if there are none. */
static size_t names_before(const char *path, size_t n)
{
	while (n && path[n - 1] != '.')
		n--;
	return n - (n > 0);
}

/*
 * References to the definitions that the names of a receiver mean: Type in Type.LIMIT.size().  A
 * call in it is a reference of its own.
 */
static void put_receiver(struct name_resolver *l, struct edge_list *out, const struct reference *r)
{
	size_t n = 0;

	if (!strpbrk(r->receiver, "([!?{")) /* with {} it is not in the text here */
		n = strlen(r->receiver);
	while (n) {
		size_t before = names_before(r->receiver, n), from = before + (before > 0);
		struct reference part = {
			.name = arena_strn(l->a, r->receiver + from, n - from),
			.kind = REF_VALUE,
			.definition = r->definition,
			.arguments = -1,
			.line = r->line,
		};
		if (before)
			part.receiver = arena_strn(l->a, r->receiver, before);
		put_reference(l, out, &part);
		n = before;
	}
}

void file_edges_find_each(struct name_resolver *l, struct edge_list *out)
{
	const struct facts *f = l->facts;

	find_edges(l, out);
	const int *caller = find_calling_definitions(l);
	for (size_t i = 0; i < f->references.n; i++) {
		struct reference r = f->references.v[i];
		if (!r.receiver)
			continue;
		if (r.definition >= 0)
			r.definition = caller[r.definition];
		put_receiver(l, out, &r);
	}
}

void file_edges_find(struct name_resolver *l, struct edge_list *out)
{
	find_edges(l, out);
	merge_edges(out);
}
