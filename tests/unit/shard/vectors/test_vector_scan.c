/* Every SIMD kernel that this machine supports finds the same nearest rows as sorting all rows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/buf.h"
#include "proto/base/cpu_features.h"
#include "shard/vectors/vector_scan.h"

static uint32_t seed = 7;

static float any(void)
{
	seed = seed * 1664525 + 1013904223;
	return (float)(seed >> 8) / (1 << 23) - 1;
}

struct rows {
	size_t n, dim;
	int8_t *row;
	float *scale, *query;
	uint8_t *front, *back;
	float *step;
};

/* Rows that lean towards the query the less the higher their number, shuffled by a stride. */
static struct rows make_rows(size_t n, size_t dim)
{
	struct rows r = { n, dim, malloc(n * dim + 1), malloc((n + 1) * sizeof(float)), malloc(dim * sizeof(float)),
		malloc(n * scan_front_size(dim) + 1), malloc(n * scan_back_size(dim) + 1), malloc((n + 1) * sizeof(float)) };
	float *v = malloc(dim * sizeof *v);

	for (size_t j = 0; j < dim; j++)
		r.query[j] = any();
	for (size_t i = 0; i < n; i++) {
		float lean = 1 - (float)(i * 7919 % n) / (float)n;
		for (size_t j = 0; j < dim; j++)
			v[j] = lean * r.query[j] + any();
		scan_quantise(v, dim, r.row + i * dim, &r.scale[i]);
		scan_code(r.row + i * dim, r.scale[i], dim, r.front + i * scan_front_size(dim), r.back + i * scan_back_size(dim), &r.step[i]);
	}
	free(v);
	return r;
}

static void free_rows(struct rows *r)
{
	free(r->row), free(r->scale), free(r->query), free(r->front), free(r->back), free(r->step);
}

/* In two parts. */
static struct scan_rows as_rows(const struct rows *r, struct scan_segment parts[2], bool coded)
{
	size_t n = r->n / 3;

	parts[0] = (struct scan_segment){ r->row, r->scale, coded ? r->front : NULL, r->back, r->step, n };
	parts[1] = (struct scan_segment){ r->row + n * r->dim, r->scale + n, coded ? r->front + n * scan_front_size(r->dim) : NULL,
		r->back + n * scan_back_size(r->dim), r->step + n, r->n - n };
	return (struct scan_rows){ .v = parts, .parts = 2, .dim = r->dim };
}

static int best_first(const void *a, const void *b)
{
	const struct scan_hit *x = a, *y = b;

	if (x->score != y->score)
		return (x->score < y->score) - (x->score > y->score);
	return (x->row > y->row) - (x->row < y->row);
}

/* All rows to keep, sorted by their exact score. Returns how many. */
static size_t sorted(const struct rows *r, const uint64_t *keep, struct scan_hit *out)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		double sum = 0;
		if (keep && !(keep[i / 64] >> i % 64 & 1))
			continue;
		for (size_t j = 0; j < r->dim; j++)
			sum += (double)r->query[j] * r->row[i * r->dim + j];
		out[n++] = (struct scan_hit){ (uint32_t)i, (float)(sum * r->scale[i]) };
	}
	qsort(out, n, sizeof *out, best_first);
	return n;
}

static void check(const struct rows *r, const uint64_t *keep, size_t want)
{
	struct scan_hit *all = malloc((r->n + 1) * sizeof *all), *got = malloc((want + 1) * sizeof *got);
	size_t n = sorted(r, keep, all);

	n = n < want ? n : want;
	for (const struct scan_kernel *way = scan_kernels; ; way++) {
		if ((way->needs & cpu_features()) == way->needs) {
			struct scan_segment parts[2];
			struct scan_rows rows = as_rows(r, parts, false);
			size_t m = scan_best_with(way, &rows, r->query, keep, want, got);
			assert_int_equal(m, n);
			for (size_t i = 0; i < n; i++)
				if (got[i].row != all[i].row || fabsf(got[i].score - all[i].score) > 1e-6f * (1 + fabsf(all[i].score)))
					fail_msg("%s, %zu x %zu: hit %zu is row %u, not %u", way->name, r->n, r->dim, i, got[i].row, all[i].row);
		}
		if (!way->needs)
			break;
	}
	free(all), free(got);
}

static void every_way_finds_what_sorting_finds(void **state)
{
	static const size_t dims[] = { 1, 31, 64, 65, 100, 256, 384, 1000 }, sizes[] = { 0, 1, 2, 63, 1024, 1025, 3000 };

	(void)state;
	for (size_t i = 0; i < LEN(dims); i++)
		for (size_t k = 0; k < LEN(sizes); k++) {
			struct rows r = make_rows(sizes[k], dims[i]);
			check(&r, NULL, 10);
			check(&r, NULL, 0);
			check(&r, NULL, 5000);
			free_rows(&r);
		}
}

/* Sums as large as they get: every element 127 or -127. */
static void extremes_do_not_overflow(void **state)
{
	int8_t *row = malloc(SCAN_DIM_MAX), *q = malloc(SCAN_DIM_MAX);

	(void)state;
	for (int round = 0; round < 4; round++)
		for (const struct scan_kernel *way = scan_kernels; ; way++) {
			int32_t got;
			memset(row, round & 1 ? 127 : -127, SCAN_DIM_MAX);
			memset(q, round & 2 ? 127 : -127, SCAN_DIM_MAX);
			if ((way->needs & cpu_features()) == way->needs) {
				way->dots(row, 1, SCAN_DIM_MAX, q, &got);
				assert_int_equal(got, row[0] * q[0] * SCAN_DIM_MAX);
			}
			if (!way->needs)
				break;
		}
	free(row), free(q);
}

static void only_kept_rows_are_found(void **state)
{
	enum { N = 1000 };
	struct rows r = make_rows(N, 64);
	uint64_t keep[N / 64 + 1];

	(void)state;
	for (int one_of = 1; one_of <= 700; one_of *= 3) {
		memset(keep, 0, sizeof keep);
		for (size_t i = 0; i < N; i++)
			if ((i / 5) % (size_t)one_of == 0)
				keep[i / 64] |= 1ull << i % 64;
		check(&r, keep, 10);
		check(&r, keep, N);
	}
	memset(keep, 0, sizeof keep);
	check(&r, keep, 10);
	memset(keep, 0xff, sizeof keep);	/* bits behind the last row say nothing */
	check(&r, keep, N);
	free_rows(&r);
}

static void equal_rows_come_in_order(void **state)
{
	struct rows r = make_rows(500, 32);
	struct scan_hit got[20];

	(void)state;
	for (size_t i = 1; i < r.n; i++) {
		memcpy(r.row + i * r.dim, r.row, r.dim);
		r.scale[i] = r.scale[0];
	}
	struct scan_segment parts[2];
	struct scan_rows rows = as_rows(&r, parts, false);
	assert_int_equal(scan_best(&rows, r.query, NULL, 20, got), 20);
	for (uint32_t i = 0; i < 20; i++)
		assert_int_equal(got[i].row, i);
	free_rows(&r);
}

/* The number that a code stands for, computed independently. */
static int level(const struct rows *r, size_t row, size_t i)
{
	size_t front = scan_front_size(r->dim), back = scan_back_size(r->dim);
	const uint8_t *code = r->front + row * front;

	if (i / 4 >= front)
		code = r->back + row * back - front;
	return 2 * (code[i / 128 * 32 + i % 32] >> i % 128 / 32 * 2 & 3) - 3;
}

static void check_codes(const struct scan_kernel *way, const struct rows *r, const int8_t *q, bool back)
{
	size_t size = scan_front_size(r->dim), from = 0;
	const uint8_t *codes = r->front;
	float got[9];

	if (back) {
		codes = r->back;
		from = 4 * size;
		size = scan_back_size(r->dim);
	}
	if (!size)
		return;
	way->codes(codes, r->step, r->n, size, q + from, got);
	for (size_t i = 0; i < r->n; i++) {
		int32_t sum = 0;
		for (size_t j = from; j < from + 4 * size && j < r->dim; j++) {
			int l = level(r, i, j), x = r->row[i * r->dim + j];
			assert_true(x > 0 ? l > 0 : l < 0);
			sum += l * q[j];
		}
		assert_true(got[i] == (float)sum * r->step[i]);
	}
}

static void codes_stand_for_their_rows(void **state)
{
	static const size_t dims[] = { 1, 64, 100, 128, 256, 300, 1000 };

	(void)state;
	for (size_t d = 0; d < LEN(dims); d++) {
		struct rows r = make_rows(9, dims[d]);
		int8_t q[1024] = { 0 };
		float scale;
		scan_quantise(r.query, r.dim, q, &scale);
		for (const struct scan_kernel *way = scan_kernels; ; way++) {
			if ((way->needs & cpu_features()) == way->needs && way->codes) {
				check_codes(way, &r, q, false);
				check_codes(way, &r, q, true);
			}
			if (!way->needs)
				break;
		}
		free_rows(&r);
	}
}

static void scores_above_are_told_in_order(void **state)
{
	float score[100];
	uint32_t got[100 + 16];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		score[i] = (float)(i * 37 % 100);
	for (const struct scan_kernel *way = scan_kernels; ; way++) {
		for (size_t n = 0; (way->needs & cpu_features()) == way->needs && n <= 100; n++) {
			size_t k = way->above(score, n, 41, got), want = 0;
			for (size_t i = 0; i < n; i++)
				if (score[i] > 41)
					assert_int_equal(got[want++], i);
			assert_int_equal(k, want);
		}
		if (!way->needs)
			break;
	}
}

/*
 * Among many rows the codes lead to the nearest, and never to one with weight 0 or one that is not
 * to be kept.
 */
static void codes_lead_to_the_nearest_of(size_t n, size_t dim, bool all_kept)
{
	enum { WANT = 20 };
	struct rows r = make_rows(n, dim);
	struct scan_hit *all = malloc(n * sizeof *all), got[WANT];
	float *worth = malloc(n * sizeof *worth);
	uint64_t *keep = calloc(n / 64 + 1, sizeof *keep);
	struct scan_segment parts[2];
	struct scan_rows rows = as_rows(&r, parts, true);

	assert_int_equal(sorted(&r, NULL, all), n);
	for (size_t i = 0; i < n; i++) {
		worth[i] = 1;
		keep[i / 64] |= 1ull << i % 64;
	}
	worth[all[0].row] = 0;			/* the best is gone, */
	worth[all[1].row] = 0.01f;		/* the second worth little, */
	if (all_kept)
		worth[all[2].row] = 0;
	else
		keep[all[2].row / 64] &= ~(1ull << all[2].row % 64);	/* the third not asked for */
	rows.worth = worth;
	for (const struct scan_kernel *way = scan_kernels; ; way++) {
		if ((way->needs & cpu_features()) == way->needs) {
			assert_int_equal(scan_best_with(way, &rows, r.query, all_kept ? NULL : keep, WANT, got), WANT);
			for (size_t i = 0; i < WANT; i++)
				assert_int_equal(got[i].row, all[i + 3].row);
		}
		if (!way->needs)
			break;
	}
	free(all), free(worth), free(keep);
	free_rows(&r);
}

static void codes_lead_to_the_nearest(void **state)
{
	static const size_t dims[] = { 128, 256, 1000 }, sizes[] = { 1000, 3000, 20000 };

	(void)state;
	for (size_t i = 0; i < LEN(dims); i++)
		for (size_t k = 0; k < LEN(sizes); k++) {
			codes_lead_to_the_nearest_of(sizes[k], dims[i], true);
			codes_lead_to_the_nearest_of(sizes[k], dims[i], false);
		}
}

/*
 * All near rows are in one place, so that a sample of many places does not predict their scores; no
 * other row is as near.
 */
static void what_stands_together_is_found(void **state)
{
	enum { N = 20000, DIM = 256, WANT = 20, NEAR = 1500 };
	struct rows r = make_rows(N, DIM);
	struct scan_hit *all = malloc(N * sizeof *all), got[WANT];
	float *v = malloc(DIM * sizeof *v);

	(void)state;
	for (size_t i = 0; i < N; i++) {
		float lean = -1;	/* the others point away */
		if (i >= 70 && i < 70 + NEAR)	/* the near ones, right after the first sample */
			lean = 2 - (float)(i * 7919 % NEAR) / NEAR;
		else if (i % (N / 32) < 64)
			lean = 0.9f;
		for (size_t j = 0; j < DIM; j++)
			v[j] = lean * r.query[j] + 0.2f * any();
		scan_quantise(v, DIM, r.row + i * DIM, &r.scale[i]);
		scan_code(r.row + i * DIM, r.scale[i], DIM, r.front + i * scan_front_size(DIM), r.back + i * scan_back_size(DIM), &r.step[i]);
	}
	struct scan_segment parts[2];
	struct scan_rows rows = as_rows(&r, parts, true);
	assert_int_equal(sorted(&r, NULL, all), N);
	for (const struct scan_kernel *way = scan_kernels; ; way++) {
		if ((way->needs & cpu_features()) == way->needs) {
			assert_int_equal(scan_best_with(way, &rows, r.query, NULL, WANT, got), WANT);
			for (size_t i = 0; i < WANT; i++)
				assert_int_equal(got[i].row, all[i].row);
		}
		if (!way->needs)
			break;
	}
	free(all), free(v);
	free_rows(&r);
}

static void a_row_is_near_its_vector(void **state)
{
	float v[] = { 0.5f, -1, 0, 0.25f }, scale, none[4] = { 0 }, huge[4] = { INFINITY, 1 }, tiny[4] = { 1e-45f };
	int8_t row[4];

	(void)state;
	scan_quantise(v, 4, row, &scale);
	assert_int_equal(row[1], -127);
	for (int i = 0; i < 4; i++)
		assert_true(fabsf(row[i] * scale - v[i]) <= scale / 2 * 1.0001f);
	scan_quantise(none, 4, row, &scale);
	assert_true(scale == 0 && row[0] == 0);
	scan_quantise(huge, 4, row, &scale);
	assert_true(scale == 0 && row[1] == 0);
	scan_quantise(tiny, 4, row, &scale);
	assert_true(scale == 0 && row[0] == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_finds_what_sorting_finds),
		cmocka_unit_test(extremes_do_not_overflow),
		cmocka_unit_test(only_kept_rows_are_found),
		cmocka_unit_test(equal_rows_come_in_order),
		cmocka_unit_test(codes_stand_for_their_rows),
		cmocka_unit_test(scores_above_are_told_in_order),
		cmocka_unit_test(codes_lead_to_the_nearest),
		cmocka_unit_test(what_stands_together_is_found),
		cmocka_unit_test(a_row_is_near_its_vector),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
