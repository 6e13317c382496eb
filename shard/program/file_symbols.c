#include "shard/program/file_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/module_paths.h"

static int by_qualified(const void *a, const void *b, void *arg)
{
	const struct sym *v = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int c = 0;

	if (v[x].qualified != v[y].qualified)
		c = strcmp(v[x].qualified, v[y].qualified);
	if (c)
		return c;
	return (x > y) - (x < y);
}

static const char *name_at(const struct file_symbols *u, size_t place)
{
	return u->v[u->order[place]].qualified;
}

static uint32_t hash_of(const char *name)
{
	uint32_t h = 2166136261u;	/* FNV-1a */

	for (const char *c = name; *c; c++)
		h = (h ^ (uint8_t)*c) * 16777619u;
	return h ^ h >> 15;
}

/* The slot of a qualified name, or the free one where it belongs. */
static uint32_t *slot(const struct file_symbols *u, const char *qualified)
{
	for (size_t i = hash_of(qualified);; i++) {
		uint32_t *at = &u->slots[i & (u->nslots - 1)];
		if (!*at || !strcmp(name_at(u, *at - 1), qualified))
			return at;
	}
}

static void make_slots(struct program *w, struct file_symbols *u)
{
	u->nslots = 2;
	while (u->nslots < u->n * 2)
		u->nslots *= 2;
	u->slots = arena_many(w->a, u->nslots, uint32_t);
	u->names = arena_many(w->a, u->nslots, uint8_t);
	for (size_t i = 0; i < u->n; i++) {
		uint32_t bit = hash_of(u->v[i].name) & (u->nslots * 8 - 1);
		u->names[bit / 8] |= (uint8_t)(1u << bit % 8);
		if (!i || strcmp(name_at(u, i), name_at(u, i - 1)))
			*slot(u, name_at(u, i)) = (uint32_t)i + 1;
	}
}

bool file_symbols_may_have(const struct file_symbols *u, const char *name)
{
	if (!u->nslots)
		return false;
	uint32_t bit = hash_of(name) & (u->nslots * 8 - 1);
	return u->names[bit / 8] >> bit % 8 & 1;
}

static void mark_receivers(const struct facts *x, struct file_symbols *u)
{
	for (size_t i = 0; i < x->locals.n; i++) {
		const struct local *l = &x->locals.v[i];
		if (l->definition >= 0 && !strcmp(l->name, RECEIVER_LOCAL))
			u->v[l->definition].has_receiver = true;
	}
}

static void take_definitions(
    struct program *w, const struct source_file *f, const struct facts *x, struct file_symbols *u)
{
	struct arena *a = arena_new();
	int8_t *least = arena_many(a, x->definitions.n + 1, int8_t),
	       *most = arena_many(a, x->definitions.n + 1, int8_t);

	facts_arity(x, least, most);
	u->n = x->definitions.n;
	u->v = arena_many(w->a, u->n, struct sym);
	u->order = arena_many(w->a, u->n, uint32_t);
	for (size_t i = 0; i < u->n; i++) {
		const struct definition *d = &x->definitions.v[i];
		u->order[i] = (uint32_t)i;
		u->v[i] = (struct sym){
			.name = program_intern(w, d->name),
			.qualified = program_intern(w, d->qualified),
			.type = program_intern(w, d->type),
			.value = program_intern(w, d->value),
			.file = f->place,
			.index = (int32_t)i,
			.parent = d->parent,
			.kind = (uint8_t)kind_of(d->kind),
			.owner = KINDS,
			.exported = d->exported,
			.test = d->test || f->test,
			.extends = signature_is_extension(d->signature),
			.least = least[i],
			.most = most[i],
			.number = (uint32_t)i + 1,
		};
		if (d->parent >= 0)
			u->v[i].owner = (uint8_t)kind_of(x->definitions.v[d->parent].kind);
	}
	mark_receivers(x, u);
	if (u->n)
		qsort_r(u->order, u->n, sizeof *u->order, by_qualified, u->v);
	make_slots(w, u);
	arena_free(a);
}

static void take_imports(struct program *w, const struct facts *x, struct file_symbols *u)
{
	u->nimports = x->imports.n;
	u->imports = arena_many(w->a, x->imports.n, struct import);
	for (size_t i = 0; i < x->imports.n; i++) {
		u->imports[i] = x->imports.v[i];
		u->imports[i].module = program_intern(w, u->imports[i].module);
		u->imports[i].name = program_intern(w, u->imports[i].name);
		u->imports[i].alias = program_intern(w, u->imports[i].alias);
	}
}

static void take_bases(struct program *w, const struct facts *x, struct file_symbols *u)
{
	u->nbases = x->bases.n;
	u->bases = arena_many(w->a, x->bases.n, struct base_type);
	for (size_t i = 0; i < x->bases.n; i++) {
		u->bases[i] = x->bases.v[i];
		u->bases[i].type = program_intern(w, u->bases[i].type);
	}
}

static int by_definition(const void *a, const void *b)
{
	const struct local *x = a, *y = b;

	if (x->definition != y->definition)
		return (x->definition > y->definition) - (x->definition < y->definition);
	return (x->line > y->line) - (x->line < y->line);
}

static void take_locals(struct program *w, const struct facts *x, struct file_symbols *u)
{
	struct arena *a = arena_new();
	bool *shared = facts_shared_locals(x, a);

	for (size_t i = 0; i < x->locals.n; i++)
		u->nlocals += shared[i];
	u->locals = arena_many(w->a, u->nlocals, struct local);
	u->nlocals = 0;
	for (size_t i = 0; i < x->locals.n; i++) {
		if (!shared[i])
			continue;
		struct local *l = &u->locals[u->nlocals++];
		*l = x->locals.v[i];
		l->name = program_intern(w, l->name);
		l->type = program_intern(w, l->type);
		l->value = program_intern(w, l->value);
	}
	if (u->nlocals)
		qsort(u->locals, u->nlocals, sizeof *u->locals, by_definition);
	u->assigned = arena_many(w->a, u->nlocals, uint32_t);
	for (size_t i = 0; i < u->nlocals; i++)
		if (local_field(&u->locals[i]))
			u->assigned[u->nassigned++] = (uint32_t)i;
	arena_free(a);
}

struct file_symbols *file_symbols_new(
    struct program *w, const struct source_file *f, const struct facts *x)
{
	struct file_symbols *u = arena_one(w->a, struct file_symbols);

	take_definitions(w, f, x, u);
	take_imports(w, x, u);
	take_bases(w, x, u);
	take_locals(w, x, u);
	return u;
}

/* Compare a name to the first `n` bytes of `text` followed by a dot. */
static int compare(const char *name, const char *text, size_t n)
{
	int c = strncmp(name, text, n);

	if (c)
		return c;
	return (unsigned char)name[n] - '.';
}

const uint32_t *file_symbols_find(const struct file_symbols *u, const char *qualified, size_t *n)
{
	*n = 0;
	if (!u->nslots)		/* a file that could not be read */
		return NULL;
	size_t at = *slot(u, qualified), end = at;
	if (!at)
		return NULL;
	while (end < u->n && !strcmp(name_at(u, end), qualified))
		end++;
	*n = end - (at - 1);
	return &u->order[at - 1];
}

const uint32_t *file_symbols_find_members(
    const struct file_symbols *u, const char *qualified, size_t *n)
{
	size_t lo = 0, hi = u->n, len = strlen(qualified);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (compare(name_at(u, mid), qualified, len) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (hi < u->n && !compare(name_at(u, hi), qualified, len))
		hi++;
	*n = hi - lo;
	if (!*n)
		return NULL;
	return &u->order[lo];
}

size_t file_symbols_first_local(const struct file_symbols *u, int definition)
{
	size_t lo = 0, hi = u->nlocals;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (u->locals[mid].definition < definition)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
