#include <string.h>

#include "proto/base/arena.h"
#include "shard/value.h"

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

static const struct local *local_of(struct look *l, struct file *f, int definition, const char *name, uint32_t line)
{
	const struct local *found = NULL;

	if (f == l->file)
		return own_local(l, definition, name, line);
	const struct unit *u = look_inside(l, f);
	for (size_t i = 0; i < u->nlocals && u->locals[i].definition <= definition; i++) {
		const struct local *x = &u->locals[i];
		if (x->definition == definition && !strcmp(x->name, name) && !(found && line && x->line > line))
			found = x;
	}
	return found;
}

static struct value value_of_local(struct look *l, struct file *f, const struct local *x)
{
	struct value v = { 0 };

	if (x->type)
		return (struct value){ .what = TYPED, .file = f, .definition = x->definition, .text = x->type,
			.confidence = SURE_TYPE, .reason = "type" };
	if (x->value && l->depth < DEEPEST_EXPORT) {
		l->depth++;
		/* what is assigned was evaluated before: x = x.next() means the x above it */
		v = typing_expression(l, f, x->definition, x->line ? x->line - 1 : 0, x->value);
		l->depth--;
	}
	return value_weaker(v, v.what == SYMBOLS && v.n && kind_callable(v.v[0]->kind) ? SURE_LOCAL : SURE_TYPE,
	    v.what == SYMBOLS && v.n && kind_callable(v.v[0]->kind) ? "local" : "type");
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

	if (l->depth >= DEEPEST_EXPORT)
		return (struct value){ 0 };
	l->depth++;
	if (f->dialect->dots && !i->name && !i->alias && *i->module != '.')
		v = module_find(l, f, name, false);
	else
		v = import_value(l, f, i);
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

/* Names of modules that are imported as a whole. */
static struct value starred(struct look *l, struct file *f, const char *name)
{
	const struct unit *u = look_inside(l, f);
	bool unknown = false;

	if (l->depth >= DEEPEST_EXPORT)
		return (struct value){ 0 };
	for (size_t i = 0; i < u->nimports; i++) {
		const struct import *x = &u->imports[i];
		if (!x->name || strcmp(x->name, "*") || x->alias)
			continue;
		l->depth++;
		struct value m = import_value(l, f, x), v = module_member(l, &m, name);
		l->depth--;
		if (v.what && v.what != OUTSIDE)
			return v;
		unknown |= m.what == OUTSIDE;
	}
	(void)unknown;
	return (struct value){ 0 };
}

/* ---- definitions ---- */

/* All definitions of a qualified name: one, where a later one replaces the others; overloads are kept. */
static struct value members(struct look *l, struct file *f, const char *qualified, int confidence, const char *reason)
{
	struct value v = { .what = SYMBOLS, .confidence = confidence, .reason = reason };

	for (const struct sym *s = look_member(l, f, qualified); s; s = look_next(l, s)) {
		bool callable = v.n && kind_callable(v.v[0]->kind) && kind_callable(s->kind);
		if (v.n && !(callable && f->dialect && f->dialect->overloads))
			v.v[0] = kind_holder(s->kind) && !kind_holder(v.v[0]->kind) ? v.v[0] : s;
		else if (v.n < MOST_CANDIDATES)
			v.v[v.n++] = s;
	}
	if (!v.n)
		v.what = NOTHING;
	return v;
}

struct value visible_export(struct look *l, struct file *f, const char *name)
{
	struct value v = members(l, f, name, SURE_IMPORT, "import");

	if (v.what || l->depth >= DEEPEST_EXPORT)
		return v;
	l->depth++;
	v = imported(l, f, -1, name);
	if (!v.what)
		v = starred(l, f, name);
	l->depth--;
	return v;
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
	size_t n = 0;

	for (const struct sym *s = look_member(l, f, qualified); s; s = look_next(l, s))
		if (kind_type(s->kind))
			return s;
	if (f->dialect->share == SHARE_DIRECTORY)
		n = look_folder(l, f->dir, qualified, out, MOST_CANDIDATES);
	else if (f->dialect->scheme == SCHEME_NAME)
		n = look_full(l, f->package && f->dialect->share != SHARE_PROGRAM ?
		    arena_printf(l->a, "%s.%s", f->package, qualified) : qualified, out, MOST_CANDIDATES);
	for (size_t i = 0; i < n && i < MOST_CANDIDATES; i++)
		if (kind_type(out[i]->kind))
			return out[i];
	return NULL;
}

struct value visible_self(struct look *l, struct file *f, int definition)
{
	const struct unit *u = world_unit(l->w, f);
	const char *outer = NULL;

	for (int d = definition; d >= 0; d = u->v[d].parent) {
		const struct sym *s = &u->v[d];
		if (kind_type(s->kind))
			return (struct value){ .what = OBJECT, .n = 1, .v = { s }, .confidence = SURE_SELF, .reason = "self" };
		const char *owner = owner_name(l, s);
		const struct sym *t = owner && (s->parent < 0 || !kind_type(u->v[s->parent].kind)) &&
		    kind_callable(s->kind) ? owner_type(l, f, owner) : NULL;
		if (t)
			return (struct value){ .what = OBJECT, .n = 1, .v = { t }, .confidence = SURE_SELF, .reason = "self" };
		if (owner && s->kind == KIND_method && !outer)
			outer = owner;
	}
	if (!outer)	/* a function outside that is named after what holds it: Foo.prototype.bar, exports.x */
		return (struct value){ 0 };
	return (struct value){ .what = SYMBOLS, .n = 1, .v = { look_member(l, f, outer) }, .confidence = SURE_SELF,
		.reason = "self" };
}

/* ---- where names need no import ---- */

static bool foreign_hidden(const struct look *l, const struct file *f, const struct sym *s)
{
	return file_of(l, s) != f && !s->exported && !kind_type(s->kind);
}

static bool includes(struct look *l, struct file *f, const struct file *other)
{
	const struct unit *u = look_inside(l, f);

	for (size_t i = 0; i < u->nimports; i++) {
		if (!u->imports[i].include)
			continue;
		struct value m = module_find(l, f, u->imports[i].module, true);
		if (m.what == IN_FILE && (m.file == other || (!strcmp(m.file->stem, other->stem))))
			return true;
	}
	return false;
}

/* Of several definitions in a program: what is included, else what is in the same folder, else all. */
static struct value nearest(struct look *l, struct file *f, const struct sym **v, size_t n)
{
	struct value kept[3] = { { 0 } };

	for (size_t i = 0; i < n; i++) {
		struct file *other = file_of(l, v[i]);
		if (foreign_hidden(l, f, v[i]))
			continue;
		int rank = n == 1 ? 2 : other == f || includes(l, f, other) ? 0 : !strcmp(other->dir, f->dir) ? 1 : 2;
		kept[rank].v[kept[rank].n++] = v[i];
	}
	for (int i = 0; i < 3; i++)
		if (kept[i].n) {
			kept[i].what = SYMBOLS;
			kept[i].confidence = SURE_PACKAGE;
			kept[i].reason = "package";
			return kept[i];
		}
	return (struct value){ 0 };
}

static struct value full(struct look *l, struct file *f, const char *package, const char *name)
{
	const struct sym *v[MOST_CANDIDATES];
	const char *whole = package && *package ? arena_printf(l->a, "%s.%s", package, name) : name;
	size_t n = look_full(l, whole, v, MOST_CANDIDATES);

	return n > MOST_CANDIDATES ? (struct value){ 0 } : nearest(l, f, v, n);
}

static struct value shared(struct look *l, struct file *f, const char *name)
{
	const struct sym *v[MOST_CANDIDATES];
	struct value out;
	size_t n;

	switch (f->dialect->share) {
	case SHARE_FILE:
		break;
	case SHARE_DIRECTORY:
		n = look_folder(l, f->dir, name, v, MOST_CANDIDATES);
		out = (struct value){ .what = n ? SYMBOLS : NOTHING, .confidence = SURE_PACKAGE, .reason = "package" };
		out.n = n < MOST_CANDIDATES ? n : MOST_CANDIDATES;
		memcpy(out.v, v, out.n * sizeof *v);
		return out;
	case SHARE_PACKAGE:
		return full(l, f, f->package, name);
	case SHARE_PROGRAM:
		out = f->package ? full(l, f, f->package, name) : (struct value){ 0 };
		return out.what ? out : full(l, f, NULL, name);
	}
	return (struct value){ 0 };
}

/* ---- all together ---- */

/* A name in a definition: local, parameter, definition inside, member of the type. */
static struct value within(struct look *l, struct file *f, int d, int from, uint32_t line, const char *name)
{
	const struct unit *u = world_unit(l->w, f);
	const struct sym *s = &u->v[d];
	const struct local *x = local_of(l, f, d, name, line);
	struct value v = { 0 };

	if (x) {
		v = value_of_local(l, f, x);
		return v.what ? v : (struct value){ .what = OUTSIDE };	/* it hides what else has its name */
	}
	if (kind_type(s->kind) && d != from && !f->dialect->implicit_self)
		return v;
	if (kind_type(s->kind)) {
		v = inherit_member(l, s, name);
		if (v.what == SYMBOLS && v.confidence > SURE_INHERITED)
			v.confidence = SURE_SELF;
		return v.what == OUTSIDE ? (struct value){ 0 } : v;
	}
	v = members(l, f, arena_printf(l->a, "%s.%s", s->qualified, name), SURE_FILE, "file");
	return v.what ? v : imported(l, f, d, name);
}

/* Members of the type that a method outside of it says it belongs to. */
static struct value beside(struct look *l, struct file *f, int definition, const char *name)
{
	struct value v = visible_self(l, f, definition);

	if (v.what != OBJECT || !v.n)
		return (struct value){ 0 };
	v = inherit_member(l, v.v[0], name);
	return v.what == OUTSIDE ? (struct value){ 0 } : value_weaker(v, SURE_SELF, "self");
}

struct value visible_find(struct look *l, struct file *f, int definition, uint32_t line, const char *name)
{
	const struct unit *u = world_unit(l->w, f);
	struct value v = { 0 };

	for (int d = definition; d >= 0 && !v.what; d = u->v[d].parent)
		v = within(l, f, d, definition, d == definition ? line : 0, name);
	if (!v.what && f->dialect->implicit_self && f->dialect->open_types && definition >= 0)
		v = beside(l, f, definition, name);
	if (!v.what)
		v = members(l, f, name, SURE_FILE, "file");
	if (!v.what)
		v = imported(l, f, -1, name);
	const struct local *x = v.what ? NULL : local_of(l, f, -1, name, definition < 0 ? line : 0);
	if (x) {
		v = value_of_local(l, f, x);
		return v.what ? v : (struct value){ .what = OUTSIDE };
	}
	if (!v.what)
		v = shared(l, f, name);
	return v.what ? v : starred(l, f, name);
}
