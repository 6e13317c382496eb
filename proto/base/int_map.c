#include "proto/base/int_map.h"

#include <stdlib.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"

enum { FIRST = 64 };

struct int_map_entry {
	uint64_t key;
	void *val;
};

/* Open addressing: a slot holds 1 + an index into `v`, or 0 if it is free. */
struct int_map {
	struct int_map_entry *v;
	size_t n, cap;
	uint32_t *slots;
	size_t mask;
};

struct int_map *int_map_new(void)
{
	struct int_map *m = xcalloc(1, sizeof *m);

	m->slots = xcalloc(FIRST, sizeof *m->slots);
	m->mask = FIRST - 1;
	return m;
}

void int_map_free(struct int_map *m)
{
	if (!m)
		return;
	free(m->v);
	free(m->slots);
	free(m);
}

static uint32_t *slot(const struct int_map *m, uint64_t key)
{
	size_t i = (key * 0x9e3779b97f4a7c15u >> 32) & m->mask;

	while (m->slots[i] && m->v[m->slots[i] - 1].key != key)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

static void int_map_grow(struct int_map *m)
{
	free(m->slots);
	m->mask = m->mask * 2 + 1;
	m->slots = xcalloc(m->mask + 1, sizeof *m->slots);
	for (size_t i = 0; i < m->n; i++)
		*slot(m, m->v[i].key) = (uint32_t)i + 1;
}

void **int_map_at(struct int_map *m, uint64_t key)
{
	uint32_t *at = slot(m, key);

	if (*at)
		return &m->v[*at - 1].val;
	if (m->n * 2 > m->mask) {
		int_map_grow(m);
		at = slot(m, key);
	}
	m->v = grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	m->v[m->n++] = (struct int_map_entry){ key, NULL };
	*at = (uint32_t)m->n;
	return &m->v[m->n - 1].val;
}

void *int_map_get(const struct int_map *m, uint64_t key)
{
	uint32_t at = *slot(m, key);

	if (at)
		return m->v[at - 1].val;
	return NULL;
}

size_t int_map_len(const struct int_map *m)
{
	return m->n;
}

void *int_map_val(const struct int_map *m, size_t i)
{
	return m->v[i].val;
}
