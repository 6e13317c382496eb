#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/relative_path.h"
#include "shard/program/module_lookup_internal.h"
#include "shard/program/resolver_cache.h"

enum { MOST_PARTS = 64 };

static bool related(const struct source_file *a, const struct source_file *b)
{
	return a->dialect && b->dialect &&
	    (a->dialect == b->dialect || !strcmp(a->dialect->family, b->dialect->family));
}

static struct resolved_value module_file(struct source_file *f, int confidence, const char *reason)
{
	return (struct resolved_value){ .what = f ? RESOLVED_FILE : RESOLVED_UNKNOWN,
		.file = f,
		.confidence = confidence,
		.reason = reason };
}

static struct resolved_value module_dir(const char *dir, int confidence, const char *reason)
{
	return (struct resolved_value){
		.what = RESOLVED_DIR, .text = dir, .confidence = confidence, .reason = reason
	};
}

/* ---- paths ---- */

/* The first file of the family at a path, one of its own language before others. */
static struct source_file *file_at(
    struct name_resolver *l, const struct source_file *from, const char *path)
{
	const struct file_list *list = resolver_files_by_path(l, path);
	struct source_file *best = NULL;

	for (size_t i = 0; i < list->n; i++) {
		struct source_file *f = list->v[i];
		if (!related(from, f))
			continue;
		if (!strcmp(f->path, path))
			return f;
		if (!best || (best->dialect != from->dialect && f->dialect == from->dialect))
			best = f;
	}
	return best;
}

static const char *without_extension(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

	if (dot && dot > path && dot[-1] != '/')
		return arena_strn(a, path, (size_t)(dot - path));
	return NULL;
}

struct resolved_value module_find_path(struct name_resolver *l, struct source_file *from,
    const char *path, int confidence, const char *reason)
{
	struct source_file *f = path ? file_at(l, from, path) : NULL;
	const char *bare = NULL;

	if (path && !f && !from->dialect->dots)
		bare = without_extension(l->a, path);
	if (bare)
		f = file_at(l, from, bare);
	if (!f && path && from->dialect->dots && resolver_files_in_dir(l, path)->n)
		return module_dir(path, confidence, reason);
	return module_file(f, confidence, reason);
}

/* `.users` and `..models.user` from a file of the package. */
static struct resolved_value by_dots(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	const char *dir = from->dir;
	char *rest;

	for (module++; *module == '.'; module++) {
		if (dir)
			dir = relative_path(l->a, dir, "..");
		else
			dir = NULL;
	}
	rest = arena_str(l->a, module);
	for (char *c = rest; *c; c++) {
		if (*c == '.')
			*c = '/';
	}
	if (dir)
		return module_find_path(
		    l, from, relative_path(l->a, dir, rest), CONFIDENCE_IMPORT, "import");
	return module_external();
}

/* ---- paths of which the beginning is not known ---- */

static size_t common_folders(const char *a, const char *b)
{
	size_t n = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		n += a[i] == '/';
	return n;
}

/*
 * Whether the first `len` bytes of a path are `tail`, with or without folders before; `*root` is
 * how many these take.
 */
static bool ends_with(const char *path, size_t len, const char *tail, size_t n, int *root)
{
	if (len < n || memcmp(path + len - n, tail, n) || (len > n && path[len - n - 1] != '/'))
		return false;
	if (len > n)
		*root = (int)(len - n - 1);
	else
		*root = 0;
	return true;
}

/*
 * The part of a file's path before `tail`, which it ends with, with or without its extension; -1:
 * it does not.
 */
static int before_tail(const struct source_file *f, const char *tail)
{
	size_t n = strlen(tail), dir = strlen(f->dir), bare = dir + (dir > 0) + strlen(f->stem);
	int root;

	if (ends_with(f->path, strlen(f->path), tail, n, &root) ||
	    ends_with(f->path, bare, tail, n, &root) ||
	    (word_list_has(&f->dialect->index, f->stem, strlen(f->stem)) &&
	        ends_with(f->path, dir, tail, n, &root)))
		return root;
	return -1;
}

/*
 * Whether modules can be counted from the folder that is the first `n` bytes of `path`, for a file
 * at `from`.
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
	return !d->dots || !file_at(l, from, dir);	/* a package is no root */
}

static struct resolved_value by_stem(struct name_resolver *l, struct source_file *from,
    const char *tail, bool known, const char *stem)
{
	const char *slash = strrchr(tail, '/');
	const struct file_list *list = resolver_files_by_stem(l, stem);
	struct source_file *best = NULL, *only = NULL;
	size_t near = 0, others = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct source_file *f = list->v[i];
		int root = -1;
		if (related(from, f))
			root = before_tail(f, tail);
		if (root < 0)
			continue;
		if (is_root(l, from, f->path, (size_t)root)) {
			size_t n = common_folders(f->path, from->path) + 1;
			if (n > near)
				best = f, near = n;
		} else {
			others++;
			only = f;
		}
	}
	if (best)
		return module_file(best, CONFIDENCE_IMPORT, "import");
	if (known || others != 1)
		return module_external();
	return module_file(only, slash ? CONFIDENCE_PACKAGE : CONFIDENCE_SUFFIX, "import");
}

/*
 * The file whose path ends with `tail`: below a root, the nearest; else the only one.
 * `api.service` may be all of a stem.
 */
static struct resolved_value by_tail(
    struct name_resolver *l, struct source_file *from, const char *tail, bool known)
{
	const char *slash = strrchr(tail, '/'), *last = slash ? slash + 1 : tail;
	const char *bare = from->dialect->dots ? NULL : without_extension(l->a, last);
	struct resolved_value v = by_stem(l, from, tail, known, bare ? bare : last);

	if (bare && v.what != RESOLVED_FILE)
		return by_stem(l, from, tail, known, last);
	return v;
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

/* ---- manifests: go.mod, package.json say which module a folder is ---- */

/* The manifest that names the longest beginning of `module`; `*rest` is what follows. */
static struct source_file *manifest(struct name_resolver *l, const char *module, const char **rest)
{
	char *part = arena_str(l->a, module);

	for (size_t n = strlen(part); n; n--) {
		if (part[n] && part[n] != '/')
			continue;
		part[n] = 0;
		const struct file_list *list = resolver_files_in_package(l, part);
		for (size_t i = 0; i < list->n; i++)
			if (!list->v[i]->dialect && list->v[i]->package && !strcmp(list->v[i]->package, part)) {
				if (module[n])
					*rest = module + n + 1;
				else
					*rest = "";
				return list->v[i];
			}
	}
	return NULL;
}

/*
 * A folder by the module that its manifest names, or by the longest end of the path that is a
 * folder.
 */
static struct resolved_value by_folder(struct name_resolver *l, const char *module)
{
	const char *rest;
	struct source_file *f = manifest(l, module, &rest);

	if (f) {
		const char *dir = relative_path(l->a, f->dir, rest);
		if (dir && resolver_files_in_dir(l, dir)->n)
			return module_dir(dir, CONFIDENCE_IMPORT, "import");
		return module_external();
	}
	if (!memchr(module, '.', strcspn(module, "/")))
		return module_external();	/* the standard library */
	while ((module = strchr(module, '/'))) {
		module++;
		if (strchr(module, '/') && resolver_files_in_dir(l, module)->n)
			return module_dir(module, CONFIDENCE_PACKAGE, "import");
	}
	return module_external();
}

/*
 * The file that a package's name, or a path below it, means: lib/x, src/x, x, or an index of
 * these.
 */
static struct resolved_value in_manifest(struct name_resolver *l, struct source_file *from,
    const struct source_file *m, const char *rest)
{
	const char *dir = relative_path(l->a, m->dir, rest);
	struct resolved_value v = module_find_path(l, from, dir, CONFIDENCE_IMPORT, "import");

	for (size_t i = 0; dir && !v.what && i < from->dialect->roots.n; i++)
		v = module_find_path(l, from,
		    relative_path(l->a, m->dir,
		        *rest ? arena_printf(l->a, "%s/%s", from->dialect->roots.v[i], rest) :
		                from->dialect->roots.v[i]),
		    CONFIDENCE_IMPORT, "import");
	if (v.what)
		return v;
	return module_external();
}

/* `@/users`, `~/users`: below the nearest folder around the file that modules are counted from. */
static struct resolved_value by_alias(
    struct name_resolver *l, struct source_file *from, const char *rest)
{
	const struct word_list *roots = &from->dialect->roots;
	struct resolved_value v = { 0 };

	for (size_t n = strlen(from->dir), first; n && !v.what; n = first ? first - 1 : 0) {
		for (first = n; first && from->dir[first - 1] != '/';)
			first--;
		if (word_list_has(roots, from->dir + first, n - first))
			v = module_find_path(l, from, relative_path(l->a, arena_strn(l->a, from->dir, n), rest),
			    CONFIDENCE_IMPORT, "import");
	}
	return v;
}

/* A file by a path without a relative beginning. */
static struct resolved_value by_path(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	const struct dialect *d = from->dialect;
	const char *rest, *tail = module_to_path(l->a, module, d->separator);
	size_t first = strcspn(tail, "/");
	bool known = word_list_has(&d->external, tail, first);
	struct resolved_value v = d->configs.n ? module_find_configured(l, from, module) :
	                                         (struct resolved_value){ 0 };

	if (v.what)
		return v;
	struct source_file *m = NULL;
	if (d->suffix)
		m = manifest(l, tail, &rest);
	if (m)
		return in_manifest(l, from, m, rest);
	v = d->suffix && strchr("@~#$", *tail) && tail[first] == '/' && first == 1 ?
	    by_alias(l, from, tail + 2) :
	    (struct resolved_value){ 0 };
	if (v.what)
		return v;
	/* an alias for some folder: @/users, ~/users, @app/users */
	if (d->suffix && strchr("@~#$", *tail) && tail[first])
		return by_tail(l, from, tail + first + 1, first > 1 && !strchr(tail + first + 1, '/'));
	if (d->suffix && !tail[first])
		return module_external();	/* a package that is installed */
	v = by_tail(l, from, tail, known);
	if (v.what != RESOLVED_FILE && d->dots && resolver_files_in_dir(l, tail)->n)
		return module_dir(tail, CONFIDENCE_IMPORT, "import");
	return v;
}

/* A file that is taken in: beside the file, else by the end of its path. */
static struct resolved_value by_include(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	const char *path = relative_path(l->a, from->dir, module);
	struct source_file *f = path ? file_at(l, from, path) : NULL;
	const char *tail = relative_path(l->a, "", module);

	if (f || !tail || !*tail)
		return module_file(f, CONFIDENCE_IMPORT, "import");
	return by_tail(l, from, tail, false);
}

/* ---- names ---- */

/* crate, self and super at the beginning of a module: the package that they mean. */
static const char *by_crate(
    struct name_resolver *l, const struct source_file *from, const char *module)
{
	const struct dialect *d = from->dialect;
	size_t n = strcspn(module, ".");
	const char *rest = module[n] ? module + n + 1 : "",
	           *package = from->package ? from->package : "";
	char *base;

	if (word_list_has(&d->crate, module, n)) {
		const char *root = from->path;
		for (const char *p = from->path; (p = strchr(p, '/')); p++) {
			const char *q = p;
			while (q > from->path && q[-1] != '/')
				q--;
			if (word_list_has(&d->roots, q, (size_t)(p - q)))
				root = p;
		}
		/* the crate's package has as many parts as folders before the root */
		size_t parts = 0;
		for (const char *c = from->path; c < root; c++)
			parts += *c == '/';
		base = arena_str(l->a, package);
		char *end = base;
		for (; parts; parts--)
			end += strcspn(end, ".") + (parts > 1);
		*end = 0;
	} else if (word_list_has(&d->here, module, n)) {
		base = arena_str(l->a, package);
	} else if (word_list_has(&d->up, module, n)) {
		base = arena_str(l->a, package);
		for (;;) {
			char *dot = strrchr(base, '.');
			*(dot ? dot : base) = 0;
			n = strcspn(rest, ".");
			if (!word_list_has(&d->up, rest, n))
				break;
			rest += n + (rest[n] == '.');
		}
	} else {
		return NULL;
	}
	if (*base && *rest)
		return arena_join_dotted(l->a, base, rest);
	if (*base)
		return base;
	return rest;
}

struct resolved_value module_symbols(struct name_resolver *l, const char *full)
{
	struct resolved_value v = {
		.what = RESOLVED_SYMBOLS, .confidence = CONFIDENCE_IMPORT, .reason = "import"
	};

	const struct sym *found[MAX_CANDIDATES];
	size_t n = resolver_find_full_name(l, full, found, MAX_CANDIDATES);

	for (size_t i = 0; i < n && i < MAX_CANDIDATES; i++)
		resolved_add(l, &v, found[i]);
	if (!v.n)
		v.what = RESOLVED_UNKNOWN;
	return v;
}

/* A full name: a package, or a definition in one. */
static struct resolved_value by_name(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	const struct dialect *d = from->dialect;
	const char *mine = by_crate(l, from, module);

	if (!mine && word_list_has(&d->external, module, strcspn(module, ".")))
		return module_external();
	struct resolved_value v = module_symbols(l, mine ? mine : module);

	if (v.what)
		return v;
	if (mine) {
		if (!*mine || resolver_files_in_package(l, mine)->n)
			return module_package(arena_str(l->a, mine));
		return module_external();
	}
	if (resolver_files_in_package(l, module)->n)
		return module_package(arena_str(l->a, module));	/* it outlives the caller's text */
	if (!d->path_package)
		return module_external();
	/* a module below this one, or the crate of that name */
	size_t n = strcspn(module, ".");
	const char *below = NULL;
	if (from->package && *from->package)
		below = arena_join_dotted(l->a, from->package, module);
	if (below && (v = module_symbols(l, below)).what)
		return v;
	if (below && resolver_files_in_package(l, below)->n)
		return module_package(below);
	const struct file_list *list = resolver_files_by_stem(l, arena_strn(l->a, module, n));
	for (size_t i = 0; i < list->n; i++)
		if (related(from, list->v[i]) && list->v[i]->package &&
		    word_list_has(&d->index, list->v[i]->stem, strlen(list->v[i]->stem))) {
			const char *full = arena_printf(l->a, "%s%s", list->v[i]->package, module + n);
			v = module_symbols(l, full);
			if (v.what)
				return v;
			if (resolver_files_in_package(l, full)->n)
				return module_package(full);
			return module_external();
		}
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
		return module_find_path(
		    l, from, relative_path(l->a, from->dir, module), CONFIDENCE_IMPORT, "import");
	switch (d->scheme) {
	case SCHEME_PATH:
		return by_path(l, from, module);
	case SCHEME_DIRECTORY:
		return by_folder(l, module);
	case SCHEME_NAME:
		return by_name(l, from, module);
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
