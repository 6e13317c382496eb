#include "shard/program/module_paths.h"

#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/kinds.h"
#include "shard/facts/facts.h"
#include "shard/program/module_rules.h"

static const char *dir_of(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');

	return arena_strn(a, path, slash ? (size_t)(slash - path) : 0);
}

/* users.test.ts -> users.test; users.d.ts -> users */
static const char *stem_of(const char *name, struct arena *a)
{
	const char *dot = strrchr(name, '.');
	size_t n = dot && dot != name ? (size_t)(dot - name) : strlen(name);

	if (n > 2 && !strncmp(name + n - 2, ".d", 2))
		n -= 2;
	return arena_strn(a, name, n);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void module_paths_of(
    const char *path, const struct dialect *d, struct arena *a, struct module_paths *out)
{
	*out = (struct module_paths){ .dir = dir_of(path, a), .stem = stem_of(base_name(path), a) };
	out->paths[out->npaths++] = path;
	const char *bare = *out->dir ? arena_printf(a, "%s/%s", out->dir, out->stem) : out->stem;
	if (strcmp(bare, path))
		out->paths[out->npaths++] = bare;
	out->words[out->nwords++] = out->stem;
	if (d && word_list_has(&d->index, out->stem, strlen(out->stem))) {
		out->paths[out->npaths++] = out->dir;
		out->words[out->nwords++] = base_name(out->dir);
	}
}

/*
 * `crates/db/src/users/mod.rs` -> crates.db.users: folders of source roots left out, as index
 * files are.
 */
static const char *package_by_path(const char *path, const struct dialect *d, struct arena *a)
{
	struct module_paths l;

	module_paths_of(path, d, a, &l);
	char *out = arena_str(a, l.paths[l.npaths - 1] == path ? l.stem : l.paths[l.npaths - 1]),
	     *w = out;
	for (const char *r = out; *r;) {
		size_t n = strcspn(r, "/");
		const char *next = r + n + (r[n] == '/');
		if (!word_list_has(&d->roots, r, n)) {
			if (w != out)
				*w++ = '.';
			memmove(w, r, n);
			for (; n; n--, w++) {
				if (*w == '-' || *w == '.')
					*w = '_';
			}
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

bool *facts_shared_locals(const struct facts *f, struct arena *a)
{
	bool *function = arena_many(a, f->definitions.n + 1, bool),
	     *out = arena_many(a, f->locals.n + 1, bool);

	for (size_t i = 0; i < f->definitions.n; i++)
		function[i] = f->definitions.v[i].value &&
		    kind_is_callable(kind_of(f->definitions.v[i].kind));
	for (size_t i = 0; i < f->locals.n; i++)
		if (local_field(&f->locals.v[i]))
			function[f->locals.v[i].definition] = true;
	for (size_t i = 0; i < f->locals.n; i++)
		out[i] = f->locals.v[i].definition < 0 || function[f->locals.v[i].definition] ||
		    !strcmp(f->locals.v[i].name, GENERICS_LOCAL) ||
		    !strcmp(f->locals.v[i].name, RECEIVER_LOCAL);
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
			most[x->definition] = -1;	/* may be a list of any number */
		else if (!x->value)
			least[x->definition]++;
	}
	for (size_t i = 0; i < f->definitions.n; i++)
		least[i] -= least[i] && signature_is_extension(f->definitions.v[i].signature);
}
