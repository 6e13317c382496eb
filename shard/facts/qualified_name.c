#include "shard/facts/qualified_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"

static uint64_t hash_of(const char *s)
{
	uint64_t h = 14695981039346656037u;	/* FNV-1a */

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 1099511628211u;
	return h ^ h >> 32;
}

/* How many bytes of the name to keep: up to a dot, or else whole characters of UTF-8. */
static size_t beginning(const char *name)
{
	size_t n = QUALIFIED_BEGINNING;

	while (n && name[n] != '.')
		n--;
	if (n)
		return n;
	n = QUALIFIED_BEGINNING;
	while (n && ((uint8_t)name[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static bool fits(const char *around, const char *name)
{
	size_t n = strlen(around);

	return n < QUALIFIED_BEGINNING || n + 1 + strlen(name) <= QUALIFIED_MAX;
}

const char *qualified_join(struct arena *a, const char *around, const char *name)
{
	if (fits(around, name))
		return arena_join_dotted(a, around, name);
	return arena_printf(a, "%.*s.~%016llx.%s", (int)beginning(around), around,
	    (unsigned long long)hash_of(around), name);
}

void qualified_join_to(char out[QUALIFIED_ROOM], const char *around, const char *name)
{
	if (fits(around, name))
		snprintf(out, QUALIFIED_ROOM, "%s.%s", around, name);
	else
		snprintf(out, QUALIFIED_ROOM, "%.*s.~%016llx.%s", (int)beginning(around), around,
		    (unsigned long long)hash_of(around), name);
}
