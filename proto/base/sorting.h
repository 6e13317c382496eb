#ifndef PROTO_BASE_SORTING_H
#define PROTO_BASE_SORTING_H
/* Comparisons of numbers, for qsort and bsearch too, and a faster sort of hashes. */
#include <stddef.h>
#include <stdint.h>

static inline int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static inline int compare_signed(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Compares int64_t for qsort, smallest first. */
static inline int compare_int64(const void *a, const void *b)
{
	return compare_signed(*(const int64_t *)a, *(const int64_t *)b);
}

/*
 * Sort numbers of at most `bits` bits (1 to 64), smallest first.  For numbers that are evenly
 * distributed, such as hashes, it is several times as fast as qsort.
 */
void sort_hashes(uint64_t *v, size_t n, int bits);
#endif
