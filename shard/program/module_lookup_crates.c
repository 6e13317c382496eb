/* Modules by full names, and in crates: `crate.b`, `super.b`, `my_shop.b` (Rust). */
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/base/relative_path.h"
#include "shard/program/module_lookup_internal.h"
#include "shard/program/resolver_cache.h"

/* Where the innermost root in a path ends; the beginning of the path if it has none. */
static const char *root_end(const char *path, const struct word_list *roots)
{
	const char *root = path, *folder = path, *slash = strchr(path, '/');

	while (slash) {
		if (word_list_has(roots, folder, (size_t)(slash - folder)))
			root = slash;
		folder = slash + 1;
		slash = strchr(folder, '/');
	}
	return root;
}

/*
 * Cut a file's package to that of its crate: as many parts as folders before the root, or all if
 * there are fewer.
 */
static void cut_to_crate(char *package, const struct source_file *f)
{
	const char *root = root_end(f->path, &f->dialect->roots);
	char *end = package;
	size_t parts = 0;

	for (const char *c = f->path; c < root; c++)
		parts += *c == '/';
	for (; parts && *end; parts--) {
		end += strcspn(end, ".");
		if (parts > 1 && *end)
			end++;
	}
	*end = 0;
}

/* Cut a package to the one above it. */
static void cut_last_part(char *package)
{
	char *dot = strrchr(package, '.');

	if (dot)
		*dot = 0;
	else
		*package = 0;
}

const char *module_of_crate_word(
    struct name_resolver *l, const struct source_file *from, const char *module)
{
	const struct dialect *d = from->dialect;
	size_t n = strcspn(module, ".");
	const char *rest = module + n + (module[n] == '.');
	char *base = arena_str(l->a, from->package);

	if (!base)
		base = arena_str(l->a, "");
	if (word_list_has(&d->crate, module, n)) {
		cut_to_crate(base, from);
	} else if (word_list_has(&d->up, module, n)) {
		cut_last_part(base);
		for (n = strcspn(rest, "."); word_list_has(&d->up, rest, n); n = strcspn(rest, ".")) {
			cut_last_part(base);
			rest += n + (rest[n] == '.');
		}
	} else if (!word_list_has(&d->here, module, n)) {
		return NULL;
	}
	if (*base && *rest)
		return arena_join_dotted(l->a, base, rest);
	if (*base)
		return base;
	return rest;
}

static bool are_modules(const struct sym **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i]->kind != KIND_module)
			return false;
	return true;
}

struct resolved_value module_symbols(struct name_resolver *l, const char *full)
{
	struct resolved_value v = { .confidence = CONFIDENCE_IMPORT, .reason = "import" };
	const struct sym *found[MAX_CANDIDATES];
	size_t n = resolver_find_full_name(l, full, found, MAX_CANDIDATES);

	if (n > MAX_CANDIDATES && are_modules(found, MAX_CANDIDATES)) /* a namespace of many files */
		return module_package(arena_str(l->a, full));
	n = resolver_keep_own(l, l->file->origin, found, MIN(n, MAX_CANDIDATES));
	for (size_t i = 0; i < n; i++)
		resolved_add(l, &v, found[i]);
	return v;
}

/* Whether something can be in one of them: a function may have the name of a module (Rust). */
static bool holds_names(const struct resolved_value *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (kind_is_type(v->v[i]->kind) || v->v[i]->kind == KIND_module)
			return true;
	return v->what == RESOLVED_PACKAGE;
}

struct resolved_value module_symbols_or_package(struct name_resolver *l, const char *full)
{
	struct resolved_value v = module_symbols(l, full);

	if (holds_names(&v) || !resolver_files_in_package(l, full)->n)
		return v;
	return module_package(arena_str(l->a, full)); /* a copy that outlives the caller's text */
}

struct resolved_value module_in_named_crate(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	size_t n = strcspn(module, ".");
	const struct file_list *list = resolver_files_by_stem(l, arena_strn(l->a, module, n));

	for (size_t i = 0; i < list->n; i++) {
		const struct source_file *f = list->v[i];
		if (!module_is_related(from, f) || !f->package || !module_is_index(f, from->dialect))
			continue;
		return module_symbols_or_package(l, arena_printf(l->a, "%s%s", f->package, module + n));
	}
	return resolved_unknown();
}

/* The name of the crate that a root file gives another name: `extern crate core_io as io`. */
static const char *crate_called(
    struct name_resolver *l, struct source_file *root, const char *name, size_t n)
{
	const struct file_symbols *u = resolver_file_scope(l, root);

	for (size_t i = 0; i < u->nimports; i++) {
		const struct import *x = &u->imports[i];
		if (!x->alias || x->name || !x->module || strchr(x->module, '.'))
			continue;
		if (strlen(x->alias) == n && !strncmp(x->alias, name, n) && strcmp(x->module, x->alias))
			return x->module;
	}
	return NULL;
}

const char *module_of_renamed_crate(
    struct name_resolver *l, const struct source_file *from, const char *module)
{
	const char *end = root_end(from->path, &from->dialect->roots);
	const char *dir = arena_strn(l->a, from->path, (size_t)(end - from->path));
	const struct file_list *list = resolver_files_in_dir(l, dir);
	size_t n = strcspn(module, ".");

	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i]->dialect != from->dialect || !module_is_index(list->v[i], from->dialect))
			continue;
		const char *crate = crate_called(l, list->v[i], module, n);
		if (crate)
			return arena_printf(l->a, "%s%s", crate, module + n);
	}
	return module;
}

bool module_is_crate(struct name_resolver *l, const struct source_file *from, const char *name)
{
	return from->dialect->path_package && module_manifest_of(l, from, name);
}

/* The package of the root file of the crate in a folder; NULL: it has none. */
static const char *package_of_crate(
    struct name_resolver *l, const struct source_file *from, const struct source_file *manifest)
{
	const struct word_list *roots = &from->dialect->roots;

	for (size_t i = 0; i <= roots->n; i++) {
		const char *dir = manifest->dir;
		if (i < roots->n)
			dir = relative_path(l->a, manifest->dir, roots->v[i]);
		const struct file_list *list = resolver_files_in_dir(l, dir);
		for (size_t k = 0; k < list->n; k++)
			if (list->v[k]->dialect == from->dialect && module_is_index(list->v[k], from->dialect))
				return list->v[k]->package ? list->v[k]->package : "";
	}
	return NULL;
}

struct resolved_value module_in_manifest_crate(
    struct name_resolver *l, const struct source_file *from, const char *module)
{
	size_t n = strcspn(module, ".");
	const struct source_file *m = module_manifest_of(l, from, arena_strn(l->a, module, n));
	const char *base = NULL, *rest = module + n + (module[n] == '.');

	if (m)
		base = package_of_crate(l, from, m);
	if (!base)
		return resolved_unknown();
	if (*base && *rest)
		return module_symbols_or_package(l, arena_join_dotted(l->a, base, rest));
	if (*base || *rest)
		return module_symbols_or_package(l, *base ? base : rest);
	return module_package("");
}
