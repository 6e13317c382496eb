#include "proto/pattern/charset.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "proto/base/sorting.h"
#include "proto/pattern/utf8.h"

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return compare_numbers(x->first, y->first);
}

const struct charset *charset_new(struct arena *a, struct range *ranges, size_t n)
{
	struct charset *set = arena_one(a, struct charset);
	struct range *to = arena_many(a, n, struct range);

	if (n > 1)
		qsort(ranges, n, sizeof *ranges, compare_ranges);
	set->ranges = to;
	for (size_t i = 0; i < n; i++) {
		if (set->n && ranges[i].first <= to[set->n - 1].last + 1)
			to[set->n - 1].last = MAX(to[set->n - 1].last, ranges[i].last);
		else
			to[set->n++] = ranges[i];
	}
	return set;
}

const struct charset *charset_one(struct arena *a, uint32_t c)
{
	return charset_new(a, &(struct range){ c, c }, 1);
}

const struct charset *charset_union(
    struct arena *a, const struct charset *x, const struct charset *y)
{
	struct range *all = arena_many(a, x->n + y->n, struct range);

	if (x->n)
		memcpy(all, x->ranges, x->n * sizeof *all);
	if (y->n)
		memcpy(all + x->n, y->ranges, y->n * sizeof *all);
	return charset_new(a, all, x->n + y->n);
}

const struct charset *charset_inverse(struct arena *a, const struct charset *set)
{
	struct charset *inverse = arena_one(a, struct charset);
	struct range *to = arena_many(a, set->n + 1, struct range);
	uint32_t next = 0;

	inverse->ranges = to;
	for (size_t i = 0; i < set->n; i++) {
		if (set->ranges[i].first > next)
			to[inverse->n++] = (struct range){ next, set->ranges[i].first - 1 };
		next = set->ranges[i].last + 1;
	}
	if (next <= LAST_CHARACTER)
		to[inverse->n++] = (struct range){ next, LAST_CHARACTER };
	return inverse;
}

const struct charset *charset_both(
    struct arena *a, const struct charset *x, const struct charset *y)
{
	struct charset *both = arena_one(a, struct charset);
	struct range *to = arena_many(a, x->n + y->n, struct range);
	size_t i = 0, k = 0;

	both->ranges = to;
	while (i < x->n && k < y->n) {
		uint32_t first = MAX(x->ranges[i].first, y->ranges[k].first);
		uint32_t last = MIN(x->ranges[i].last, y->ranges[k].last);
		if (first <= last)
			to[both->n++] = (struct range){ first, last };
		if (x->ranges[i].last < y->ranges[k].last)
			i++;
		else
			k++;
	}
	return both;
}

const struct charset *charset_without(
    struct arena *a, const struct charset *set, const struct charset * not )
{
	return charset_both(a, set, charset_inverse(a, not ));
}

bool charset_has(const struct charset *set, uint32_t c)
{
	size_t low = 0, high = set->n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (c < set->ranges[middle].first)
			high = middle;
		else if (c > set->ranges[middle].last)
			low = middle + 1;
		else
			return true;
	}
	return false;
}

bool charset_equal(const struct charset *x, const struct charset *y)
{
	return x == y ||
	    (x->n == y->n && (!x->n || !memcmp(x->ranges, y->ranges, x->n * sizeof *x->ranges)));
}

bool charset_is_one(const struct charset *set, uint32_t *c)
{
	if (set->n != 1 || set->ranges->first != set->ranges->last)
		return false;
	*c = set->ranges->first;
	return true;
}

size_t charset_size(const struct charset *set)
{
	size_t size = 0;

	for (size_t i = 0; i < set->n; i++)
		size += set->ranges[i].last - set->ranges[i].first + 1;
	return size;
}
