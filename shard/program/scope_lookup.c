#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "shard/program/file_symbols.h"
#include "shard/program/name_resolution.h"
#include "shard/program/resolver_cache.h"

enum { DEEPEST_EXPORT = 12 };

/* ---- locals ---- */

/* The last of that name at or before the line, else the first: of the file that is resolved. */
static const struct local *own_local(const struct look *l, int definition, const char *name, uint32_t line)
{
	size_t lo = 0, hi = l->facts->locals.n;
	const struct local *found = NULL;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct local *x = l->locals[mid];
		if (x->definition < definition || (x->definition == definition && strcmp(x->name, name) < 0))
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

const struct local *visible_local(struct look *l, struct file *f, int definition, const char *name, uint32_t line)
{
	const struct local *found = NULL;

	if (f == l->file)
		return own_local(l, definition, name, line);
	const struct unit *u = look_inside(l, f);
	for (size_t i = unit_locals(u, definition); i < u->nlocals && u->locals[i].definition == definition; i++)
		if (!strcmp(u->locals[i].name, name) && !(found && line && u->locals[i].line > line))
			found = &u->locals[i];
	return found;
}

static struct value value_of_local(struct look *l, struct file *f, const struct local *x)
{
	struct value v = { 0 };

	if (x->type)
		return (struct value){ .what = TYPED, .file = f, .definition = x->definition, .text = x->type,
			.confidence = SURE_TYPE, .reason = "type" };
	struct memo m = { .of = f, .also = x, .what = MEMO_LOCAL };
	if (memo_find(l, &m))
		return m.value;
	if (x->value && !look_deep(l, DEEPEST_EXPORT)) {
		l->depth++;
		/* what is assigned was evaluated before: x = x.next() means the x above it */
		v = typing_expression(l, f, x->definition, x->line ? x->line - 1 : 0, x->value);
		l->depth--;
	}
	bool function = v.what == SYMBOLS && v.n && kind_callable(v.v[0]->kind);
	return memo_keep(l, &m, value_weaker(v, function ? SURE_LOCAL : SURE_TYPE, function ? "local" : "type"));
}

/* ---- imports ---- */

static bool import_names(struct look *l, struct file *f, const struct import *i, const char *name)
{
	const struct dialect *d = f->dialect;

	if (i->name && !strcmp(i->name, "*") && !i->alias)
		return false;
	if (d->dots && !i->name && !i->alias && i->module && *i->module != '.') {
		size_t n = strlen(name);	/* import a.b.c gives the name a */
		return !strncmp(i->module, name, n) && (!i->module[n] || i->module[n] == '.');
	}
	return (i->module || i->name || i->alias) && !i->include && !strcmp(import_name(i, d, l->a), name);
}

static struct value value_of_import(struct look *l, struct file *f, const struct import *i, const char *name)
{
	struct value v;

	if (look_deep(l, DEEPEST_EXPORT))
		return (struct value){ 0 };
	l->depth++;
	if (f->dialect->dots && !i->name && !i->alias && *i->module != '.')
		v = module_find(l, f, name, false);
	else
		v = import_value(l, f, i);
	if ((!v.what || v.what == OUTSIDE) && i->module && i->name && f->dialect->full_names)
		v = visible_full(l, f, value_dotted(l->a, i->module, i->name));
	l->depth--;
	return v.what ? v : (struct value){ .what = OUTSIDE };	/* it says where it is from, and there it is not known */
}

/* Folders of packages may be called otherwise than the package that they hold (Go). */
static bool folder_names(struct look *l, struct file *f, const struct import *i, const char *name)
{
	if (f->dialect->scheme != SCHEME_DIRECTORY || i->alias || i->name || i->include)
		return false;
	struct value m = module_find(l, f, i->module, false);
	const struct file_list *list = m.what == IN_DIR ? look_dir(l, m.text) : NULL;
	for (size_t k = 0; list && k < list->n; k++)
		if (list->v[k]->dialect == f->dialect && !list->v[k]->test && list->v[k]->package)
			return !strcmp(list->v[k]->package, name);
	return false;
}

static struct value imported(struct look *l, struct file *f, int definition, const char *name)
{
	const struct unit *u = look_inside(l, f);

	for (size_t i = u->nimports; i-- > 0;)
		if (u->imports[i].definition == definition && import_names(l, f, &u->imports[i], name))
			return value_of_import(l, f, &u->imports[i], name);
	for (size_t i = 0; i < u->nimports; i++)
		if (u->imports[i].definition == definition && folder_names(l, f, &u->imports[i], name))
			return import_value(l, f, &u->imports[i]);
	return (struct value){ 0 };
}

/* Members of types whose names are all imported; what they inherit is not looked for: its names lead here again. */
static struct value own_members(struct look *l, const struct value *types, const char *name)
{
	struct value v = { .confidence = types->confidence, .reason = types->reason };

	for (size_t i = 0; i < types->n; i++)
		value_collect(l, &v, file_of(l, types->v[i]), arena_dotted(l->a, types->v[i]->qualified, name));
	return v;
}

static struct value find_starred(struct look *l, struct file *f, const char *name)
{
	const struct unit *u = look_inside(l, f);

	if (look_deep(l, DEEPEST_EXPORT))
		return (struct value){ 0 };
	for (size_t i = 0; i < u->nimports; i++) {
		const struct import *x = &u->imports[i];
		if (!(x->include && f->dialect->share == SHARE_FILE) && (!x->name || strcmp(x->name, "*") || x->alias))
			continue;
		l->depth++;
		struct value m = import_value(l, f, x), v = m.what == SYMBOLS ? own_members(l, &m, name) : module_member(l, &m, name);
		l->depth--;
		if (v.what && v.what != OUTSIDE)
			return v;
	}
	return (struct value){ 0 };
}

/* Names of modules that are imported as a whole. */
static struct value starred(struct look *l, struct file *f, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_STARRED, .text = name };

	return memo_find(l, &m) ? m.value : memo_keep(l, &m, find_starred(l, f, m.text));
}

/* ---- definitions ---- */

/* How much a definition says of a name that has several. */
static int weight(const struct sym *s)
{
	return kind_holder(s->kind) ? 0 : s->kind == KIND_type ? 1 : s->kind == KIND_module ? 2 : 3;
}

const char *value_dotted(struct arena *a, const char *before, const char *name)
{
	return before && *before ? arena_dotted(a, before, name) : name;
}

/* Whether both stay: overloads. */
static bool overloaded(const struct look *l, const struct sym *a, const struct sym *b)
{
	const struct dialect *d = file_of(l, a)->dialect;

	if (a->least == b->least && a->most == b->most && kind_type(a->owner) != kind_type(b->owner))
		return false;	/* declared in its type and defined outside: C++ */
	return kind_callable(a->kind) && kind_callable(b->kind) && d && d->overloads;
}

bool value_part(const struct look *l, const struct sym *a, const struct sym *b)
{
	const struct file *f = file_of(l, a), *g = file_of(l, b);

	return kind_type(a->kind) && kind_type(b->kind) && f->dialect && f->dialect == g->dialect && f->dialect->open_types &&
	    f->dialect->scheme == SCHEME_NAME && !strcmp(f->dir, g->dir) && !strcmp(a->qualified, b->qualified);
}

void value_add(struct look *l, struct value *v, const struct sym *s)
{
	v->what = SYMBOLS;
	for (size_t i = 0; i < v->n; i++)
		if (value_part(l, v->v[i], s))
			return;
	if (v->n && v->v[v->n - 1]->file == s->file && !overloaded(l, v->v[v->n - 1], s)) {
		const struct sym *was = v->v[v->n - 1];
		if (weight(s) > weight(was) || (weight(s) == weight(was) && (s->type || s->value || !(was->type || was->value))))
			v->v[v->n - 1] = s;
	} else if (v->n < MOST_CANDIDATES) {
		v->v[v->n++] = s;
	}
}

void value_collect(struct look *l, struct value *v, struct file *f, const char *qualified)
{
	size_t n;
	const uint32_t *which = look_members(l, f, qualified, &n);

	for (size_t i = 0; i < n; i++)
		value_add(l, v, &world_unit(l->w, f)->v[which[i]]);
}

static struct value members(struct look *l, struct file *f, const char *qualified, int confidence, const char *reason)
{
	struct value v = { .confidence = confidence, .reason = reason };

	value_collect(l, &v, f, qualified);
	return v;
}

/* What a file most likely exports as its default: what is called so where it is imported, or as the file is, or the only one. */
static struct value only_export(struct look *l, struct file *f)
{
	const struct unit *u = look_exports(l, f);
	const struct sym *only = NULL, *same = NULL;
	size_t n = 0;

	for (size_t i = 0; i < u->n; i++) {
		const struct sym *s = &u->v[i];
		if (s->parent >= 0 || !s->exported || !(kind_type(s->kind) || kind_callable(s->kind)))
			continue;
		if (l->wanted && !strcmp(s->name, l->wanted))
			return value_of(s, SURE_TYPE, "import");
		if (!strcasecmp(s->name, f->stem))
			same = s;
		n += !only || strcmp(only->name, s->name);
		only = s;
	}
	return value_of(same ? same : n == 1 ? only : NULL, SURE_TYPE, "import");
}

static struct value find_export(struct look *l, struct file *f, const char *name)
{
	struct value v = members(l, f, name, SURE_IMPORT, "import");

	if (v.what || look_deep(l, DEEPEST_EXPORT) || look_spent(l))
		return v;
	l->depth++;
	const struct local *x = visible_local(l, f, -1, name, 0);
	v = x ? value_of_local(l, f, x) : imported(l, f, -1, name);
	if (!v.what)
		v = starred(l, f, name);
	if (!v.what && !strcmp(name, "default") && !f->dialect->page)
		v = only_export(l, f);
	l->depth--;
	return v;
}

struct value visible_export(struct look *l, struct file *f, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_EXPORT, .text = name };

	return memo_find(l, &m) ? m.value : memo_keep(l, &m, find_export(l, f, m.text));
}

/* The qualified name of what holds a definition: of its parent, or of the type that it says it belongs to. */
static const char *owner_name(struct look *l, const struct sym *s)
{
	const char *dot = strrchr(s->qualified, '.');

	return dot ? arena_strn(l->a, s->qualified, (size_t)(dot - s->qualified)) : NULL;
}

/* A type by its qualified name: here, or where names need no import. */
static const struct sym *owner_type(struct look *l, struct file *f, const char *qualified)
{
	const struct sym *out[MOST_CANDIDATES];
	const struct unit *u = world_unit(l->w, f);
	size_t n;
	const uint32_t *which = look_members(l, f, qualified, &n);

	for (size_t i = 0; i < n; i++)
		if (kind_type(u->v[which[i]].kind))
			return &u->v[which[i]];
	n = 0;
	if (f->dialect->share == SHARE_DIRECTORY)
		n = look_folder(l, f->dir, qualified, out, MOST_CANDIDATES);
	else if (f->dialect->scheme == SCHEME_NAME)
		n = look_full(l, f->package && f->dialect->share != SHARE_PROGRAM ?
		    arena_dotted(l->a, f->package, qualified) : qualified, out, MOST_CANDIDATES);
	for (size_t i = 0; i < n && i < MOST_CANDIDATES; i++)
		if (kind_type(out[i]->kind))
			return out[i];
	return NULL;
}

/* `this` in an extension. */
static struct value extended(struct look *l, struct file *f, int definition, const char *receiver)
{
	struct value v = typing_type(l, f, definition, receiver);

	if (v.what == SYMBOLS)
		v.what = OBJECT;
	return v.what == OBJECT ? value_weaker(v, SURE_TYPE, "type") : v;
}

struct value visible_self(struct look *l, struct file *f, int definition)
{
	const struct unit *u = world_unit(l->w, f);
	const char *outer = NULL, *receiver;

	for (int d = definition; d >= 0; d = u->v[d].parent) {
		const struct sym *s = &u->v[d];
		if (kind_type(s->kind))
			return (struct value){ .what = OBJECT, .n = 1, .v = { s }, .confidence = SURE_SELF, .reason = "self" };
		if (s->receives && f->dialect->implicit_receiver && (receiver = extensions_receiver(l, s)))
			return extended(l, f, d, receiver);
		const char *owner = owner_name(l, s);
		const struct sym *t = owner && (s->parent < 0 || !kind_type(u->v[s->parent].kind)) &&
		    kind_callable(s->kind) ? owner_type(l, f, owner) : NULL;
		if (t)
			return (struct value){ .what = OBJECT, .n = 1, .v = { t }, .confidence = SURE_SELF, .reason = "self" };
		if (owner && kind_callable(s->kind) && (s->parent < 0 || s->kind == KIND_method) && !outer)
			outer = owner;
	}
	/* a function outside that is named after what holds it: Foo.prototype.bar, res.send */
	return value_of(outer ? look_member(l, f, outer) : NULL, SURE_SELF, "self");
}

/* ---- all together ---- */

/* It hides what else has its name, also when nothing is known of it. */
static struct value hides(struct look *l, struct file *f, const struct local *x)
{
	struct value v = value_of_local(l, f, x);

	return v.what ? v : (struct value){ .what = OUTSIDE };
}

/* A name in a definition, but for its locals: definition inside, member of the type. */
static struct value inside(struct look *l, struct file *f, int d, const char *name)
{
	const struct sym *s = &world_unit(l->w, f)->v[d];
	struct value v;

	if (kind_type(s->kind)) {
		v = inherit_member(l, s, name);
		if (v.what == SYMBOLS && v.confidence > SURE_INHERITED)
			v.confidence = SURE_SELF, v.reason = "self";
		if (v.what == SYMBOLS)
			v.generics = generics_of(l, &v, s);
		return v.what == OUTSIDE ? (struct value){ 0 } : v;
	}
	v = members(l, f, arena_dotted(l->a, s->qualified, name), SURE_FILE, "file");
	return v.what ? v : imported(l, f, d, name);
}

static struct value find_outer(struct look *l, struct file *f, int d, const char *name)
{
	const struct unit *u = world_unit(l->w, f);
	struct value v = { 0 };

	for (; d >= 0 && !v.what; d = u->v[d].parent) {
		const struct local *x = visible_local(l, f, d, name, 0);
		if (x)
			v = hides(l, f, x);
		else if (f->dialect->implicit_self || !kind_type(u->v[d].kind))
			v = inside(l, f, d, name);
	}
	return v;
}

/* In a definition that is around the one that asks, and those around it. */
static struct value outer(struct look *l, struct file *f, int d, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_OUTER, .number = d, .text = name };

	if (d < 0)
		return (struct value){ 0 };
	return memo_find(l, &m) ? m.value : memo_keep(l, &m, find_outer(l, f, d, m.text));
}

/* Members of the type that a method outside of it says it belongs to. */
static struct value beside(struct look *l, struct file *f, int definition, const char *name)
{
	struct value v = visible_self(l, f, definition);

	if (v.what != OBJECT || !v.n)
		return (struct value){ 0 };
	const struct generics *g = generics_of(l, &v, v.v[0]);
	v = inherit_member(l, v.v[0], name);
	v.generics = g;
	return v.what == OUTSIDE ? (struct value){ 0 } : value_weaker(v, SURE_SELF, "self");
}

static struct value find_top(struct look *l, struct file *f, uint32_t line, const char *name)
{
	struct value v = members(l, f, name, SURE_FILE, "file");

	if (!v.what)
		v = imported(l, f, -1, name);
	const struct local *x = v.what ? NULL : visible_local(l, f, -1, name, line);
	return x ? hides(l, f, x) : v;
}

/* At the top of the file, as what is below sees it. */
static struct value top(struct look *l, struct file *f, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_TOP, .text = name };

	return memo_find(l, &m) ? m.value : memo_keep(l, &m, find_top(l, f, 0, m.text));
}

static struct value find_visible(struct look *l, struct file *f, int definition, uint32_t line, const char *name)
{
	struct value v = { 0 };

	if (definition >= 0) {
		v = inside(l, f, definition, name);
		if (!v.what)
			v = outer(l, f, world_unit(l->w, f)->v[definition].parent, name);
		if (!v.what && f->dialect->implicit_self && (f->dialect->open_types || f->dialect->implicit_receiver))
			v = beside(l, f, definition, name);
	}
	if (!v.what)
		v = definition < 0 ? find_top(l, f, line, name) : top(l, f, name);
	if (!v.what)
		v = visible_shared(l, f, definition, name);
	return v.what ? v : starred(l, f, name);
}

struct value visible_find(struct look *l, struct file *f, int definition, uint32_t line, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_VISIBLE, .number = definition, .text = name };

	if (definition >= 0 || f == l->file)
		m.also = visible_local(l, f, definition, name, line);
	else
		m.number -= (int)line;	/* which of the locals at the top it is depends on it */
	if (definition >= 0 && m.also)
		return hides(l, f, m.also);
	return memo_find(l, &m) ? m.value : memo_keep(l, &m, find_visible(l, f, definition, line, m.text));
}
