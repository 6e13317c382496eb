#ifndef PROTO_BASE_SORTING_H
#define PROTO_BASE_SORTING_H
/* Orders for qsort and bsearch; and numbers that are sorted without them. */
#include <stddef.h>
#include <stdint.h>

/* Of int64_t, the smallest first. */
static inline int compare_int64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Sort numbers of at most `bits` bits (1 to 64), the smallest first.  For those that are spread
 * evenly, as hashes are: several times as fast as qsort.
 */
void sort_hashes(uint64_t *v, size_t n, int bits);
#endif
