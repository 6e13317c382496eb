#ifndef PROTO_BASE_SORTING_H
#define PROTO_BASE_SORTING_H
/* Comparison functions for qsort and bsearch, and a faster sort of hashes. */
#include <stddef.h>
#include <stdint.h>

/* Compares int64_t, smallest first. */
static inline int compare_int64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Sort numbers of at most `bits` bits (1 to 64), smallest first.  For numbers that are evenly
 * distributed, such as hashes, it is several times as fast as qsort.
 */
void sort_hashes(uint64_t *v, size_t n, int bits);
#endif
