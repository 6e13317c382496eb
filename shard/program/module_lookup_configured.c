#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/relative_path.h"
#include "shard/program/name_resolution.h"

/*
 * Modules that a configuration calls otherwise: tsconfig.json's `paths`, `baseUrl`.  The nearest
 * folder counts that leads to a file; what is extended is found there too, as far as it is of this
 * repository and above.
 */

enum { MOST_CONFIGS = 16 };

/*
 * Whether the pattern, with one `*` at most, means the module; `*star` and `*n` are what the star
 * stands for.
 */
static bool fits(const char *pattern, const char *module, const char **star, size_t *n)
{
	size_t before = strcspn(pattern, "*"), len = strlen(module),
	       behind = pattern[before] ? strlen(pattern + before + 1) : 0;

	if (!pattern[before])
		return !strcmp(pattern, module);
	*star = module + before;
	*n = len - before - behind;
	return len >= before + behind && !strncmp(pattern, module, before) &&
	    !strcmp(module + len - behind, pattern + before + 1);
}

/* The pattern of a configuration that says most of the module; NULL: none means it. */
static const char *best_pattern(const struct file_symbols *u, const char *module)
{
	const char *best = NULL, *star;
	size_t n;

	for (size_t i = 0; i < u->nimports; i++) {
		const char *alias = u->imports[i].alias;
		if (!alias || !fits(alias, module, &star, &n))
			continue;
		if (!strchr(alias, '*'))
			return alias;
		if (!best || strcspn(alias, "*") > strcspn(best, "*"))
			best = alias;
	}
	return best;
}

/* The first target of the pattern that is there. */
static struct resolved_value by_pattern(struct name_resolver *l, struct source_file *from,
    struct source_file *config, const char *pattern, const char *module)
{
	const struct file_symbols *u = resolver_file_scope(l, config);
	const char *star = "";
	size_t n = 0;
	struct resolved_value v = { 0 };

	fits(pattern, module, &star, &n);
	for (size_t i = 0; i < u->nimports && !v.what; i++) {
		const char *target = u->imports[i].module;
		size_t before = strcspn(target, "*");
		if (!u->imports[i].alias || strcmp(u->imports[i].alias, pattern))
			continue;
		const char *path = arena_printf(l->a, "%.*s%.*s%s", (int)before, target,
		    target[before] ? (int)n : 0, star, target + before + (target[before] != 0));
		v = module_find_path(
		    l, from, relative_path(l->a, config->dir, path), CONFIDENCE_IMPORT, "import");
	}
	return v;
}

/* Whether the file is in the folder, or below it. */
static bool is_below(const struct source_file *from, const char *dir)
{
	size_t n = strlen(dir);

	return !n || (!strncmp(from->dir, dir, n) && (!from->dir[n] || from->dir[n] == '/'));
}

/*
 * The configurations around a file, the deepest folder first, in a folder as the table has their
 * names; how many.
 */
static size_t configs_around(
    struct name_resolver *l, const struct source_file *from, struct source_file **v, size_t most)
{
	const struct word_list *stems = &from->dialect->configs;
	size_t n = 0;

	for (size_t i = 0; i < stems->n; i++) {
		const struct file_list *list = resolver_files_by_stem(l, stems->v[i]);
		for (size_t k = 0; k < list->n && n < most; k++) {
			size_t at = n;
			if (list->v[k]->dialect || !is_below(from, list->v[k]->dir))
				continue;
			for (; at && strlen(v[at - 1]->dir) < strlen(list->v[k]->dir); at--)
				v[at] = v[at - 1];
			v[at] = list->v[k];
			n++;
		}
	}
	return n;
}

struct resolved_value module_find_configured(
    struct name_resolver *l, struct source_file *from, const char *module)
{
	struct source_file *config[MOST_CONFIGS];
	size_t n = configs_around(l, from, config, MOST_CONFIGS);
	struct resolved_value v = { 0 };

	for (size_t i = 0; i < n && !v.what; i++) {
		const char *pattern = best_pattern(resolver_file_scope(l, config[i]), module);
		if (pattern)
			v = by_pattern(l, from, config[i], pattern, module);
	}
	return v;
}
