/* Names that a file imports. */
#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/resolver_cache.h"
#include "shard/facts/qualified_name.h"
#include "shard/program/scope_lookup_internal.h"

/* Whether it imports all names of a module. */
static bool is_star_import(const struct import *i)
{
	return i->name && !strcmp(i->name, "*") && !i->alias;
}

/* Whether it introduces the first part of its module: `import a.b.c` introduces a. */
static bool introduces_first_part(const struct import *i, const struct dialect *d)
{
	if (!d->dots || i->name || i->alias)
		return false;
	return i->module && *i->module != '.';
}

/* Whether the import introduces the name in the file. */
static bool import_names(
    struct name_resolver *l, struct source_file *f, const struct import *i, const char *name)
{
	const struct dialect *d = f->dialect;

	if (is_star_import(i))
		return false;
	if (introduces_first_part(i, d)) {
		size_t n = strlen(name);
		return !strncmp(i->module, name, n) && (!i->module[n] || i->module[n] == '.');
	}
	if (i->include || !(i->module || i->name || i->alias))
		return false;
	return !strcmp(import_name(i, d, l->a), name);
}

static struct resolved_value value_of_import(
    struct name_resolver *l, struct source_file *f, const struct import *i, const char *name)
{
	struct resolved_value v;

	if (resolver_too_deep(l, MAX_EXPORT_DEPTH))
		return resolved_unknown();
	l->depth++;
	if (introduces_first_part(i, f->dialect))
		v = module_find(l, f, name, false);
	else
		v = import_value(l, f, i);
	bool has_full_name = f->dialect->full_names && i->module && i->name;
	if (has_full_name && !resolved_is_known(&v))
		v = scope_find_full_name(l, f, name_with_prefix(l->a, i->module, i->name));
	l->depth--;
	if (!v.what)	/* the import names its module, which does not have it */
		return resolved_external();
	return v;
}

/* The package of the files in a folder, or NULL. */
static const char *package_in_dir(
    struct name_resolver *l, const struct source_file *f, const char *dir)
{
	const struct file_list *list = resolver_files_in_dir(l, dir);

	for (size_t i = 0; i < list->n; i++) {
		const struct source_file *x = list->v[i];
		if (x->dialect == f->dialect && !x->test && x->package)
			return x->package;
	}
	return NULL;
}

/* Whether the import's folder contains a package of that name: the folder's may differ (Go). */
static bool folder_names(
    struct name_resolver *l, struct source_file *f, const struct import *i, const char *name)
{
	if (f->dialect->scheme != SCHEME_DIRECTORY || i->include)
		return false;
	if (i->alias || i->name)
		return false;
	struct resolved_value m = module_find(l, f, i->module, false);
	if (m.what != RESOLVED_DIR)
		return false;
	const char *package = package_in_dir(l, f, m.text);
	return package && !strcmp(package, name);
}

/* Whether the file is in a folder, or below it. */
static bool is_below(const struct source_file *f, const char *dir)
{
	size_t n = strlen(dir);

	if (!n)
		return true;
	return !strncmp(f->dir, dir, n) && (!f->dir[n] || f->dir[n] == '/');
}

struct import_files scope_import_files(struct name_resolver *l, struct source_file *f)
{
	const struct word_list *stems = &f->dialect->shared_imports;
	struct import_files out = { .v = { f }, .n = 1 };

	for (size_t i = 0; i < stems->n; i++) {
		const struct file_list *list = resolver_files_by_stem(l, stems->v[i]);
		for (size_t k = 0; k < list->n && out.n < MAX_IMPORT_FILES; k++) {
			struct source_file *x = list->v[k];
			if (x != f && x->origin == f->origin && x->dialect == f->dialect && is_below(f, x->dir))
				out.v[out.n++] = x;
		}
	}
	return out;
}

static struct resolved_value find_imported(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	const struct file_symbols *u = resolver_file_scope(l, f);

	for (size_t i = u->nimports; i-- > 0;)
		if (u->imports[i].definition == definition && import_names(l, f, &u->imports[i], name))
			return value_of_import(l, f, &u->imports[i], name);
	for (size_t i = 0; i < u->nimports; i++)
		if (u->imports[i].definition == definition && folder_names(l, f, &u->imports[i], name))
			return import_value(l, f, &u->imports[i]);
	return resolved_unknown();
}

struct resolved_value scope_find_imported(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	struct resolved_value v = resolved_unknown();

	if (!strcmp(name, "_")) /* imported without a name: use kit::Ext as _ */
		return v;
	if (definition >= 0 || !f->dialect->shared_imports.n)
		return find_imported(l, f, definition, name);
	struct import_files files = scope_import_files(l, f);
	for (size_t i = 0; i < files.n && !v.what; i++)
		v = find_imported(l, files.v[i], -1, name);
	return v;
}

struct resolved_value scope_find_imported_name(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	return scope_find_imported(l, f, -1, name);
}

/*
 * Members of types whose names are all imported.  Inherited members are not searched: finding the
 * bases would lead here again.
 */
static struct resolved_value own_members(
    struct name_resolver *l, const struct resolved_value *types, const char *name)
{
	struct resolved_value v = { .confidence = types->confidence, .reason = types->reason };

	for (size_t i = 0; i < types->n; i++)
		resolved_add_definitions(
		    l, &v, sym_file(l, types->v[i]), qualified_join(l->a, types->v[i]->qualified, name));
	return v;
}

/* A name of the module of a star import. */
static struct resolved_value star_member(
    struct name_resolver *l, struct source_file *f, const struct import *i, const char *name)
{
	struct resolved_value m = import_value(l, f, i);

	if (m.what == RESOLVED_SYMBOLS)
		return own_members(l, &m, name);
	return module_member(l, &m, name);
}

static struct resolved_value find_star_imported_by(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	const struct file_symbols *u = resolver_file_scope(l, f);

	for (size_t i = 0; i < u->nimports; i++) {
		const struct import *x = &u->imports[i];
		bool includes_all = x->include && f->dialect->share == SHARE_FILE;
		if (!includes_all && !is_star_import(x))
			continue;
		l->depth++;
		struct resolved_value v = star_member(l, f, x, name);
		l->depth--;
		if (resolved_is_known(&v))
			return v;
	}
	return resolved_unknown();
}

static struct resolved_value find_star_imported(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	struct import_files files = scope_import_files(l, f);
	struct resolved_value v = resolved_unknown();

	if (resolver_too_deep(l, MAX_EXPORT_DEPTH))
		return v;
	for (size_t i = 0; i < files.n && !v.what; i++)
		v = find_star_imported_by(l, files.v[i], name);
	return v;
}

/* A name of a module whose names are all imported. */
struct resolved_value scope_find_star_imported(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_STAR_IMPORT, .text = name };

	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_star_imported(l, f, m.text));
}
