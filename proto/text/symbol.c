#include "proto/text/symbol.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"

const char *symbol_key(const char *name, struct arena *a)
{
	char *key = arena_str(a, name), *w = key;

	for (const char *r = key; *r; r++)
		if (isalnum((unsigned char)*r) || (unsigned char)*r >= 0x80)
			*w++ = (char)tolower((unsigned char)*r);
	*w = 0;
	return *key ? key : name;
}

const char *symbol_last(const char *name)
{
	const char *last = name;

	for (const char *c = name; *c; c++)
		if (strchr(".:#/", *c) && c[1] && !strchr(".:#/", c[1]))
			last = c + 1;
	return last;
}
