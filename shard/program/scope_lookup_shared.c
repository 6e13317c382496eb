/* Names that need no import: of the folder, the package, the program. */
#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/name_resolution.h"
#include "shard/program/resolver_cache.h"

enum { MOST_NAMESAKES = 64 };

/* Of what stands in one file under one name the last, where it replaces the others. */
static struct value only_last(struct look *l, struct value v)
{
	struct value out = v;

	out.n = 0;
	for (size_t i = 0; i < v.n; i++)
		value_add(l, &out, v.v[i]);
	return out;
}

static const struct included *included_by(struct look *l, struct file *f)
{
	struct included *x = l->included;

	while (x && x->of != f)
		x = x->next;
	if (x)
		return x;
	const struct unit *u = look_inside(l, f);
	x = arena_one(l->a, struct included);
	*x = (struct included){ .of = f, .v = arena_many(l->a, u->nimports + 1, struct file *), .next = l->included };
	l->included = x;
	for (size_t i = 0; i < u->nimports; i++) {
		struct value m = { 0 };
		if (u->imports[i].include)
			m = module_find(l, f, u->imports[i].module, true);
		if (m.what == IN_FILE)
			x->v[x->n++] = m.file;
	}
	return x;
}

/* Whether a file takes in another, or the header of the same name. */
static bool includes(struct look *l, struct file *f, const struct file *other)
{
	const struct included *x = included_by(l, f);

	for (size_t i = 0; i < x->n; i++)
		if (x->v[i] == other || !strcmp(x->v[i]->stem, other->stem))
			return true;
	return false;
}

/* Of several definitions in a program: what is included, else what is in the same folder, else all. */
static struct value nearest(struct look *l, struct file *f, const struct sym **v, size_t n)
{
	struct value kept[3] = { { 0 } };
	size_t count[3] = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct file *other = file_of(l, v[i]);
		int rank = n == 1 ? 2 : other == f || includes(l, f, other) ? 0 : !strcmp(other->dir, f->dir) ? 1 : 2;
		if (count[rank]++ < MOST_CANDIDATES)
			kept[rank].v[kept[rank].n++] = v[i];
	}
	for (int i = 0; i < 3; i++)
		if (count[i] > MOST_CANDIDATES) {
			break;
		} else if (kept[i].n) {
			kept[i].what = SYMBOLS;
			kept[i].confidence = SURE_PACKAGE;
			kept[i].reason = "package";
			return kept[i];
		}
	return (struct value){ 0 };
}

/* By the full name in a package; several functions of one name and file are its overloads or versions. */
static struct value full(struct look *l, struct file *f, const char *package, const char *name)
{
	const struct sym *v[MOST_NAMESAKES];
	size_t n = look_full(l, value_dotted(l->a, package, name), v, MOST_NAMESAKES);

	return n > MOST_NAMESAKES ? (struct value){ 0 } : only_last(l, nearest(l, f, v, n));
}

/* In what the definition's qualified name begins with, from the inside outwards: a.b.C, a.b, a. */
static struct value around(struct look *l, struct file *f, int definition, const char *package, const char *name)
{
	const struct unit *u = world_unit(l->w, f);
	struct value v = { 0 };

	if (definition < 0 || !(f->dialect->open_types || f->dialect->outer_packages))
		return v;
	char *outer = arena_str(l->a, u->v[definition].qualified);
	if (u->v[definition].kind == KIND_module)
		v = full(l, f, value_dotted(l->a, package, outer), name);
	for (char *dot; !v.what && (dot = strrchr(outer, '.'));) {
		*dot = 0;
		v = full(l, f, value_dotted(l->a, package, outer), name);
	}
	return v;
}

/* In the package of the file and in those around it. */
static struct value find_in_packages(struct look *l, struct file *f, const char *name)
{
	const struct dialect *d = f->dialect;
	char *package = arena_str(l->a, f->package ? f->package : "");
	struct value v = { 0 };

	while (!v.what) {
		v = full(l, f, package, name);
		char *dot = strrchr(package, '.');
		if (v.what || !*package || !(d->outer_packages || d->share == SHARE_PROGRAM))
			break;
		*(dot ? dot : package) = 0;
	}
	return v;
}

static struct value find_in_folder(struct look *l, struct file *f, const char *name)
{
	struct value v = { .what = SYMBOLS, .confidence = SURE_PACKAGE, .reason = "package" };

	v.n = look_folder(l, f->dir, name, v.v, MOST_CANDIDATES);
	if (v.n > MOST_CANDIDATES)
		v.n = MOST_CANDIDATES;
	v.what = v.n ? SYMBOLS : NOTHING;
	return only_last(l, v);
}

struct value visible_shared(struct look *l, struct file *f, int definition, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_PACKAGE, .text = name };
	bool folder = f->dialect->share == SHARE_DIRECTORY;
	struct value v = { 0 };

	if (f->dialect->share == SHARE_FILE)
		return v;
	if (!folder && (v = around(l, f, definition, f->package, name)).what)
		return v;
	if (memo_find(l, &m))
		return m.value;
	return memo_keep(l, &m, folder ? find_in_folder(l, f, m.text) : find_in_packages(l, f, m.text));
}

struct value visible_package(struct look *l, struct file *f, const char *name)
{
	const struct dialect *d = f->dialect;
	size_t n = strlen(name);

	if (d->scheme != SCHEME_NAME || (d->share == SHARE_PROGRAM && !f->package))
		return (struct value){ 0 };
	if (word_among(&d->crate, name, n) || word_among(&d->here, name, n) || word_among(&d->up, name, n))
		return module_find(l, f, name, false);
	struct value v = { .what = IN_PACKAGE, .confidence = SURE_IMPORT, .reason = "import" };
	char *package = arena_str(l->a, f->package ? f->package : "");
	for (;;) {
		v.text = *package ? value_dotted(l->a, package, name) : arena_str(l->a, name);
		if (look_package(l, v.text)->n)
			return v;
		if (!*package)
			return (struct value){ 0 };
		char *dot = d->outer_packages ? strrchr(package, '.') : NULL;
		*(dot ? dot : package) = 0;
	}
}

struct value visible_full(struct look *l, struct file *f, const char *name)
{
	return f->dialect->full_names ? full(l, f, NULL, name) : (struct value){ 0 };
}
