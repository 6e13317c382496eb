#include "proto/text/text_id.h"

#include <stddef.h>

#include "proto/base/minmax.h"

static const uint64_t FIRST = 14695981039346656037u, PRIME = 1099511628211u;	/* FNV-1a */

static uint64_t add(uint64_t h, const char *s)
{
	if (!s)
		s = "";
	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * PRIME;
	return (h ^ 0xff) * PRIME;	/* the end of a string, so that none runs into the next */
}

static uint64_t add_number(uint64_t h, uint64_t n)
{
	for (int i = 0; i < 4; i++)
		h = (h ^ (n >> 8 * i & 0xff)) * PRIME;
	return h;
}

uint64_t text_id(const char *blob, uint64_t start_line, uint64_t end_line, const char *qualified)
{
	uint64_t h = add(FIRST, blob);

	h = add_number(h, start_line);
	h = add_number(h, end_line);
	h = add(h, qualified);
	h ^= h >> 32;		/* FNV-1a is weak in its low bits */
	h *= 0x9e3779b97f4a7c15u;
	h ^= h >> 29;
	return MAX(h, 1);
}
