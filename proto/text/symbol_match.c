#include "proto/text/symbol_match.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"

static bool is_key_char(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

const char *symbol_key(const char *name, struct arena *a)
{
	char *key = arena_str(a, name), *w = key;

	for (const char *r = key; *r; r++)
		if (is_key_char(*r))
			*w++ = (char)tolower((unsigned char)*r);
	*w = 0;
	if (!*key)
		return name;
	return key;
}

bool symbol_key_begins(const char *name, const char *key, size_t n)
{
	size_t k = 0;

	for (const char *r = name; k < n && *r; r++) {
		if (!is_key_char(*r))
			continue;
		if (key[k++] != (char)tolower((unsigned char)*r))
			return false;
	}
	return k == n || !k;
}

bool symbol_has_key(const char *name, const char *key)
{
	const char *k = key;

	for (const char *r = name; *r; r++) {
		if (!is_key_char(*r))
			continue;
		if (*k != (char)tolower((unsigned char)*r))
			return false;
		k++;
	}
	if (k > key)
		return !*k;
	return !strcmp(name, key);
}

static bool is_separator(char c)
{
	return c == '.' || c == ':' || c == '#' || c == '/';
}

const char *symbol_base_name(const char *name)
{
	const char *last = name;

	for (const char *c = name; *c; c++)
		if (is_separator(*c) && c[1] && !is_separator(c[1]))
			last = c + 1;
	return last;
}
