#include "shard/graph/file_edges.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/graph/overrides.h"
#include "shard/program/name_resolution.h"

enum { MOST_STEPS = 500, MOST_IMPORTED = 8, MIN_TEST_CONFIDENCE = 50 };

static void put(struct edge_list *out, struct edge e)
{
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = e;
}

/*
 * For each definition where its names hold and its calls come from: of one that holds a value the
 * function that is around it, as a field stands in the method that assigns it; else itself.
 */
static int *find_calling_definitions(struct name_resolver *l)
{
	const struct facts *f = l->facts;
	int *home = arena_many(l->a, f->definitions.n + 1, int),
	    *open = arena_many(l->a, f->definitions.n + 1, int), n = 0;

	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		enum kind k = kind_of(d->kind);
		while (n && f->definitions.v[open[n - 1]].end_byte <= d->start_byte)
			n--;
		if (kind_holds_value(k) && n)
			home[i] = open[n - 1];
		else
			home[i] = (int)i;
		if (kind_is_callable(k))
			open[n++] = (int)i;
	}
	return home;
}

/* ---- one reference ---- */

/* Of overloads, those that take as many arguments; all when none does. */
static void narrow(const struct name_resolver *l, struct resolved_value *v, int arguments)
{
	size_t n = 0;
	const struct sym *fit[MAX_CANDIDATES];

	for (size_t i = 0; i < v->n && arguments >= 0; i++) {
		const struct sym *s = v->v[i];
		const struct dialect *d = sym_file(l, s)->dialect;
		if (!kind_is_callable(s->kind) || !d || !d->overloads ||
		    (arguments >= s->least && (s->most < 0 || arguments <= s->most)))
			fit[n++] = s;
	}
	if (!n)
		return;
	memcpy(v->v, fit, n * sizeof *fit);
	v->n = n;
}

/*
 * Whether a name alone may mean the definition: a member where something was before the name, else
 * what is at the top.
 */
static bool name_may_match(
    const struct name_resolver *l, const struct reference *r, const struct sym *s)
{
	bool member = s->kind == KIND_method || (s->kind == KIND_function && kind_is_type(s->owner));

	if (r->kind == REF_NEW || r->kind == REF_TYPE)
		return kind_is_type(s->kind) && s->kind != KIND_constant;
	if (!kind_is_callable(s->kind) || s->kind == KIND_constructor)
		return false;
	if (r->receiver)
		return member;
	return !member && (s->exported || sym_file(l, s) == l->file);
}

/*
 * The last resort: the name alone, anywhere; `extends`: of what may be called on an object of any
 * type.
 */
static struct resolved_value by_name(
    struct name_resolver *l, const struct reference *r, bool extends)
{
	const struct dialect *d = l->file->dialect;
	const struct sym *v[4 * MAX_CANDIDATES];
	struct resolved_value out = {
		.what = RESOLVED_SYMBOLS, .confidence = CONFIDENCE_NAME, .reason = "name"
	};

	if (r->kind == REF_VALUE || (r->receiver && !strcmp(r->receiver, "super")) ||
	    word_list_has(&d->builtin, r->name, strlen(r->name)))
		return (struct resolved_value){ 0 };
	size_t n = resolver_find_by_name(l, r->name, v, LEN(v));
	for (size_t i = 0; i < n && n <= LEN(v); i++) {
		if (!name_may_match(l, r, v[i]) || (extends && !v[i]->extends))
			continue;
		if (out.n == MAX_CANDIDATES)
			return (struct resolved_value){ 0 };
		out.v[out.n++] = v[i];
	}
	return out.n ? out : (struct resolved_value){ 0 };
}

static struct resolved_value resolve_reference(struct name_resolver *l, const struct reference *r)
{
	struct resolved_value v = { 0 }, on = { 0 };

	l->steps = MOST_STEPS;
	if (r->kind == REF_TYPE || r->kind == REF_NEW) {
		v = infer_named_type(l, l->file, r->definition,
		    r->receiver ? arena_join_dotted(l->a, r->receiver, r->name) : r->name);
	} else if (!r->receiver) {
		/* save! (Ruby) is no instance */
		v = strchr(r->name, '!') ? scope_find_name(l, l->file, r->definition, r->line, r->name) :
		    infer_expression(l, l->file, r->definition, r->line, r->name);
	} else if (*r->receiver != '?') {
		on = v = infer_expression(l, l->file, r->definition, r->line, r->receiver);
		if (!v.what && !strpbrk(r->receiver, ".(["))
			v = scope_find_package(l, l->file, r->receiver);
		v = infer_member(l, v, r->name);
		if (!v.what)
			v = scope_find_full_name(l, l->file, arena_join_dotted(l->a, r->receiver, r->name));
	}
	if ((!v.what || v.what == RESOLVED_EXTERNAL) && r->kind == REF_CALL && r->receiver &&
	    l->file->dialect->extensions) {
		struct resolved_value found = extensions_find(l, on, r->name);
		if (found.what)
			return found;
	}
	if (v.what == RESOLVED_EXTERNAL && r->kind == REF_CALL && r->receiver &&
	    l->file->dialect->extensions)
		return by_name(l, r, true);
	if (v.what)
		return v;
	return by_name(l, r, false);
}

/* ---- what a reference means, as edges ---- */

static int shared_confidence(const struct resolved_value *v)
{
	int most = v->reason && !strcmp(v->reason, "name") ? CONFIDENCE_NAME :
	    v->n > 1                                       ? CONFIDENCE_SHARED :
	                                                     v->confidence;
	int each = most / (int)(v->n ? v->n : 1);

	return MIN(each, v->confidence);
}

static void put_target(struct name_resolver *l, struct edge_list *out, const struct reference *r,
    enum edge_kind kind, const struct sym *s, int confidence, const char *reason)
{
	if (s->index == r->definition && s->file == l->file->place && kind != EDGE_CALLS)
		return;
	struct edge e = { r->definition, kind, sym_file(l, s), s, confidence, reason ? reason : "file",
		r->line };
	put(out, e);
	bool test = l->file->test ||
	    (r->definition >= 0 && l->facts->definitions.v[r->definition].test);
	if (test && !s->test && confidence >= MIN_TEST_CONFIDENCE &&
	    (kind_is_callable(s->kind) || kind_is_type(s->kind))) {
		e.kind = EDGE_TESTS;
		put(out, e);
	}
}

/* this(x): a constructor calls another. */
static bool is_self_call(const struct reference *r)
{
	return r->kind == REF_CALL && !r->receiver && !strcmp(r->name, "self");
}

static void put_call(struct name_resolver *l, struct edge_list *out, const struct reference *r,
    const struct resolved_value *v, const struct sym *s)
{
	const struct dialect *d = l->file->dialect;
	struct resolved_value made = { 0 };
	bool makes = r->kind == REF_NEW || d->callable_types || is_self_call(r);

	if (kind_is_type(s->kind) && makes)
		made = inherit_constructor(l, s);
	else if (kind_holds_value(s->kind))
		made = infer_instance(l, resolved_symbol(s, v->confidence, v->reason));
	if (made.what == RESOLVED_SYMBOLS && made.n && r->kind == REF_NEW && kind_is_type(s->kind) &&
	    made.v[0]->kind != KIND_constructor)
		made.n = 0;	/* `new` asks no `apply` (Scala) */
	if (made.what == RESOLVED_SYMBOLS && made.n && kind_is_callable(made.v[0]->kind)) {
		narrow(l, &made, r->arguments);
		made = resolved_limit_confidence(made, shared_confidence(v), v->reason);
		for (size_t i = 0; i < made.n; i++)
			put_target(l, out, r, EDGE_CALLS, made.v[i], shared_confidence(&made), v->reason);
		return;
	}
	bool calls = kind_is_callable(s->kind) || (kind_is_type(s->kind) && makes);
	put_target(l, out, r, calls ? EDGE_CALLS : EDGE_REFERENCES, s, shared_confidence(v), v->reason);
}

/* super in a method: what it replaces. */
static void put_overridden(
    struct name_resolver *l, struct edge_list *out, const struct reference *r)
{
	const struct file_symbols *u = program_file_symbols(l->w, l->file);
	struct resolved_value self = scope_find_self(l, l->file, r->definition);
	struct resolved_value v = { 0 };

	l->steps = MOST_STEPS;
	if (r->definition >= 0 && self.what == RESOLVED_INSTANCE && self.n)
		v = inherit_super(l, self.v[0], u->v[r->definition].name);
	for (size_t i = 0; v.what == RESOLVED_SYMBOLS && i < v.n; i++)
		put_target(l, out, r, EDGE_CALLS, v.v[i], shared_confidence(&v), v.reason);
}

/* A constructor that calls another of its type, or its base's: self(…), super(…). */
static void put_delegation(
    struct name_resolver *l, struct edge_list *out, const struct reference *r)
{
	struct resolved_value types = scope_find_self(l, l->file, r->definition), base;
	struct reference made = *r;
	const struct base_type *b;

	l->steps = MOST_STEPS;
	made.kind = REF_NEW;
	if (types.what != RESOLVED_INSTANCE || !types.n)
		return;
	if (!strcmp(r->name, "self"))
		put_call(l, out, &made, &types, types.v[0]);
	for (size_t i = 0; !strcmp(r->name, "super") && inherit_base(l, types.v[0], i, &base, &b);
	     i++) {
		base = resolved_limit_confidence(base, CONFIDENCE_INHERITED, "inherited");
		for (size_t k = 0; base.what == RESOLVED_SYMBOLS && k < base.n; k++)
			if (base.v[k]->kind == KIND_class || base.v[k]->kind == KIND_struct)
				put_call(l, out, &made, &base, base.v[k]);
	}
}

static void put_reference(struct name_resolver *l, struct edge_list *out, const struct reference *r)
{
	if (r->kind == REF_CALL && !r->receiver &&
	    (!strcmp(r->name, "self") || !strcmp(r->name, "super"))) {
		if (l->file->dialect->super_same && !strcmp(r->name, "super"))
			put_overridden(l, out, r);
		else
			put_delegation(l, out, r);
		return;
	}
	struct resolved_value v = resolve_reference(l, r);

	if (v.what == RESOLVED_INSTANCE && !r->receiver &&
	    (r->kind == REF_TYPE || r->kind == REF_NEW || is_self_call(r)))
		v.what = RESOLVED_SYMBOLS;
	/* what a variable holds is not it */
	if (v.what != RESOLVED_SYMBOLS || (*r->name == '@' && strcmp(v.v[0]->name, r->name + 1)))
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

static void put_import(struct name_resolver *l, struct edge_list *out, const struct import *i)
{
	struct edge e = { .source = -1, .kind = EDGE_IMPORTS, .reason = "import", .line = i->line };

	l->steps = MOST_STEPS;
	struct resolved_value v = import_value(l, l->file, i);
	/* a file's, which a library made */
	if (v.what == RESOLVED_EXTERNAL && i->module && i->name && !strcmp(i->name, "default"))
		v = module_find(l, l->file, i->module, i->include);
	e.confidence = v.confidence;
	e.file = v.file;
	if (v.what == RESOLVED_FILE && v.file != l->file)
		put(out, e);
	for (size_t k = 0; v.what == RESOLVED_SYMBOLS && k < v.n; k++) {
		e.target = v.v[k];
		e.file = sym_file(l, v.v[k]);
		e.confidence = shared_confidence(&v);
		put(out, e);
	}
	const struct file_list *list = NULL;
	if (v.what == RESOLVED_DIR)
		list = resolver_files_in_dir(l, v.text);
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

	if (x->source != y->source) {
		if (x->source < y->source)
			return -1;
		return 1;
	}
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->file != y->file) {
		if (x->file->place < y->file->place)
			return -1;
		return 1;
	}
	if (i != k)
		return i < k ? -1 : 1;
	if (x->confidence != y->confidence) {
		if (x->confidence > y->confidence)
			return -1;
		return 1;
	}
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return strcmp(x->reason, y->reason);
}

static bool same_ends(const struct edge *x, const struct edge *y)
{
	return x->source == y->source && x->kind == y->kind && x->file == y->file &&
	    x->target == y->target;
}

/* Of each source, kind and target the surest, at the first line of any. */
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

void file_edges_find(struct name_resolver *l, struct edge_list *out)
{
	const struct facts *f = l->facts;

	out->n = 0;
	for (size_t i = 0; i < f->imports.n; i++)
		put_import(l, out, &f->imports.v[i]);
	const int *home = find_calling_definitions(l);
	for (size_t i = 0; i < f->references.n; i++) {
		struct reference r = f->references.v[i];
		if (r.definition < 0)
			r.definition = -1;
		else
			r.definition = home[r.definition];
		put_reference(l, out, &r);
	}
	overrides_find(l, out);
	merge_edges(out);
}
