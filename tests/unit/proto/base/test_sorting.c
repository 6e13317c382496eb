/* sort_hashes sorts like qsort: spread numbers, equal ones, few bits, all in one bucket. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/sorting.h"

enum { MOST = 5000 };

static uint64_t next(uint64_t *state)	/* SplitMix64 */
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static void check(const uint64_t *given, size_t n, int bits)
{
	static uint64_t v[MOST];
	static int64_t want[MOST];	/* all are below 2^63, or both are shifted */

	for (size_t i = 0; i < n; i++)
		want[i] = (int64_t)(given[i] ^ (bits == 64 ? UINT64_C(1) << 63 : 0));
	memcpy(v, given, n * sizeof *v);
	qsort(want, n, sizeof *want, compare_int64);
	sort_hashes(v, n, bits);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(v[i], (uint64_t)want[i] ^ (bits == 64 ? UINT64_C(1) << 63 : 0));
}

static void test_order_hashes(void **state)
{
	static const int bits[] = { 1, 5, 24, 63, 64 };
	static const size_t counts[] = { 0, 1, 2, 24, 25, 100, 1024, MOST };
	static uint64_t v[MOST];
	uint64_t seed = 1;

	(void)state;
	for (size_t b = 0; b < sizeof bits / sizeof *bits; b++)
		for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
			for (size_t i = 0; i < counts[c]; i++)	/* spread */
				v[i] = next(&seed) >> (64 - bits[b]);
			check(v, counts[c], bits[b]);
			for (size_t i = 0; i < counts[c]; i++)	/* the same ones often */
				v[i] = v[i % 7];
			check(v, counts[c], bits[b]);
			for (size_t i = 0; i < counts[c]; i++)	/* all at one end, the largest first */
				v[i] = (counts[c] - i) & (bits[b] < 13 ? 1 : 0x1fff);
			check(v, counts[c], bits[b]);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_order_hashes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
