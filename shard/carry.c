#include "shard/carry.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/rules.h"

/* Behind the string that begins at `i`. */
static size_t string_end(const char *s, size_t n, size_t i)
{
	for (i++; i < n && s[i] != '"' && s[i] != '\n'; i++)
		i += s[i] == '\\';
	return i < n ? i + 1 : n;
}

/* Behind the annotation whose sign is at `i`: its name and arguments; 0: it has no arguments, or they do not end. */
static size_t annotation_end(const char *s, size_t n, size_t i)
{
	size_t depth = 0;

	for (i++; i < n && (isalnum((unsigned char)s[i]) || s[i] == '_' || s[i] == '.'); )
		i++;
	if (i == n || s[i] != '(')
		return 0;
	while (i < n) {
		if (s[i] == '"') {
			i = string_end(s, n, i);
			continue;
		}
		depth += s[i] == '(';
		depth -= s[i] == ')';
		i++;
		if (!depth)
			return i;
	}
	return 0;
}

static bool begins(const struct words *carry, const char *s, size_t n, size_t i)
{
	for (size_t k = 0; k < carry->n; k++) {
		size_t len = strlen(carry->v[k]);
		if (n - i > len && !memcmp(s + i, carry->v[k], len) && isupper((unsigned char)s[i + len]))
			return true;
	}
	return false;
}

size_t carry_find(const struct rules *r, const char *s, size_t n, struct arena *a, struct carried **out)
{
	struct carried *v = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; r->carry.n && i < n; ) {
		size_t end = begins(&r->carry, s, n, i) ? annotation_end(s, n, i) : 0;
		size_t eol = end;
		while (end && eol < n && strchr(" \t\r", s[eol]) && s[eol])
			eol++;
		if (end && eol + 1 < n && s[eol] == '\n' && (isalpha((unsigned char)s[eol + 1]) || begins(&r->carry, s, n, eol + 1))) {
			v = grow(v, &cap, count + 1, sizeof *v);
			v[count++] = (struct carried){ (uint32_t)end, (uint32_t)eol + 1 };
		}
		const char *next = memchr(s + (end ? end : i), '\n', n - (end ? end : i));
		i = next ? (size_t)(next - s) + 1 : n;
	}
	*out = arena_many(a, count, struct carried);
	if (count)
		memcpy(*out, v, count * sizeof *v);
	free(v);
	return count;
}
