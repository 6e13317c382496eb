#include "proto/text/bloom_filter.h"

#include <string.h>

#include "proto/base/minmax.h"

enum { BLOCK = 64, BITS = 10, PROBES = 6 };

/* FNV-1a, then the last step of SplitMix64, so that all bits depend on all bytes. */
static uint64_t hash(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3u;
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 27) * 0x94d049bb133111ebu;
	h ^= h >> 31;
	return MAX(h, 1);
}

static const uint64_t basis = 0xcbf29ce484222325u;

uint64_t bloom_hash(const char *word)
{
	return hash(basis, word);
}

uint64_t bloom_hash_key(const char *key)
{
	return hash((basis ^ '=') * 0x100000001b3u, key);
}

size_t bloom_hash_beginnings(const char *key, uint64_t out[BLOOM_BEGINNINGS])
{
	/* few lengths, so that a sketch stays small */
	static const size_t lengths[BLOOM_BEGINNINGS] = { 3, 5, 8 };
	char beginning[8 + 1];
	size_t n = strlen(key), k = 0;

	for (; k < BLOOM_BEGINNINGS && lengths[k] <= n; k++) {
		memcpy(beginning, key, lengths[k]);
		beginning[lengths[k]] = '\0';
		out[k] = hash((basis ^ '^') * 0x100000001b3u, beginning);
	}
	return k;
}

size_t bloom_size(size_t n)
{
	return (n * BITS / 8 + BLOCK) / BLOCK * BLOCK;
}

static size_t block_of(size_t size, uint64_t hash)
{
	return (size_t)((hash >> 32) * (size / BLOCK) >> 32) * BLOCK;
}

/* A bit of a word in its block: 9 bits of a product of the hash's low 32 bits. */
static unsigned bit_of(uint64_t hash, int probe)
{
	uint64_t spread = (hash & 0xffffffffu) * 0x9e3779b97f4a7c15u;

	return (unsigned)(spread >> (9 * probe + 1)) & (BLOCK * 8 - 1);
}

void bloom_add(uint8_t *sketch, size_t size, uint64_t hash)
{
	uint8_t *block = sketch + block_of(size, hash);

	for (int i = 0; i < PROBES; i++) {
		unsigned bit = bit_of(hash, i);
		block[bit / 8] |= (uint8_t)(1 << bit % 8);
	}
}

bool bloom_may_contain(const uint8_t *sketch, size_t size, uint64_t hash)
{
	if (!size || size % BLOCK)
		return true;
	const uint8_t *block = sketch + block_of(size, hash);
	for (int i = 0; i < PROBES; i++) {
		unsigned bit = bit_of(hash, i);
		if (!(block[bit / 8] >> bit % 8 & 1))
			return false;
	}
	return true;
}
