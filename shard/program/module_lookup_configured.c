#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/relative_path.h"
#include "shard/program/name_resolution.h"

/*
 * Modules that a configuration renames: tsconfig.json's `paths` and `baseUrl`.  The nearest
 * configuration that leads to a file counts.  A configuration that it extends is found as well, if
 * it is in this repository and in a folder above.
 */

enum { MAX_CONFIGS = 16 };

/*
 * Whether the pattern, which contains at most one `*`, matches the module.  `*star` and `*n` are
 * the bytes that the star matches; they are not set if there is no star.
 */
static bool matches(const char *pattern, const char *module, const char **star, size_t *n)
{
	size_t before = strcspn(pattern, "*"), len = strlen(module);

	if (!pattern[before])
		return !strcmp(pattern, module);
	size_t after = strlen(pattern + before + 1);
	if (len < before + after || strncmp(pattern, module, before))
		return false;
	*star = module + before;
	*n = len - before - after;
	return !strcmp(module + len - after, pattern + before + 1);
}

/* The pattern of a configuration with the longest match before its star; NULL if none matches. */
static const char *best_pattern(const struct file_symbols *u, const char *module)
{
	const char *best = NULL, *star;
	size_t n;

	for (size_t i = 0; i < u->nimports; i++) {
		const char *alias = u->imports[i].alias;
		if (!alias || !matches(alias, module, &star, &n))
			continue;
		if (!strchr(alias, '*'))
			return alias;
		if (!best || strcspn(alias, "*") > strcspn(best, "*"))
			best = alias;
	}
	return best;
}

/* Finds the file of a target, a path that is relative to the folder of the configuration. */
typedef struct resolved_value (*target_finder)(struct name_resolver *, struct source_file *from,
    const struct source_file *config, const char *target);

static struct resolved_value find_target(struct name_resolver *l, struct source_file *from,
    const struct source_file *config, const char *target)
{
	return module_find_path(
	    l, from, relative_path(l->a, config->dir, target), CONFIDENCE_IMPORT, "import");
}

/* `dist/index.d.ts` without `.d.ts`. */
static const char *without_endings(struct arena *a, const char *path)
{
	size_t n = strlen(path), last = n;

	while (last && path[last - 1] != '/')
		last--;
	const char *dot = strrchr(path + last, '.');
	if (dot && dot > path + last)
		n = (size_t)(dot - path);
	if (n > last + 2 && !strncmp(path + n - 2, ".d", 2))
		n -= 2;
	return arena_strn(a, path, n);
}

/*
 * The file of a package that a build makes of its sources: dist/esm/index.js is src/index.ts, or
 * lib/index.js.
 */
static struct resolved_value find_source(struct name_resolver *l, struct source_file *from,
    const struct source_file *manifest, const char *target)
{
	const struct word_list *roots = &from->dialect->roots;
	const char *bare = without_endings(l->a, target);
	struct resolved_value v = find_target(l, from, manifest, target);

	if (!v.what)
		v = find_target(l, from, manifest, bare);
	for (const char *tail = strchr(bare, '/'); tail && !v.what; tail = strchr(tail + 1, '/')) {
		for (size_t i = 0; i < roots->n && !v.what; i++)
			v = find_target(l, from, manifest, arena_printf(l->a, "%s%s", roots->v[i], tail));
		if (!v.what)
			v = find_target(l, from, manifest, tail + 1);
	}
	return v;
}

/* A target of a pattern, with the matched bytes in place of its star. */
static const char *replace_star(struct arena *a, const char *target, const char *star, size_t n)
{
	size_t before = strcspn(target, "*");

	if (!target[before])
		return target;
	return arena_printf(a, "%.*s%.*s%s", (int)before, target, (int)n, star, target + before + 1);
}

/* The first target of the pattern that exists, by `find`. */
static struct resolved_value by_pattern(struct name_resolver *l, struct source_file *from,
    struct source_file *config, const char *pattern, const char *module, target_finder find)
{
	const struct file_symbols *u = resolver_file_scope(l, config);
	const char *star = "";
	size_t n = 0;
	struct resolved_value v = { 0 };

	matches(pattern, module, &star, &n);
	for (size_t i = 0; i < u->nimports && !v.what; i++) {
		const struct import *x = &u->imports[i];
		if (!x->alias || strcmp(x->alias, pattern))
			continue;
		const char *path = replace_star(l->a, x->module, star, n);
		v = find(l, from, config, path);
	}
	return v;
}

/* Whether the file is in the folder, or below it. */
static bool is_below(const struct source_file *from, const char *dir)
{
	size_t n = strlen(dir);

	if (!n)
		return true;
	return !strncmp(from->dir, dir, n) && (!from->dir[n] || from->dir[n] == '/');
}

/* Insert a configuration behind those of deeper folders and of the same depth. */
static void insert_config(struct source_file **v, size_t n, struct source_file *config)
{
	while (n && strlen(v[n - 1]->dir) < strlen(config->dir)) {
		v[n] = v[n - 1];
		n--;
	}
	v[n] = config;
}

/*
 * The configurations around a file: deepest folder first, in one folder in the order of the
 * dialect's names.  Returns how many there are.
 */
static size_t configs_around(
    struct name_resolver *l, const struct source_file *from, struct source_file **v, size_t max)
{
	const struct word_list *stems = &from->dialect->configs;
	size_t n = 0;

	for (size_t i = 0; i < stems->n; i++) {
		const struct file_list *list = resolver_files_by_stem(l, stems->v[i]);
		for (size_t k = 0; k < list->n && n < max; k++)
			if (!list->v[k]->dialect && is_below(from, list->v[k]->dir))
				insert_config(v, n++, list->v[k]);
	}
	return n;
}

struct resolved_value module_find_configured(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	struct source_file *config[MAX_CONFIGS];
	size_t n = configs_around(l, from, config, MAX_CONFIGS);
	struct resolved_value v = { 0 };

	for (size_t i = 0; i < n && !v.what; i++) {
		const char *pattern = best_pattern(resolver_file_scope(l, config[i]), module);
		if (pattern)
			v = by_pattern(l, from, config[i], pattern, module, find_target);
	}
	return v;
}

struct resolved_value module_find_entry(struct name_resolver *l, struct source_file *from,
    struct source_file *manifest, const char *rest)
{
	const char *path = ".", *pattern;

	if (*rest)
		path = arena_printf(l->a, "./%s", rest);
	pattern = best_pattern(resolver_file_scope(l, manifest), path);
	if (pattern)
		return by_pattern(l, from, manifest, pattern, path, find_source);
	if (*rest)
		return find_source(l, from, manifest, rest);
	return resolved_unknown();
}
