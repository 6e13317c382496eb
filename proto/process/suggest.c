#include "proto/process/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"

enum { LONGEST = 200, FAR = 1000 };

struct suggestion {
	const char *name;
	int distance;
};

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static int smaller(int a, int b)
{
	return MIN(a, b);
}

/* Whether the i-th and the j-th letter ends a pair that changed places. */
static bool is_swap(const char *a, size_t i, const char *b, size_t j)
{
	if (i < 2 || j < 2)
		return false;
	return same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
}

/*
 * The number of letters to insert, delete, replace or swap with their neighbour
 * (Damerau-Levenshtein distance), of at most LONGEST bytes, ignoring case.
 */
static int distance(const char *a, const char *b)
{
	size_t n = strnlen(a, LONGEST), m = strnlen(b, LONGEST);
	uint8_t rows[3][LONGEST + 1], *above2 = rows[0], *above = rows[1], *row = rows[2];

	for (size_t j = 0; j <= m; j++)
		row[j] = (uint8_t)j;
	for (size_t i = 1; i <= n; i++) {
		uint8_t *free_row = above2;
		above2 = above;
		above = row;
		row = free_row;
		row[0] = (uint8_t)i;
		for (size_t j = 1; j <= m; j++) {
			int best = smaller(
			    above[j - 1] + !same(a[i - 1], b[j - 1]), smaller(above[j], row[j - 1]) + 1);
			if (is_swap(a, i, b, j))
				best = smaller(best, above2[j - 2] + 1);
			row[j] = (uint8_t)best;
		}
	}
	return row[m];
}

static int compare_distance(const void *a, const void *b)
{
	const struct suggestion *x = a, *y = b;

	if (x->distance != y->distance)
		return (x->distance > y->distance) - (x->distance < y->distance);
	return strcmp(x->name, y->name);
}

/* The distance, or FAR when more than a third of the letters differ. */
static int bounded_distance(const char *typed, const char *name)
{
	size_t n = strlen(typed), m = strlen(name);
	int d = distance(typed, name);

	if ((size_t)d * 3 > MAX(n, m))
		return FAR;
	return d;
}

static const char *last_part(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (slash)
		return slash + 1;
	return name;
}

/* The distance of the whole names or of their last parts, whichever is smaller. */
static int suggestion_distance(const char *typed, const char *name)
{
	const char *t = last_part(typed), *n = last_part(name);

	if (strcasestr(name, typed) || strcasestr(typed, name))
		return 0;
	int whole = bounded_distance(typed, name);
	if (t == typed && n == name)
		return whole;
	int last = bounded_distance(t, n);
	if (last == FAR)
		return whole;
	return smaller(last + (t != typed), whole);
}

size_t suggest_pick(const char *typed, const char *const *names, size_t n,
    const char *out[SUGGEST_MAX], struct arena *a)
{
	struct suggestion *v = arena_many(a, n, struct suggestion);
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		int d = FAR;
		if (*typed)
			d = suggestion_distance(typed, names[i]);
		if (d < FAR)
			v[k++] = (struct suggestion){ names[i], d };
	}
	qsort(v, k, sizeof *v, compare_distance);
	k = MIN(k, SUGGEST_MAX);
	for (size_t i = 0; i < k; i++)
		out[i] = v[i].name;
	return k;
}

const char *suggest_names(const char *typed, const char *const *names, size_t n, struct arena *a)
{
	const char *v[SUGGEST_MAX], *out = "";
	size_t k = suggest_pick(typed, names, n, v, a);

	for (size_t i = 0; i < k; i++) {
		const char *comma = i ? ", " : "";
		out = arena_printf(a, "%s%s`%s`", out, comma, v[i]);
	}
	return out;
}

const char *suggest_phrase(const char *near, struct arena *a)
{
	if (!*near)
		return "";
	return arena_printf(a, "; did you mean %s?", near);
}

const char *suggest_choices(const char *const *names, size_t n, struct arena *a)
{
	struct buf b = { 0 };

	buf_str(&b, "");
	for (size_t i = 0; i < n; i++) {
		if (i && i == n - 1)
			buf_str(&b, " or ");
		else if (i)
			buf_str(&b, ", ");
		buf_str(&b, names[i]);
	}
	const char *out = arena_str(a, b.p);
	buf_free(&b);
	return out;
}
