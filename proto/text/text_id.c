#include "proto/text/text_id.h"

#include <stddef.h>

static const uint64_t FIRST = 14695981039346656037u, PRIME = 1099511628211u;	/* FNV-1a */

static uint64_t add(uint64_t h, const char *s)
{
	for (; s && *s; s++)
		h = (h ^ (uint8_t)*s) * PRIME;
	return (h ^ 0xff) * PRIME;
}

static uint64_t add_number(uint64_t h, uint64_t n)
{
	for (int i = 0; i < 4; i++, n >>= 8)
		h = (h ^ (n & 0xff)) * PRIME;
	return h;
}

uint64_t text_id(const char *blob, uint64_t start_line, uint64_t end_line, const char *qualified)
{
	uint64_t h = add_number(add_number(add(FIRST, blob), start_line), end_line);

	h = add(h, qualified ? qualified : "");
	h ^= h >> 32;		/* the low bits of FNV-1a are the weak ones */
	h *= 0x9e3779b97f4a7c15u;
	h ^= h >> 29;
	return h ? h : 1;
}
