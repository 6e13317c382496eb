#include "shard/program/module_paths.h"

#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/kinds.h"
#include "shard/facts/facts.h"
#include "shard/program/module_rules.h"

static const char *dir_of(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return "";
	return arena_strn(a, path, (size_t)(slash - path));
}

/* users.test.ts -> users.test; users.d.ts -> users */
static const char *stem_of(const char *name, struct arena *a)
{
	const char *dot = strrchr(name, '.');
	size_t n = strlen(name);

	if (dot && dot != name)
		n = (size_t)(dot - name);
	if (n > 2 && !strncmp(name + n - 2, ".d", 2))
		n -= 2;
	return arena_strn(a, name, n);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return path;
	return slash + 1;
}

void module_paths_of(
    const char *path, const struct dialect *d, struct arena *a, struct module_paths *out)
{
	*out = (struct module_paths){ .dir = dir_of(path, a), .stem = stem_of(base_name(path), a) };
	out->paths[out->npaths++] = path;
	const char *bare = out->stem;
	if (*out->dir)
		bare = arena_printf(a, "%s/%s", out->dir, out->stem);
	if (strcmp(bare, path))
		out->paths[out->npaths++] = bare;
	out->words[out->nwords++] = out->stem;
	if (d && word_list_has(&d->index, out->stem, strlen(out->stem))) {
		out->paths[out->npaths++] = out->dir;
		out->words[out->nwords++] = base_name(out->dir);
	}
}

static void replace_separators(char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] == '-' || s[i] == '.')
			s[i] = '_';
}

/*
 * `crates/db/src/users/mod.rs` -> crates.db.users: without the folders of source roots and without
 * index files.
 */
static const char *package_by_path(const char *path, const struct dialect *d, struct arena *a)
{
	struct module_paths l;

	module_paths_of(path, d, a, &l);
	const char *module = l.paths[l.npaths - 1];
	if (module == path)
		module = l.stem;
	char *out = arena_str(a, module), *w = out;
	const char *r = out;
	while (*r) {
		size_t n = strcspn(r, "/");
		const char *next = r + n + (r[n] == '/');
		if (!word_list_has(&d->roots, r, n)) {
			if (w != out)
				*w++ = '.';
			memmove(w, r, n);
			replace_separators(w, n);
			w += n;
		}
		r = next;
	}
	*w = 0;
	return out;
}

const char *module_paths_package(
    const char *path, const char *declared, const struct dialect *d, struct arena *a)
{
	if (d && d->path_package)
		return package_by_path(path, d, a);
	if (declared && *declared)
		return declared;
	return NULL;
}

/* Whether a local is shared; `function`: which definitions share all their locals. */
static bool is_shared(const struct local *x, const bool *function)
{
	if (x->definition < 0 || function[x->definition])
		return true;
	return !strcmp(x->name, GENERICS_LOCAL) || !strcmp(x->name, RECEIVER_LOCAL) ||
	    !strcmp(x->name, BLOCK_LOCAL);
}

bool *facts_shared_locals(const struct facts *f, struct arena *a)
{
	bool *function = arena_many(a, f->definitions.n + 1, bool),
	     *out = arena_many(a, f->locals.n + 1, bool);

	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		function[i] = d->value && kind_is_callable(kind_of(d->kind));
	}
	for (size_t i = 0; i < f->locals.n; i++)
		if (local_field(&f->locals.v[i]))
			function[f->locals.v[i].definition] = true;
	for (size_t i = 0; i < f->locals.n; i++)
		out[i] = is_shared(&f->locals.v[i], function);
	return out;
}

bool signature_is_extension(const char *signature)
{
	return signature && strstr(signature, "(this ");
}

void facts_arity(const struct facts *f, int8_t *least, int8_t *most)
{
	for (size_t i = 0; i < f->definitions.n; i++)
		least[i] = most[i] = 0;
	for (size_t i = 0; i < f->locals.n; i++) {
		const struct local *x = &f->locals.v[i];
		if (!x->parameter || x->definition < 0 || most[x->definition] == 100)
			continue;
		if (most[x->definition] >= 0)
			most[x->definition]++;
		if (x->type && !strncmp(x->type, "[]", 2))
			most[x->definition] = -1;	/* a list, which may be variadic */
		else if (!x->value)
			least[x->definition]++;
	}
	for (size_t i = 0; i < f->definitions.n; i++)
		least[i] -= least[i] && signature_is_extension(f->definitions.v[i].signature);
}
