#include "shard/base/string_pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"

enum { FIRST_SIZE = 1024, CHUNK_BYTES = 1 << 16 };

/*
 * A hash table with open addressing, at most three quarters full.  The hashes are stored beside the
 * strings, so that unequal strings are rarely compared.
 */
struct string_pool {
	const char **v;
	uint32_t *hashes;
	size_t n, size;
	char **chunks;
	size_t nchunks, cap;
	char *at;		/* the free bytes of the last chunk */
	size_t left;
};

static void make_slots(struct string_pool *t, size_t size)
{
	t->size = size;
	t->v = xcalloc(size, sizeof *t->v);
	t->hashes = xcalloc(size, sizeof *t->hashes);
}

struct string_pool *string_pool_new(void)
{
	struct string_pool *t = xcalloc(1, sizeof *t);

	make_slots(t, FIRST_SIZE);
	return t;
}

void string_pool_free(struct string_pool *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nchunks; i++)
		free(t->chunks[i]);
	free(t->chunks);
	free(t->v);
	free(t->hashes);
	free(t);
}

/* FNV-1a with the high bits folded into the low ones; *n is the length of the string. */
static uint32_t hash(const char *s, size_t *n)
{
	uint32_t h = 2166136261u;
	const char *c = s;

	for (; *c; c++)
		h = (h ^ (uint8_t)*c) * 16777619u;
	*n = (size_t)(c - s);
	return h ^ h >> 15;
}

static size_t slot(const struct string_pool *t, const char *s, uint32_t h)
{
	size_t i = h & (t->size - 1);

	while (t->v[i] && (t->hashes[i] != h || strcmp(t->v[i], s)))
		i = (i + 1) & (t->size - 1);
	return i;
}

static void rehash(struct string_pool *t)
{
	const char **v = t->v;
	uint32_t *hashes = t->hashes;
	size_t size = t->size;

	make_slots(t, size * 2);
	for (size_t i = 0; i < size; i++) {
		if (!v[i])
			continue;
		size_t to = hashes[i] & (t->size - 1);
		while (t->v[to])
			to = (to + 1) & (t->size - 1);
		t->v[to] = v[i];
		t->hashes[to] = hashes[i];
	}
	free(v);
	free(hashes);
}

static const char *store_string(struct string_pool *t, const char *s, size_t n)
{
	if (n >= t->left) {
		t->left = MAX((size_t)CHUNK_BYTES, n + 1);
		t->at = xcalloc(t->left, 1);
		t->chunks = grow(t->chunks, &t->cap, t->nchunks + 1, sizeof *t->chunks);
		t->chunks[t->nchunks++] = t->at;
	}
	char *p = memcpy(t->at, s, n + 1);
	t->at += n + 1;
	t->left -= n + 1;
	return p;
}

const char *string_pool_intern(struct string_pool *t, const char *s)
{
	size_t n;
	uint32_t h = hash(s, &n);
	size_t i = slot(t, s, h);

	if (t->v[i])
		return t->v[i];
	if (t->n * 4 >= t->size * 3) {
		rehash(t);
		i = slot(t, s, h);
	}
	t->hashes[i] = h;
	t->v[i] = store_string(t, s, n);
	t->n++;
	return t->v[i];
}
