#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/base/relative_path.h"
#include "shard/program/module_lookup_internal.h"
#include "shard/program/resolver_cache.h"

bool module_is_related(const struct source_file *a, const struct source_file *b)
{
	if (!a->dialect || !b->dialect)
		return false;
	return a->dialect == b->dialect || !strcmp(a->dialect->family, b->dialect->family);
}

/* The file as a module; RESOLVED_UNKNOWN if it is NULL. */
static struct resolved_value module_file(struct source_file *f, int confidence, const char *reason)
{
	struct resolved_value v = { .file = f, .confidence = confidence, .reason = reason };

	if (f)
		v.what = RESOLVED_FILE;
	return v;
}

static struct resolved_value module_dir(const char *dir, int confidence, const char *reason)
{
	return (struct resolved_value){
		.what = RESOLVED_DIR,
		.text = dir,
		.confidence = confidence,
		.reason = reason,
	};
}

bool module_is_index(const struct source_file *f, const struct dialect *d)
{
	return word_list_has(&d->index, f->stem, strlen(f->stem));
}

/* ---- paths ---- */

/* The first file of the family at a path; files of the same language come first. */
static struct source_file *file_at(
    struct name_resolver *l, const struct source_file *from, const char *path)
{
	const struct file_list *list = resolver_files_by_path(l, path);
	struct source_file *best = NULL;

	for (size_t i = 0; i < list->n; i++) {
		struct source_file *f = list->v[i];
		if (!module_is_related(from, f))
			continue;
		if (!strcmp(f->path, path))
			return f;
		if (!best || (best->dialect != from->dialect && f->dialect == from->dialect))
			best = f;
	}
	return best;
}

/* The last part of a path. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return path;
	return slash + 1;
}

/* The path without its extension; NULL if it has none. */
static const char *without_extension(struct arena *a, const char *path)
{
	const char *name = base_name(path), *dot = strrchr(name, '.');

	if (!dot || dot == name)
		return NULL;
	return arena_strn(a, path, (size_t)(dot - path));
}

struct resolved_value module_find_path(struct name_resolver *l, struct source_file *from,
    const char *path, int confidence, const char *reason)
{
	if (!path)
		return module_file(NULL, confidence, reason);
	struct source_file *f = file_at(l, from, path);
	const char *bare = NULL;
	if (!f && !from->dialect->dots)
		bare = without_extension(l->a, path);
	if (bare)
		f = file_at(l, from, bare);
	if (!f && from->dialect->dots && resolver_files_in_dir(l, path)->n)
		return module_dir(path, confidence, reason);
	return module_file(f, confidence, reason);
}

/* module_find_path of a path that is relative to a folder. */
static struct resolved_value find_relative(
    struct name_resolver *l, struct source_file *from, const char *dir, const char *path)
{
	return module_find_path(l, from, relative_path(l->a, dir, path), CONFIDENCE_IMPORT, "import");
}

/* `.users` and `..models.user` from a file of the package. */
static struct resolved_value by_dots(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	const char *dir = from->dir;

	for (module++; dir && *module == '.'; module++)
		dir = relative_path(l->a, dir, "..");
	if (!dir)
		return module_external();
	return find_relative(l, from, dir, module_to_path(l->a, module, '.'));
}

/* ---- paths without their beginning ---- */

static size_t common_folders(const char *a, const char *b)
{
	size_t n = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		n += a[i] == '/';
	return n;
}

/*
 * The length of the folders before `tail` if the first `len` bytes of a path are `tail`, with or
 * without folders before it; otherwise -1.
 */
static int root_length(const char *path, size_t len, const char *tail)
{
	size_t n = strlen(tail);

	if (len < n || memcmp(path + len - n, tail, n))
		return -1;
	if (len == n)
		return 0;
	if (path[len - n - 1] != '/')
		return -1;
	return (int)(len - n - 1);
}

/*
 * The length of the folders before `tail` if the file's path ends with it, with or without its
 * extension; otherwise -1.
 */
static int before_tail(const struct source_file *f, const char *tail)
{
	size_t dir = strlen(f->dir), bare = dir + (dir > 0) + strlen(f->stem);
	int root = root_length(f->path, strlen(f->path), tail);

	if (root < 0)
		root = root_length(f->path, bare, tail);
	if (root < 0 && module_is_index(f, f->dialect))
		root = root_length(f->path, dir, tail);
	return root;
}

/*
 * Whether module paths of a file may start from the folder that is the first `n` bytes of `path`.
 */
static bool is_root(
    struct name_resolver *l, const struct source_file *from, const char *path, size_t n)
{
	const struct dialect *d = from->dialect;
	size_t last = n;

	if (!n)
		return true;
	while (last && path[last - 1] != '/')
		last--;
	if (word_list_has(&d->roots, path + last, n - last))
		return true;
	if (strncmp(from->path, path, n) || from->path[n] != '/')
		return false;
	const char *dir = arena_strn(l->a, path, n);
	return !d->dots || !file_at(l, from, dir);	/* a package is not a root */
}

/* Whether the folder that is the first `n` bytes of `path` has a manifest that names a package. */
static bool has_manifest(struct name_resolver *l, const char *path, size_t n)
{
	const struct file_list *list = resolver_files_in_dir(l, arena_strn(l->a, path, n));

	for (size_t i = 0; i < list->n; i++)
		if (!list->v[i]->dialect && list->v[i]->package)
			return true;
	return false;
}

/*
 * Whether a module path may end in a file of another repository, `root` being what is before it:
 * such a module begins at a root or beside a manifest, and where installed packages have names of
 * their own (suffix) these find it.
 */
static bool is_elsewhere(struct name_resolver *l, const struct source_file *from,
    const struct source_file *f, size_t root)
{
	if (f->origin == from->origin)
		return false;
	if (from->dialect->suffix)
		return true;
	return !is_root(l, from, f->path, root) && !has_manifest(l, f->path, root);
}

/* The file of a stem whose path ends with `tail`.  `known`: only below a root. */
static struct resolved_value by_stem(struct name_resolver *l, struct source_file *from,
    const char *tail, bool known, bool included, const char *stem)
{
	const struct file_list *list = resolver_files_by_stem(l, stem);
	struct source_file *best = NULL, *only = NULL;
	size_t near = 0, others = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct source_file *f = list->v[i];
		int root = -1;
		if (module_is_related(from, f))
			root = before_tail(f, tail);
		if (root < 0 || (!included && is_elsewhere(l, from, f, (size_t)root)))
			continue;
		if (is_root(l, from, f->path, (size_t)root)) {
			size_t n = common_folders(f->path, from->path) + 1;
			if (n > near) {
				best = f;
				near = n;
			}
		} else {
			others++;
			only = f;
		}
	}
	if (best)
		return module_file(best, CONFIDENCE_IMPORT, "import");
	if (known || others != 1)
		return module_external();
	if (strchr(tail, '/'))
		return module_file(only, CONFIDENCE_PACKAGE, "import");
	return module_file(only, CONFIDENCE_SUFFIX, "import");
}

/*
 * The file whose path ends with `tail`: the nearest one below a root, else the only one.  What
 * looks like an extension may be part of the stem: `api.service`.
 */
static struct resolved_value by_tail(
    struct name_resolver *l, struct source_file *from, const char *tail, bool known, bool included)
{
	const char *last = base_name(tail), *bare = NULL;

	if (!from->dialect->dots)
		bare = without_extension(l->a, last);
	if (bare) {
		struct resolved_value v = by_stem(l, from, tail, known, included, bare);
		if (v.what == RESOLVED_FILE)
			return v;
	}
	return by_stem(l, from, tail, known, included, last);
}

const char *module_to_path(struct arena *a, const char *module, char separator)
{
	char *out = arena_str(a, module);

	for (char *c = out; separator != '/' && *c; c++) {
		if (*c == separator)
			*c = '/';
	}
	return out;
}

/* ---- manifests: go.mod and package.json name the module of their folder ---- */

struct source_file *module_manifest_of(
    struct name_resolver *l, const struct source_file *from, const char *module)
{
	const struct file_list *list = resolver_files_in_package(l, module);
	struct source_file *first = NULL;

	for (size_t i = 0; i < list->n; i++) {
		struct source_file *f = list->v[i];
		if (f->dialect || !f->package || strcmp(f->package, module))
			continue;
		if (f->origin == from->origin)
			return f;
		if (!first)
			first = f;
	}
	return first;
}

/* The manifest that names the longest beginning of `module`; `*rest` is the remaining path. */
static struct source_file *manifest(
    struct name_resolver *l, const struct source_file *from, const char *module, const char **rest)
{
	char *part = arena_str(l->a, module);

	for (size_t n = strlen(part); n; n--) {
		if (part[n] && part[n] != '/')
			continue;
		part[n] = 0;
		struct source_file *f = module_manifest_of(l, from, part);
		if (!f)
			continue;
		*rest = "";
		if (module[n])
			*rest = module + n + 1;
		return f;
	}
	return NULL;
}

/*
 * A folder by the module that its manifest names, or by the longest end of the path that is a
 * folder.
 */
static struct resolved_value by_folder(
    struct name_resolver *l, const struct source_file *from, const char *module)
{
	const char *rest;
	struct source_file *f = manifest(l, from, module, &rest);

	if (f) {
		const char *dir = relative_path(l->a, f->dir, rest);
		if (dir && resolver_files_in_dir(l, dir)->n)
			return module_dir(dir, CONFIDENCE_IMPORT, "import");
		return module_external();
	}
	if (!memchr(module, '.', strcspn(module, "/")))
		return module_external();	/* the standard library */
	for (;;) {
		module = strchr(module, '/');
		if (!module)
			return module_external();
		module++;
		if (strchr(module, '/') && resolver_files_in_dir(l, module)->n)
			return module_dir(module, CONFIDENCE_PACKAGE, "import");
	}
}

/*
 * The file that a package's name, or a path below it, means: lib/x, src/x, x, or an index of
 * these.
 */
static struct resolved_value in_manifest(
    struct name_resolver *l, struct source_file *from, struct source_file *m, const char *rest)
{
	const struct word_list *roots = &from->dialect->roots;
	const char *path = relative_path(l->a, m->dir, rest);

	if (!path)
		return module_external();
	struct resolved_value v = module_find_entry(l, from, m, rest);
	if (!v.what)
		v = module_find_path(l, from, path, CONFIDENCE_IMPORT, "import");
	for (size_t i = 0; !v.what && i < roots->n; i++) {
		const char *below = roots->v[i];
		if (*rest)
			below = arena_printf(l->a, "%s/%s", roots->v[i], rest);
		v = find_relative(l, from, m->dir, below);
	}
	if (v.what)
		return v;
	return module_external();
}

/* `@/users`, `~/users`: below the nearest root among the folders around the file. */
static struct resolved_value by_alias(
    struct name_resolver *l, struct source_file *from, const char *rest)
{
	size_t n = strlen(from->dir);

	while (n) {
		size_t first = n;
		while (first && from->dir[first - 1] != '/')
			first--;
		if (word_list_has(&from->dialect->roots, from->dir + first, n - first)) {
			struct resolved_value v = find_relative(l, from, arena_strn(l->a, from->dir, n), rest);
			if (v.what)
				return v;
		}
		if (!first)
			break;
		n = first - 1;
	}
	return resolved_unknown();
}

/* Whether the first `n` bytes of a path may be an alias for a folder: @/users, @app/users. */
static bool is_alias(const struct dialect *d, const char *path, size_t n)
{
	return d->suffix && strchr("@~#$", *path) && path[n] == '/';
}

/* A file by a path without a relative beginning. */
static struct resolved_value by_path(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	const struct dialect *d = from->dialect;
	const char *rest, *tail = module_to_path(l->a, module, d->separator);
	size_t first = strcspn(tail, "/");
	bool known = word_list_has(&d->external, tail, first);
	struct resolved_value v = { 0 };
	struct source_file *m = NULL;

	if (d->configs.n)
		v = module_find_configured(l, from, module);
	if (v.what)
		return v;
	if (d->suffix)
		m = manifest(l, from, tail, &rest);
	if (m)
		return in_manifest(l, from, m, rest);
	if (is_alias(d, tail, first)) {
		const char *below = tail + first + 1;
		if (first == 1)
			v = by_alias(l, from, below);
		if (v.what)
			return v;
		return by_tail(l, from, below, first > 1 && !strchr(below, '/'), false);
	}
	if (d->suffix && !tail[first])
		return module_external();	/* an installed package */
	v = by_tail(l, from, tail, known, false);
	if (v.what != RESOLVED_FILE && d->dots && resolver_files_in_dir(l, tail)->n)
		return module_dir(tail, CONFIDENCE_IMPORT, "import");
	return v;
}

/* An included file: relative to the file, else by the end of its path. */
static struct resolved_value by_include(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	const char *path = relative_path(l->a, from->dir, module);
	const char *tail = relative_path(l->a, "", module);
	struct source_file *f = NULL;

	if (path)
		f = file_at(l, from, path);
	if (f || !tail || !*tail)
		return module_file(f, CONFIDENCE_IMPORT, "import");
	return by_tail(l, from, tail, false, true);
}

/* ---- names ---- */

/* A name in a module below this one, which hides a crate of the same name. */
static struct resolved_value find_below(
    struct name_resolver *l, const struct source_file *from, const char *module)
{
	if (!from->package || !*from->package)
		return resolved_unknown();
	return module_symbols_or_package(l, arena_join_dotted(l->a, from->package, module));
}

/* A full name: a package, or a definition in one. */
static struct resolved_value find_full(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	const struct dialect *d = from->dialect;
	const char *crate = module_of_crate_word(l, from, module);

	struct resolved_value v;

	if (crate && !*crate) {		/* the root of a crate that is the whole repository */
		v = module_symbols(l, crate);
		if (v.what)
			return v;
		return module_package("");
	}
	if (crate)
		return module_symbols_or_package(l, crate);
	if (word_list_has(&d->external, module, strcspn(module, ".")))
		return module_external();
	if (!d->path_package)
		return module_symbols_or_package(l, module);
	v = find_below(l, from, module);
	if (!v.what)
		module = module_of_renamed_crate(l, from, module);
	if (!v.what)
		v = module_in_manifest_crate(l, from, module);
	if (!v.what)
		v = module_symbols_or_package(l, module);
	if (!v.what)
		v = module_in_named_crate(l, from, module);
	return v;
}

static struct resolved_value by_name(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	struct resolved_value v = find_full(l, from, module);

	if (v.what)
		return v;
	return module_external();
}

static struct resolved_value find_module(
    struct name_resolver *l, struct source_file *from, const char *module, bool include)
{
	const struct dialect *d = from->dialect;

	if (include)
		return by_include(l, from, module);
	if (d->dots && *module == '.')
		return by_dots(l, from, module);
	if (d->slashes && *module == '.')
		return find_relative(l, from, from->dir, module);
	switch (d->scheme) {
	case SCHEME_PATH: return by_path(l, from, module);
	case SCHEME_DIRECTORY: return by_folder(l, from, module);
	case SCHEME_NAME: return by_name(l, from, module);
	}
	return module_external();
}

struct resolved_value module_find(
    struct name_resolver *l, struct source_file *from, const char *module, bool include)
{
	struct memo m = { .of = from, .what = MEMO_MODULE, .number = include, .text = module };

	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_module(l, from, m.text, include));
}
