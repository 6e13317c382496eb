#include "proto/base/int_map.h"

#include <stdlib.h>

#include "proto/base/buf.h"

enum { FIRST = 64 };

struct entry {
	uint64_t key;
	void *val;
};

/* Open addressing over indices (+1; 0 is free) into an array in insertion order. */
struct numbers {
	struct entry *v;
	size_t n, cap;
	uint32_t *slots;
	size_t mask;
};

static uint32_t *slots_new(size_t n)
{
	uint32_t *slots = calloc(n, sizeof *slots);

	if (!slots)
		abort();
	return slots;
}

struct numbers *numbers_new(void)
{
	struct numbers *m = calloc(1, sizeof *m);

	if (!m)
		abort();
	m->slots = slots_new(FIRST);
	m->mask = FIRST - 1;
	return m;
}

void numbers_free(struct numbers *m)
{
	if (!m)
		return;
	free(m->v);
	free(m->slots);
	free(m);
}

static uint32_t *slot(const struct numbers *m, uint64_t key)
{
	size_t i = (key * 0x9e3779b97f4a7c15u >> 32) & m->mask;

	while (m->slots[i] && m->v[m->slots[i] - 1].key != key)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

static void widen(struct numbers *m)
{
	free(m->slots);
	m->mask = m->mask * 2 + 1;
	m->slots = slots_new(m->mask + 1);
	for (size_t i = 0; i < m->n; i++)
		*slot(m, m->v[i].key) = (uint32_t)i + 1;
}

void **numbers_at(struct numbers *m, uint64_t key)
{
	uint32_t *at = slot(m, key);

	if (!*at) {
		if (m->n * 2 > m->mask) {
			widen(m);
			at = slot(m, key);
		}
		m->v = grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
		m->v[m->n++] = (struct entry){ key, NULL };
		*at = (uint32_t)m->n;
	}
	return &m->v[*at - 1].val;
}

size_t numbers_len(const struct numbers *m)
{
	return m->n;
}

void *numbers_val(const struct numbers *m, size_t i)
{
	return m->v[i].val;
}
