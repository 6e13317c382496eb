/* The files that a package.json names for what imports of the package mean. */
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/yaml_flat.h"
#include "shard/facts/facts.h"
#include "shard/manifests/module_names.h"

enum { MAX_ENTRIES = 200, LARGEST = 1 << 18 };

struct entry_reader {
	struct arena *a;
	struct facts *out;
};

/* Conditions of `exports`: what is below them belongs to the path above. */
static const char *const conditions[] = {"import", "require", "default", "types", "node",
	"browser", "module", "deno", "bun", "worker", "react-native", "development", "production",
	"edge-light", "source"};

/* Keys with the file of the whole package, the best first. */
static const char *const mains[] = { "source", "module", "main", "types", "typings" };

static bool is_condition(const char *word)
{
	for (size_t i = 0; i < LEN(conditions); i++)
		if (!strcmp(word, conditions[i]))
			return true;
	return false;
}

static void add_entry(struct entry_reader *x, const char *alias, const struct flat_entry *v)
{
	const char *path = v->value;

	if (!strncmp(path, "./", 2))
		path += 2;
	if (!*path || strstr(path, "..") || x->out->imports.n == MAX_ENTRIES)
		return;
	x->out->imports.v[x->out->imports.n++] = (struct import){
		.module = path,
		.alias = alias,
		.definition = -1,
		.line = v->line,
	};
}

/* The path below the package that a key of `exports` is about: "." for the package itself. */
static const char *exported_path(struct arena *a, const char *key)
{
	char *path = arena_str(a, key + strlen("exports")), *dot;

	path += *path == '.';
	path[strcspn(path, "[")] = 0;	/* alternatives */
	for (dot = strrchr(path, '.'); dot && is_condition(dot + 1); dot = strrchr(path, '.'))
		*dot = 0;
	if (!*path || is_condition(path))
		return ".";
	return path;
}

static void entries_read(void *arg, const struct flat_entry *v, size_t n)
{
	struct entry_reader *x = arg;

	x->out->imports.v = arena_many(x->a, MAX_ENTRIES, struct import);
	x->out->imports.n = 0;
	for (size_t i = 0; i < n; i++)
		if (!strncmp(v[i].key, "exports", 7) && strchr(".[", v[i].key[7]))
			add_entry(x, exported_path(x->a, v[i].key), &v[i]);
	for (size_t k = 0; k < LEN(mains); k++)
		for (size_t i = 0; i < n; i++)
			if (!strcmp(v[i].key, mains[k]))
				add_entry(x, ".", &v[i]);
}

void module_entries_read(const char *text, size_t n, struct arena *a, struct facts *out)
{
	static const char *const keys[] = { "\"exports\"", "\"main\"", "\"module\"", "\"types\"" };
	struct entry_reader x = { a, out };
	struct err ignored = { 0 };	/* a broken file has no entries */
	bool any = false;

	if (n > LARGEST || !out->package || out->imports.n)
		return;
	for (size_t i = 0; i < LEN(keys); i++)
		any |= memmem(text, n, keys[i], strlen(keys[i])) != NULL;
	if (any)
		flat_read(text, n, a, entries_read, &x, &ignored);
}
