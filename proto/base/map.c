#include "proto/base/map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"

enum { FIRST = 16 };

struct map_entry {
	const char *key;
	void *val;
	uint32_t hash;
};

/* Open addressing: a slot holds 1 + an index into `v`, or 0 if it is free. */
struct map {
	struct arena *keys;
	struct map_entry *v;
	size_t n, cap;
	uint32_t *slots;
	size_t mask;
};

static uint32_t hash(const char *s)	/* FNV-1a */
{
	uint32_t h = 2166136261u;

	while (*s)
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h;
}

struct map *map_new(void)
{
	struct map *m = xcalloc(1, sizeof *m);

	m->slots = xcalloc(FIRST, sizeof *m->slots);
	m->mask = FIRST - 1;
	m->keys = arena_new();
	return m;
}

void map_free(struct map *m)
{
	if (!m)
		return;
	arena_free(m->keys);
	free(m->v);
	free(m->slots);
	free(m);
}

static uint32_t *slot(const struct map *m, const char *key, uint32_t h)
{
	size_t i = h & m->mask;

	for (; m->slots[i]; i = (i + 1) & m->mask) {
		const struct map_entry *e = &m->v[m->slots[i] - 1];
		if (e->hash == h && !strcmp(e->key, key))
			break;
	}
	return &m->slots[i];
}

static void rehash(struct map *m)
{
	free(m->slots);
	m->mask = m->mask * 2 + 1;
	m->slots = xcalloc(m->mask + 1, sizeof *m->slots);
	for (size_t i = 0; i < m->n; i++)
		*slot(m, m->v[i].key, m->v[i].hash) = (uint32_t)i + 1;
}

void *map_get(const struct map *m, const char *key)
{
	uint32_t at = *slot(m, key, hash(key));

	if (at)
		return m->v[at - 1].val;
	return NULL;
}

void **map_at(struct map *m, const char *key)
{
	uint32_t h = hash(key), *s = slot(m, key, h);

	if (*s)
		return &m->v[*s - 1].val;
	m->v = grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	m->v[m->n++] = (struct map_entry){ arena_str(m->keys, key), NULL, h };
	*s = (uint32_t)m->n;
	if (m->n * 2 > m->mask)
		rehash(m);
	return &m->v[m->n - 1].val;
}

size_t map_len(const struct map *m)
{
	return m->n;
}

const char *map_key(const struct map *m, size_t i)
{
	return m->v[i].key;
}

void *map_val(const struct map *m, size_t i)
{
	return m->v[i].val;
}
