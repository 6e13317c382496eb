#include "shard/program/file_interface.h"

#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/map.h"
#include "shard/base/kinds.h"
#include "shard/facts/facts.h"
#include "shard/program/module_paths.h"
#include "shard/program/module_rules.h"

struct interface_builder {
	struct map *map;
	struct arena *a;
	const char *path;
	const struct dialect *dialect;
	const struct facts *facts;
	const char *package;
};

/* FNV-1a, including the end of the string. */
static uint64_t mix(uint64_t h, const char *s)
{
	if (!s)
		s = "\1";
	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 1099511628211u;
	return (h ^ 0xff) * 1099511628211u;
}

static uint64_t mix_number(uint64_t h, int64_t n)
{
	for (int i = 0; i < 8; i++) {
		h = (h ^ (uint8_t)n) * 1099511628211u;
		n >>= 8;
	}
	return h;
}

/* The hash of a key.  It begins with the hash of the path, so that a moved file differs. */
static uint64_t *key_hash_slot(struct interface_builder *o, const char *key)
{
	void **at = map_at(o->map, key);

	if (!*at) {
		*at = arena_one(o->a, uint64_t);
		*(uint64_t *)*at = mix(14695981039346656037u, o->path);
	}
	return *at;
}

static void add(struct interface_builder *o, const char *key, uint64_t what)
{
	uint64_t *at = key_hash_slot(o, key);

	*at = mix_number(*at, (int64_t)what);
}

static const char *qualified_of(const struct facts *f, int definition)
{
	if (definition < 0)
		return "";
	return f->definitions.v[definition].qualified;
}

static void add_package_keys(struct interface_builder *o)
{
	if (!o->package)
		return;
	if (!*o->package)
		add(o, "k:", 0);
	char *part = arena_str(o->a, o->package);
	for (size_t n = strlen(part); n; n--) {
		if (part[n] && part[n] != '.' && part[n] != '/')
			continue;
		part[n] = 0;
		add(o, arena_printf(o->a, "k:%s", part), n);
	}
}

static void add_path_keys(struct interface_builder *o)
{
	struct module_paths l;

	module_paths_of(o->path, o->dialect, o->a, &l);
	for (size_t i = 0; i < l.npaths; i++)
		key_hash_slot(o, arena_printf(o->a, "p:%s", l.paths[i]));
	for (size_t i = 0; i < l.nwords; i++)
		add(o, arena_printf(o->a, "s:%s", l.words[i]), mix(1, o->package));
	add(o, arena_printf(o->a, "d:%s", l.dir), mix(1, o->package));
	add_package_keys(o);
}

static const char *kind_of_parent(const struct facts *f, int parent)
{
	if (parent < 0)
		return "";
	return f->definitions.v[parent].kind;
}

/* A hash of everything that a lookup sees of a definition. */
static uint64_t hash_definition(const struct facts *f, size_t i, int least, int most)
{
	const struct definition *d = &f->definitions.v[i];
	uint64_t h = mix(mix(mix(1, d->qualified), d->kind), d->type);

	h = mix_number(mix(h, d->value), (d->exported << 1) | d->test);
	h = mix_number(h, (least + 1) * 1000 + most);
	h = mix(h, qualified_of(f, d->parent));
	return mix(h, kind_of_parent(f, d->parent));
}

static const char *full_name_key(const struct interface_builder *o, const char *qualified)
{
	if (o->package && *o->package)
		return arena_printf(o->a, "q:%s.%s", o->package, qualified);
	return arena_printf(o->a, "q:%s", qualified);
}

/* The keys of a definition in folder `dir`, of which lookups see the hash `h`. */
static void add_keys_of(
    struct interface_builder *o, const struct definition *d, const char *dir, uint64_t h)
{
	add(o, arena_printf(o->a, "m:%s#%s", o->path, d->qualified), h);
	add(o, arena_printf(o->a, "u:%s#%s", dir, d->qualified), h);
	add(o, full_name_key(o, d->qualified), mix(h, o->package));
	add(o, arena_printf(o->a, "n:%s", d->name), mix(h, o->package));
	if (d->parent < 0 && d->exported)
		add(o, arena_printf(o->a, "x:%s", o->path), h);
	const char *dot = strrchr(d->qualified, '.');
	if (!dot)
		return;
	const char *owner = arena_strn(o->a, d->qualified, (size_t)(dot - d->qualified));
	add(o, arena_printf(o->a, "t:%s#%s", o->path, owner), h);
	if (o->dialect && o->dialect->structural)
		add(o, arena_printf(o->a, "o:%s#%s", dir, owner), h);
}

static void add_definition_keys(struct interface_builder *o)
{
	const struct facts *f = o->facts;
	int8_t *least = arena_many(o->a, f->definitions.n + 1, int8_t),
	       *most = arena_many(o->a, f->definitions.n + 1, int8_t);
	struct module_paths l;

	module_paths_of(o->path, o->dialect, o->a, &l);
	facts_arity(f, least, most);
	for (size_t i = 0; i < f->definitions.n; i++)
		add_keys_of(o, &f->definitions.v[i], l.dir, hash_definition(f, i, least[i], most[i]));
}

static void add_scope_keys(struct interface_builder *o)
{
	const struct facts *f = o->facts;
	bool *shared = facts_shared_locals(f, o->a);
	uint64_t *at = key_hash_slot(o, arena_printf(o->a, "i:%s", o->path));

	*at = mix(*at, o->package);
	for (size_t i = 0; i < f->imports.n; i++) {
		const struct import *x = &f->imports.v[i];
		*at = mix(mix(mix(mix(*at, x->module), x->name), x->alias), qualified_of(f, x->definition));
		*at = mix_number(*at, x->again * 2 + x->include);
	}
	for (size_t i = 0; i < f->locals.n; i++) {
		const struct local *x = &f->locals.v[i];
		if (shared[i])
			*at = mix(
			    mix(mix(mix(*at, x->name), x->type), x->value), qualified_of(f, x->definition));
	}
	for (size_t i = 0; i < f->bases.n; i++) {
		const struct base_type *b = &f->bases.v[i];
		add(o, arena_printf(o->a, "t:%s#%s", o->path, qualified_of(f, b->definition)),
		    mix_number(mix(1, b->type), b->relation));
	}
}

struct map *file_interface_keys(
    const char *path, const char *language, const struct facts *f, struct arena *a)
{
	struct interface_builder o = { .map = map_new(), .a = a, .path = path, .facts = f };

	if (!dialects_read(NULL))
		o.dialect = dialect_find(language);
	o.package = module_paths_package(path, f->package, o.dialect, a);
	add_path_keys(&o);
	add_definition_keys(&o);
	add_scope_keys(&o);
	return o.map;
}
