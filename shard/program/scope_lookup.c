#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "shard/program/file_symbols.h"
#include "shard/program/name_resolution.h"
#include "shard/program/resolver_cache.h"

enum { MAX_EXPORT_DEPTH = 12 };

/* ---- locals ---- */

/* The last of that name at or before the line, else the first: of the file that is resolved. */
static const struct local *own_local(
    const struct name_resolver *l, int definition, const char *name, uint32_t line)
{
	size_t lo = 0, hi = l->facts->locals.n;
	const struct local *found = NULL;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct local *x = l->locals[mid];
		if (x->definition < definition ||
		    (x->definition == definition && strcmp(x->name, name) < 0))
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < l->facts->locals.n; lo++) {
		const struct local *x = l->locals[lo];
		if (x->definition != definition || strcmp(x->name, name))
			break;
		if (found && line && x->line > line)
			break;
		found = x;
	}
	return found;
}

const struct local *scope_find_local(
    struct name_resolver *l, struct source_file *f, int definition, const char *name, uint32_t line)
{
	const struct local *found = NULL;

	if (f == l->file)
		return own_local(l, definition, name, line);
	const struct file_symbols *u = resolver_file_scope(l, f);
	for (size_t i = file_symbols_first_local(u, definition);
	     i < u->nlocals && u->locals[i].definition == definition; i++)
		if (!strcmp(u->locals[i].name, name) && !(found && line && u->locals[i].line > line))
			found = &u->locals[i];
	return found;
}

static struct resolved_value value_of_local(
    struct name_resolver *l, struct source_file *f, const struct local *x)
{
	struct resolved_value v = { 0 };

	if (x->type)
		return (struct resolved_value){ .what = RESOLVED_TYPE_TEXT,
			.file = f,
			.definition = x->definition,
			.text = x->type,
			.confidence = CONFIDENCE_TYPE,
			.reason = "type" };
	struct memo m = { .of = f, .also = x, .what = MEMO_LOCAL };
	if (memo_find(l, &m))
		return m.value;
	if (x->value && !resolver_too_deep(l, MAX_EXPORT_DEPTH)) {
		l->depth++;
		/* what is assigned was evaluated before: x = x.next() means the x above it */
		v = infer_expression(l, f, x->definition, x->line ? x->line - 1 : 0, x->value);
		l->depth--;
	}
	bool function = v.what == RESOLVED_SYMBOLS && v.n && kind_is_callable(v.v[0]->kind);
	return memo_store(l, &m,
	    resolved_limit_confidence(
	        v, function ? CONFIDENCE_LOCAL : CONFIDENCE_TYPE, function ? "local" : "type"));
}

/* ---- imports ---- */

static bool import_names(
    struct name_resolver *l, struct source_file *f, const struct import *i, const char *name)
{
	const struct dialect *d = f->dialect;

	if (i->name && !strcmp(i->name, "*") && !i->alias)
		return false;
	if (d->dots && !i->name && !i->alias && i->module && *i->module != '.') {
		size_t n = strlen(name);	/* import a.b.c gives the name a */
		return !strncmp(i->module, name, n) && (!i->module[n] || i->module[n] == '.');
	}
	return (i->module || i->name || i->alias) && !i->include &&
	    !strcmp(import_name(i, d, l->a), name);
}

static struct resolved_value value_of_import(
    struct name_resolver *l, struct source_file *f, const struct import *i, const char *name)
{
	struct resolved_value v;

	if (resolver_too_deep(l, MAX_EXPORT_DEPTH))
		return (struct resolved_value){ 0 };
	l->depth++;
	if (f->dialect->dots && !i->name && !i->alias && *i->module != '.')
		v = module_find(l, f, name, false);
	else
		v = import_value(l, f, i);
	if ((!v.what || v.what == RESOLVED_EXTERNAL) && i->module && i->name && f->dialect->full_names)
		v = scope_find_full_name(l, f, name_with_prefix(l->a, i->module, i->name));
	l->depth--;
	/* it says where it is from, and there it is not known */
	return v.what ? v : (struct resolved_value){ .what = RESOLVED_EXTERNAL };
}

/* Folders of packages may be called otherwise than the package that they hold (Go). */
static bool folder_names(
    struct name_resolver *l, struct source_file *f, const struct import *i, const char *name)
{
	if (f->dialect->scheme != SCHEME_DIRECTORY || i->alias || i->name || i->include)
		return false;
	struct resolved_value m = module_find(l, f, i->module, false);
	const struct file_list *list = NULL;
	if (m.what == RESOLVED_DIR)
		list = resolver_files_in_dir(l, m.text);
	for (size_t k = 0; list && k < list->n; k++)
		if (list->v[k]->dialect == f->dialect && !list->v[k]->test && list->v[k]->package)
			return !strcmp(list->v[k]->package, name);
	return false;
}

static struct resolved_value imported(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	const struct file_symbols *u = resolver_file_scope(l, f);

	for (size_t i = u->nimports; i-- > 0;)
		if (u->imports[i].definition == definition && import_names(l, f, &u->imports[i], name))
			return value_of_import(l, f, &u->imports[i], name);
	for (size_t i = 0; i < u->nimports; i++)
		if (u->imports[i].definition == definition && folder_names(l, f, &u->imports[i], name))
			return import_value(l, f, &u->imports[i]);
	return (struct resolved_value){ 0 };
}

/*
 * Members of types whose names are all imported; what they inherit is not looked for: its names
 * lead here again.
 */
static struct resolved_value own_members(
    struct name_resolver *l, const struct resolved_value *types, const char *name)
{
	struct resolved_value v = { .confidence = types->confidence, .reason = types->reason };

	for (size_t i = 0; i < types->n; i++)
		resolved_add_definitions(
		    l, &v, sym_file(l, types->v[i]), arena_join_dotted(l->a, types->v[i]->qualified, name));
	return v;
}

static struct resolved_value find_star_imported(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	const struct file_symbols *u = resolver_file_scope(l, f);

	if (resolver_too_deep(l, MAX_EXPORT_DEPTH))
		return (struct resolved_value){ 0 };
	for (size_t i = 0; i < u->nimports; i++) {
		const struct import *x = &u->imports[i];
		if (!(x->include && f->dialect->share == SHARE_FILE) &&
		    (!x->name || strcmp(x->name, "*") || x->alias))
			continue;
		l->depth++;
		struct resolved_value m = import_value(l, f, x),
		                      v = m.what == RESOLVED_SYMBOLS ? own_members(l, &m, name) :
		                                                       module_member(l, &m, name);
		l->depth--;
		if (v.what && v.what != RESOLVED_EXTERNAL)
			return v;
	}
	return (struct resolved_value){ 0 };
}

/* Names of modules that are imported as a whole. */
static struct resolved_value star_imported(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_STAR_IMPORT, .text = name };

	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_star_imported(l, f, m.text));
}

/* ---- definitions ---- */

/* How much a definition says of a name that has several. */
static int weight(const struct sym *s)
{
	if (kind_holds_value(s->kind))
		return 0;
	if (s->kind == KIND_type)
		return 1;
	if (s->kind == KIND_module)
		return 2;
	return 3;
}

const char *name_with_prefix(struct arena *a, const char *before, const char *name)
{
	if (before && *before)
		return arena_join_dotted(a, before, name);
	return name;
}

/* Whether both stay: overloads. */
static bool overloaded(const struct name_resolver *l, const struct sym *a, const struct sym *b)
{
	const struct dialect *d = sym_file(l, a)->dialect;

	if (a->least == b->least && a->most == b->most &&
	    kind_is_type(a->owner) != kind_is_type(b->owner))
		return false;	/* declared in its type and defined outside: C++ */
	return kind_is_callable(a->kind) && kind_is_callable(b->kind) && d && d->overloads;
}

bool syms_are_one_type(const struct name_resolver *l, const struct sym *a, const struct sym *b)
{
	const struct source_file *f = sym_file(l, a), *g = sym_file(l, b);

	return kind_is_type(a->kind) && kind_is_type(b->kind) && f->dialect &&
	    f->dialect == g->dialect && f->dialect->open_types && f->dialect->scheme == SCHEME_NAME &&
	    !strcmp(f->dir, g->dir) && !strcmp(a->qualified, b->qualified);
}

void resolved_add(struct name_resolver *l, struct resolved_value *v, const struct sym *s)
{
	v->what = RESOLVED_SYMBOLS;
	for (size_t i = 0; i < v->n; i++)
		if (syms_are_one_type(l, v->v[i], s))
			return;
	if (v->n && v->v[v->n - 1]->file == s->file && !overloaded(l, v->v[v->n - 1], s)) {
		const struct sym *was = v->v[v->n - 1];
		if (weight(s) > weight(was) ||
		    (weight(s) == weight(was) && (s->type || s->value || !(was->type || was->value))))
			v->v[v->n - 1] = s;
	} else if (v->n < MAX_CANDIDATES) {
		v->v[v->n++] = s;
	}
}

void resolved_add_definitions(
    struct name_resolver *l, struct resolved_value *v, struct source_file *f, const char *qualified)
{
	size_t n;
	const uint32_t *which = resolver_find_definitions(l, f, qualified, &n);

	for (size_t i = 0; i < n; i++)
		resolved_add(l, v, &program_file_symbols(l->w, f)->v[which[i]]);
}

static struct resolved_value members(struct name_resolver *l, struct source_file *f,
    const char *qualified, int confidence, const char *reason)
{
	struct resolved_value v = { .confidence = confidence, .reason = reason };

	resolved_add_definitions(l, &v, f, qualified);
	return v;
}

/*
 * What a file most likely exports as its default: what is called so where it is imported, or as
 * the file is, or the only one.
 */
static struct resolved_value only_export(struct name_resolver *l, struct source_file *f)
{
	const struct file_symbols *u = resolver_file_exports(l, f);
	const struct sym *only = NULL, *same = NULL;
	size_t n = 0;

	for (size_t i = 0; i < u->n; i++) {
		const struct sym *s = &u->v[i];
		if (s->parent >= 0 || !s->exported || !(kind_is_type(s->kind) || kind_is_callable(s->kind)))
			continue;
		if (l->default_name && !strcmp(s->name, l->default_name))
			return resolved_symbol(s, CONFIDENCE_TYPE, "import");
		if (!strcasecmp(s->name, f->stem))
			same = s;
		n += !only || strcmp(only->name, s->name);
		only = s;
	}
	return resolved_symbol(same ? same : n == 1 ? only : NULL, CONFIDENCE_TYPE, "import");
}

static struct resolved_value find_export(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	struct resolved_value v = members(l, f, name, CONFIDENCE_IMPORT, "import");

	if (v.what || resolver_too_deep(l, MAX_EXPORT_DEPTH) || resolver_out_of_steps(l))
		return v;
	l->depth++;
	const struct local *x = scope_find_local(l, f, -1, name, 0);
	if (x)
		v = value_of_local(l, f, x);
	else
		v = imported(l, f, -1, name);
	if (!v.what)
		v = star_imported(l, f, name);
	if (!v.what && !strcmp(name, "default") && !f->dialect->page)
		v = only_export(l, f);
	l->depth--;
	return v;
}

struct resolved_value scope_find_export(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_EXPORT, .text = name };

	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_export(l, f, m.text));
}

/*
 * The qualified name of what holds a definition: of its parent, or of the type that it says it
 * belongs to.
 */
static const char *owner_name(struct name_resolver *l, const struct sym *s)
{
	const char *dot = strrchr(s->qualified, '.');

	if (dot)
		return arena_strn(l->a, s->qualified, (size_t)(dot - s->qualified));
	return NULL;
}

/* A type by its qualified name: here, or where names need no import. */
static const struct sym *owner_type(
    struct name_resolver *l, struct source_file *f, const char *qualified)
{
	const struct sym *out[MAX_CANDIDATES];
	const struct file_symbols *u = program_file_symbols(l->w, f);
	size_t n;
	const uint32_t *which = resolver_find_definitions(l, f, qualified, &n);

	for (size_t i = 0; i < n; i++)
		if (kind_is_type(u->v[which[i]].kind))
			return &u->v[which[i]];
	n = 0;
	if (f->dialect->share == SHARE_DIRECTORY)
		n = resolver_find_in_dir(l, f->dir, qualified, out, MAX_CANDIDATES);
	else if (f->dialect->scheme == SCHEME_NAME)
		n = resolver_find_full_name(l, f->package && f->dialect->share != SHARE_PROGRAM ?
		    arena_join_dotted(l->a, f->package, qualified) : qualified, out, MAX_CANDIDATES);
	for (size_t i = 0; i < n && i < MAX_CANDIDATES; i++)
		if (kind_is_type(out[i]->kind))
			return out[i];
	return NULL;
}

/* `this` in an extension. */
static struct resolved_value extended(
    struct name_resolver *l, struct source_file *f, int definition, const char *receiver)
{
	struct resolved_value v = infer_named_type(l, f, definition, receiver);

	if (v.what == RESOLVED_SYMBOLS)
		v.what = RESOLVED_INSTANCE;
	if (v.what == RESOLVED_INSTANCE)
		return resolved_limit_confidence(v, CONFIDENCE_TYPE, "type");
	return v;
}

struct resolved_value scope_find_self(
    struct name_resolver *l, struct source_file *f, int definition)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	const char *outer = NULL, *receiver;

	for (int d = definition; d >= 0; d = u->v[d].parent) {
		const struct sym *s = &u->v[d];
		if (kind_is_type(s->kind))
			return (struct resolved_value){ .what = RESOLVED_INSTANCE,
				.n = 1,
				.v = { s },
				.confidence = CONFIDENCE_SELF,
				.reason = "self" };
		if (s->has_receiver && f->dialect->implicit_receiver &&
		    (receiver = extensions_receiver(l, s)))
			return extended(l, f, d, receiver);
		const char *owner = owner_name(l, s);
		const struct sym *t = NULL;
		if (owner && (s->parent < 0 || !kind_is_type(u->v[s->parent].kind)) &&
		    kind_is_callable(s->kind))
			t = owner_type(l, f, owner);
		if (t)
			return (struct resolved_value){ .what = RESOLVED_INSTANCE,
				.n = 1,
				.v = { t },
				.confidence = CONFIDENCE_SELF,
				.reason = "self" };
		if (owner && kind_is_callable(s->kind) && (s->parent < 0 || s->kind == KIND_method) &&
		    !outer)
			outer = owner;
	}
	/* a function outside that is named after what holds it: Foo.prototype.bar, res.send */
	return resolved_symbol(
	    outer ? resolver_find_definition(l, f, outer) : NULL, CONFIDENCE_SELF, "self");
}

/* ---- all together ---- */

/* It hides what else has its name, also when nothing is known of it. */
static struct resolved_value hides(
    struct name_resolver *l, struct source_file *f, const struct local *x)
{
	struct resolved_value v = value_of_local(l, f, x);

	return v.what ? v : (struct resolved_value){ .what = RESOLVED_EXTERNAL };
}

/* A name in a definition, but for its locals: definition inside, member of the type. */
static struct resolved_value inside(
    struct name_resolver *l, struct source_file *f, int d, const char *name)
{
	const struct sym *s = &program_file_symbols(l->w, f)->v[d];
	struct resolved_value v;

	if (kind_is_type(s->kind)) {
		v = inherit_member(l, s, name);
		if (v.what == RESOLVED_SYMBOLS && v.confidence > CONFIDENCE_INHERITED)
			v.confidence = CONFIDENCE_SELF, v.reason = "self";
		if (v.what == RESOLVED_SYMBOLS)
			v.generics = generics_instance_of(l, &v, s);
		return v.what == RESOLVED_EXTERNAL ? (struct resolved_value){ 0 } : v;
	}
	v = members(l, f, arena_join_dotted(l->a, s->qualified, name), CONFIDENCE_FILE, "file");
	if (v.what)
		return v;
	return imported(l, f, d, name);
}

static struct resolved_value find_outer(
    struct name_resolver *l, struct source_file *f, int d, const char *name)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	struct resolved_value v = { 0 };

	for (; d >= 0 && !v.what; d = u->v[d].parent) {
		const struct local *x = scope_find_local(l, f, d, name, 0);
		if (x)
			v = hides(l, f, x);
		else if (f->dialect->implicit_self || !kind_is_type(u->v[d].kind))
			v = inside(l, f, d, name);
	}
	return v;
}

/* In a definition that is around the one that asks, and those around it. */
static struct resolved_value outer(
    struct name_resolver *l, struct source_file *f, int d, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_OUTER, .number = d, .text = name };

	if (d < 0)
		return (struct resolved_value){ 0 };
	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_outer(l, f, d, m.text));
}

/* Members of the type that a method outside of it says it belongs to. */
static struct resolved_value find_receiver_member(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	struct resolved_value v = scope_find_self(l, f, definition);

	if (v.what != RESOLVED_INSTANCE || !v.n)
		return (struct resolved_value){ 0 };
	const struct generic_instance *g = generics_instance_of(l, &v, v.v[0]);
	v = inherit_member(l, v.v[0], name);
	v.generics = g;
	return v.what == RESOLVED_EXTERNAL ? (struct resolved_value){ 0 } :
	                                     resolved_limit_confidence(v, CONFIDENCE_SELF, "self");
}

static struct resolved_value find_top(
    struct name_resolver *l, struct source_file *f, uint32_t line, const char *name)
{
	struct resolved_value v = members(l, f, name, CONFIDENCE_FILE, "file");

	if (!v.what)
		v = imported(l, f, -1, name);
	const struct local *x = NULL;
	if (!v.what)
		x = scope_find_local(l, f, -1, name, line);
	return x ? hides(l, f, x) : v;
}

/* At the top of the file, as what is below sees it. */
static struct resolved_value top(struct name_resolver *l, struct source_file *f, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_TOP, .text = name };

	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_top(l, f, 0, m.text));
}

static struct resolved_value find_visible(
    struct name_resolver *l, struct source_file *f, int definition, uint32_t line, const char *name)
{
	struct resolved_value v = { 0 };

	if (definition >= 0) {
		v = inside(l, f, definition, name);
		if (!v.what)
			v = outer(l, f, program_file_symbols(l->w, f)->v[definition].parent, name);
		if (!v.what && f->dialect->implicit_self &&
		    (f->dialect->open_types || f->dialect->implicit_receiver))
			v = find_receiver_member(l, f, definition, name);
	}
	if (!v.what) {
		if (definition < 0)
			v = find_top(l, f, line, name);
		else
			v = top(l, f, name);
	}
	if (!v.what)
		v = scope_find_shared(l, f, definition, name);
	if (v.what)
		return v;
	return star_imported(l, f, name);
}

struct resolved_value scope_find_name(
    struct name_resolver *l, struct source_file *f, int definition, uint32_t line, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_SCOPE, .number = definition, .text = name };

	if (definition >= 0 || f == l->file)
		m.also = scope_find_local(l, f, definition, name, line);
	else
		m.number -= (int)line;	/* which of the locals at the top it is depends on it */
	if (definition >= 0 && m.also)
		return hides(l, f, m.also);
	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_visible(l, f, definition, line, m.text));
}
