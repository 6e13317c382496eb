#include "proto/pattern/gram_sketch.h"

enum { SIZE_MIN = 64, SIZE_MAX_BITS = 24, BITS_PER_GRAM = 3 };

size_t gram_sketch_size(size_t n)
{
	size_t size = SIZE_MIN;

	while (size * 8 < n * BITS_PER_GRAM && size * 8 < (size_t)1 << SIZE_MAX_BITS)
		size *= 2;
	return size;
}

static bool is_size(size_t size)
{
	return size >= SIZE_MIN && !(size & (size - 1)) && size * 8 <= (size_t)1 << SIZE_MAX_BITS;
}

/* Multiplicative hashing (Knuth, The Art of Computer Programming, 6.4): the highest bits count. */
static size_t bit_of(size_t size, uint32_t gram)
{
	int bits = __builtin_ctzll(size) + 3;

	return gram * 2654435769u >> (32 - bits);
}

void gram_sketch_add(uint8_t *sketch, size_t size, uint32_t gram)
{
	size_t bit = bit_of(size, gram);

	sketch[bit / 8] |= (uint8_t)(1 << bit % 8);
}

bool gram_sketch_may_have(const uint8_t *sketch, size_t size, uint32_t gram)
{
	if (!is_size(size))
		return true;
	size_t bit = bit_of(size, gram);
	return sketch[bit / 8] >> bit % 8 & 1;
}
