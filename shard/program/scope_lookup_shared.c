/* Names that need no import: of the folder, the package, the program. */
#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/name_resolution.h"
#include "shard/program/resolver_cache.h"

enum { MAX_SAME_NAME = 64 };

/* Of what stands in one file under one name the last, where it replaces the others. */
static struct resolved_value without_replaced(struct name_resolver *l, struct resolved_value v)
{
	struct resolved_value out = v;

	out.n = 0;
	for (size_t i = 0; i < v.n; i++)
		resolved_add(l, &out, v.v[i]);
	return out;
}

static const struct include_list *included_by(struct name_resolver *l, struct source_file *f)
{
	struct include_list *x = l->included;

	while (x && x->of != f)
		x = x->next;
	if (x)
		return x;
	const struct file_symbols *u = resolver_file_scope(l, f);
	x = arena_one(l->a, struct include_list);
	*x = (struct include_list){ .of = f, .v = arena_many(l->a, u->nimports + 1, struct source_file *), .next = l->included };
	l->included = x;
	for (size_t i = 0; i < u->nimports; i++) {
		struct resolved_value m = { 0 };
		if (u->imports[i].include)
			m = module_find(l, f, u->imports[i].module, true);
		if (m.what == RESOLVED_FILE)
			x->v[x->n++] = m.file;
	}
	return x;
}

/* Whether a file takes in another, or the header of the same name. */
static bool includes(
    struct name_resolver *l, struct source_file *f, const struct source_file *other)
{
	const struct include_list *x = included_by(l, f);

	for (size_t i = 0; i < x->n; i++)
		if (x->v[i] == other || !strcmp(x->v[i]->stem, other->stem))
			return true;
	return false;
}

/*
 * Of several definitions in a program: what is included, else what is in the same folder, else
 * all.
 */
static struct resolved_value nearest(
    struct name_resolver *l, struct source_file *f, const struct sym **v, size_t n)
{
	struct resolved_value kept[3] = { { 0 } };
	size_t count[3] = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct source_file *other = sym_file(l, v[i]);
		int rank = n == 1                       ? 2 :
		    other == f || includes(l, f, other) ? 0 :
		    !strcmp(other->dir, f->dir)         ? 1 :
		                                          2;
		if (count[rank]++ < MAX_CANDIDATES)
			kept[rank].v[kept[rank].n++] = v[i];
	}
	for (int i = 0; i < 3; i++)
		if (count[i] > MAX_CANDIDATES) {
			break;
		} else if (kept[i].n) {
			kept[i].what = RESOLVED_SYMBOLS;
			kept[i].confidence = CONFIDENCE_PACKAGE;
			kept[i].reason = "package";
			return kept[i];
		}
	return (struct resolved_value){ 0 };
}

/*
 * By the full name in a package; several functions of one name and file are its overloads or
 * versions.
 */
static struct resolved_value full(
    struct name_resolver *l, struct source_file *f, const char *package, const char *name)
{
	const struct sym *v[MAX_SAME_NAME];
	size_t n = resolver_find_full_name(l, name_with_prefix(l->a, package, name), v, MAX_SAME_NAME);

	return n > MAX_SAME_NAME ? (struct resolved_value){ 0 } :
	                           without_replaced(l, nearest(l, f, v, n));
}

/* In what the definition's qualified name begins with, from the inside outwards: a.b.C, a.b, a. */
static struct resolved_value around(struct name_resolver *l, struct source_file *f, int definition,
    const char *package, const char *name)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	struct resolved_value v = { 0 };

	if (definition < 0 || !(f->dialect->open_types || f->dialect->outer_packages))
		return v;
	char *outer = arena_str(l->a, u->v[definition].qualified);
	if (u->v[definition].kind == KIND_module)
		v = full(l, f, name_with_prefix(l->a, package, outer), name);
	for (char *dot; !v.what && (dot = strrchr(outer, '.'));) {
		*dot = 0;
		v = full(l, f, name_with_prefix(l->a, package, outer), name);
	}
	return v;
}

/* In the package of the file and in those around it. */
static struct resolved_value find_in_packages(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	const struct dialect *d = f->dialect;
	char *package = arena_str(l->a, f->package ? f->package : "");
	struct resolved_value v = { 0 };

	while (!v.what) {
		v = full(l, f, package, name);
		char *dot = strrchr(package, '.');
		if (v.what || !*package || !(d->outer_packages || d->share == SHARE_PROGRAM))
			break;
		*(dot ? dot : package) = 0;
	}
	return v;
}

static struct resolved_value find_in_folder(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	struct resolved_value v = {
		.what = RESOLVED_SYMBOLS, .confidence = CONFIDENCE_PACKAGE, .reason = "package"
	};

	v.n = resolver_find_in_dir(l, f->dir, name, v.v, MAX_CANDIDATES);
	if (v.n > MAX_CANDIDATES)
		v.n = MAX_CANDIDATES;
	if (v.n)
		v.what = RESOLVED_SYMBOLS;
	else
		v.what = RESOLVED_UNKNOWN;
	return without_replaced(l, v);
}

struct resolved_value scope_find_shared(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_PACKAGE, .text = name };
	bool folder = f->dialect->share == SHARE_DIRECTORY;
	struct resolved_value v = { 0 };

	if (f->dialect->share == SHARE_FILE)
		return v;
	if (!folder && (v = around(l, f, definition, f->package, name)).what)
		return v;
	if (memo_find(l, &m))
		return m.value;
	return memo_store(
	    l, &m, folder ? find_in_folder(l, f, m.text) : find_in_packages(l, f, m.text));
}

struct resolved_value scope_find_package(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	const struct dialect *d = f->dialect;
	size_t n = strlen(name);

	if (d->scheme != SCHEME_NAME || (d->share == SHARE_PROGRAM && !f->package))
		return (struct resolved_value){ 0 };
	if (word_list_has(&d->crate, name, n) || word_list_has(&d->here, name, n) ||
	    word_list_has(&d->up, name, n))
		return module_find(l, f, name, false);
	struct resolved_value v = {
		.what = RESOLVED_PACKAGE, .confidence = CONFIDENCE_IMPORT, .reason = "import"
	};
	char *package = arena_str(l->a, f->package ? f->package : "");
	for (;;) {
		if (*package)
			v.text = name_with_prefix(l->a, package, name);
		else
			v.text = arena_str(l->a, name);
		if (resolver_files_in_package(l, v.text)->n)
			return v;
		if (!*package)
			return (struct resolved_value){ 0 };
		char *dot = NULL;
		if (d->outer_packages)
			dot = strrchr(package, '.');
		*(dot ? dot : package) = 0;
	}
}

struct resolved_value scope_find_full_name(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	return f->dialect->full_names ? full(l, f, NULL, name) : (struct resolved_value){ 0 };
}
