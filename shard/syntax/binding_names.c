#include "proto/base/arena.h"
#include "shard/syntax/syntax_tree.h"

static uint32_t hash_of(const char *name, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619u;
	return h ^ h >> 15;
}

void bindings_index(struct syntax_tree *t)
{
	size_t n = t->bindings.n, places = 4;

	while (places < n)
		places *= 2;
	if (!n)
		return;
	t->named.mask = (uint32_t)places - 1;
	t->named.first = arena_many(t->arena, places, uint32_t);
	t->named.next = arena_many(t->arena, n + 1, uint32_t);
	memset(t->named.first, 0, places * sizeof *t->named.first);
	for (size_t i = n; i; i--) {
		const char *name = t->bindings.v[i - 1].name;
		uint32_t *first = &t->named.first[hash_of(name, strlen(name)) & t->named.mask];
		t->named.next[i] = *first;
		*first = (uint32_t)i;
	}
}

const struct binding *binding_named(
    const struct syntax_tree *t, const char *name, size_t n, const struct binding *last)
{
	uint32_t i;

	if (!t->bindings.n)
		return NULL;
	if (last)
		i = t->named.next[last - t->bindings.v + 1];
	else
		i = t->named.first[hash_of(name, n) & t->named.mask];
	while (i) {
		const struct binding *b = &t->bindings.v[i - 1];
		if (!strncmp(b->name, name, n) && !b->name[n])
			return b;
		i = t->named.next[i];
	}
	return NULL;
}
