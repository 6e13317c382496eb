/*
 * Included before each grammar's parser.  Which characters an identifier may hold is searched among up to 700 ranges; those
 * below 128 are the first few.
 */
#include <stdbool.h>
#include <stdint.h>

#include "tree_sitter/parser.h"

static inline bool ascii_contains(const void *ranges, uint32_t n, int32_t c)
{
	const struct { int32_t start, end; } *r = ranges;

	for (uint32_t i = 0; i < n && r[i].start <= c; i++)
		if (c <= r[i].end)
			return true;
	return false;
}

#define set_contains(ranges, n, c) ((c) < 128 ? ascii_contains(ranges, n, c) : (set_contains)(ranges, n, c))
