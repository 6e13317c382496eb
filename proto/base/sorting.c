#include "proto/base/sorting.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/die.h"

enum { FEW = 24, MOST_BITS = 12 };

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void sort_few(uint64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t x = v[i];
		size_t k = i;
		for (; k && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

/* A bucket sort by the first bits, with about as many buckets as numbers: most hold one or two. */
void sort_hashes(uint64_t *v, size_t n, int bits)
{
	size_t end[1 << MOST_BITS];	/* of each bucket; its start before the bucket is filled */
	int k = 0;

	if (n <= FEW) {
		sort_few(v, n);
		return;
	}
	while (k < MOST_BITS && k < bits && (size_t)1 << k < n)
		k++;
	uint64_t *from = xmalloc(n * sizeof *from);
	memcpy(from, v, n * sizeof *v);
	memset(end, 0, sizeof *end << k);
	for (size_t i = 0; i < n; i++)
		end[from[i] >> (bits - k)]++;
	for (size_t i = 0, sum = 0; i < (size_t)1 << k; i++) {
		size_t in = end[i];
		end[i] = sum;
		sum += in;
	}
	for (size_t i = 0; i < n; i++)
		v[end[from[i] >> (bits - k)]++] = from[i];
	free(from);
	for (size_t i = 0, start = 0; i < (size_t)1 << k; i++) {
		if (end[i] - start <= FEW)
			sort_few(v + start, end[i] - start);
		else
			qsort(v + start, end[i] - start, sizeof *v, by_number);
		start = end[i];
	}
}
