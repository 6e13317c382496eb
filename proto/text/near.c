#include "proto/text/near.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"

enum { LONGEST = 200 };

struct nearness {
	const char *name;
	int distance;
};

/* Levenshtein's distance without regard to case, of at most LONGEST bytes. */
static int distance(const char *a, const char *b)
{
	size_t n = strnlen(a, LONGEST), m = strnlen(b, LONGEST);
	uint8_t row[LONGEST + 1];

	for (size_t j = 0; j <= m; j++)
		row[j] = (uint8_t)j;
	for (size_t i = 1; i <= n; i++) {
		uint8_t diagonal = row[0];
		row[0] = (uint8_t)i;
		for (size_t j = 1; j <= m; j++) {
			int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
			uint8_t best = (uint8_t)(diagonal + !same);
			if (row[j] + 1 < best)
				best = (uint8_t)(row[j] + 1);
			if (row[j - 1] + 1 < best)
				best = (uint8_t)(row[j - 1] + 1);
			diagonal = row[j];
			row[j] = best;
		}
	}
	return row[m];
}

static int by_distance(const void *a, const void *b)
{
	const struct nearness *x = a, *y = b;

	return x->distance != y->distance ? (x->distance > y->distance) - (x->distance < y->distance) :
	    strcmp(x->name, y->name);
}

/* The whole names, or what stands behind their last slashes. */
static int nearness_of(const char *typed, const char *name)
{
	const char *t = strrchr(typed, '/'), *n = strrchr(name, '/');

	if (strcasestr(name, typed) || strcasestr(typed, name))
		return 0;
	int whole = distance(typed, name);
	int last = (t || n) ? distance(t ? t + 1 : typed, n ? n + 1 : name) + (t != NULL) : whole;
	return last < whole ? last : whole;
}

size_t near_pick(const char *typed, const char *const *names, size_t n, const char *out[NEAR_MOST], struct arena *a)
{
	struct nearness *v = arena_many(a, n, struct nearness);
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		size_t longer = strlen(typed) > strlen(names[i]) ? strlen(typed) : strlen(names[i]);
		int d = nearness_of(typed, names[i]);
		if (*typed && (size_t)d * 3 <= longer)
			v[k++] = (struct nearness){ names[i], d };
	}
	qsort(v, k, sizeof *v, by_distance);
	k = k < NEAR_MOST ? k : NEAR_MOST;
	for (size_t i = 0; i < k; i++)
		out[i] = v[i].name;
	return k;
}

const char *near_names(const char *typed, const char *const *names, size_t n, struct arena *a)
{
	const char *v[NEAR_MOST], *out = "";
	size_t k = near_pick(typed, names, n, v, a);

	for (size_t i = 0; i < k; i++)
		out = arena_printf(a, "%s%s`%s`", out, i ? ", " : "", v[i]);
	return out;
}
