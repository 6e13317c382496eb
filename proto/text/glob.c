#include "proto/text/glob.h"

#include <stddef.h>

/*
 * The end of a class such as `[a-z]`, whose first character is at `g`; NULL if it is not closed.
 * Sets *hit if `c` is in the class.
 */
static const char *class(const char *g, char c, bool *hit)
{
	bool not = *g == '!' || *g == '^';

	g += not ;
	*hit = false;
	for (const char *first = g; *g && (*g != ']' || g == first); g++) {
		if (*g == '\\' && g[1])
			g++;
		char lo = *g, hi = lo;
		if (g[1] == '-' && g[2] && g[2] != ']') {
			hi = g[2];
			g += 2;
		}
		*hit |= c >= lo && c <= hi;
	}
	*hit ^= not ;
	if (*g != ']')
		return NULL;
	return g + 1;
}

/* `g` is after `**`, or after `**` and its slash, which limits it to the start of a name. */
static bool matches_any_depth(const char *g, bool slash, const char *s, int *budget)
{
	if (!*g)
		return true;
	for (const char *t = s;; t++) {
		bool may_begin = !slash || t == s || t[-1] == '/';
		if (may_begin && glob_matches(g, t, budget))
			return true;
		if (!*t)
			return false;
	}
}

/* `g` is after `*`, which stays within one folder. */
static bool matches_in_folder(const char *g, const char *s, int *budget)
{
	for (;; s++) {
		if (glob_matches(g, s, budget))
			return true;
		if (!*s || *s == '/')
			return false;
	}
}

/* The end of the part of the pattern that matches the character `c`, or NULL if it does not. */
static const char *match_char(const char *g, char c)
{
	bool hit = true;

	if (*g == '[') {
		const char *end = class(g + 1, c, &hit);
		if (end && (!hit || c == '/'))
			return NULL;
		if (end)
			return end;
	}
	if (*g == '?') {
		if (c == '/')
			return NULL;
		return g + 1;
	}
	if (*g == '\\' && g[1])
		g++;
	if (*g != c)
		return NULL;
	return g + 1;
}

bool glob_matches(const char *g, const char *s, int *budget)
{
	for (; *g; s++) {
		if (--*budget < 0)
			return false;
		if (g[0] == '*' && g[1] == '*') {
			bool slash = g[2] == '/';
			return matches_any_depth(g + 2 + slash, slash, s, budget);
		}
		if (*g == '*')
			return matches_in_folder(g + 1, s, budget);
		if (!*s)
			return false;
		g = match_char(g, *s);
		if (!g)
			return false;
	}
	return !*s;
}
