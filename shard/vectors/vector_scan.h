#ifndef SHARD_VECTORS_VECTOR_SCAN_H
#define SHARD_VECTORS_VECTOR_SCAN_H
/*
 * The rows nearest to a query by dot product, by looking at every one.  Rows are int8 with one
 * scale each.  Beside each may stand its code, two bits a number, in two halves: an eighth of the
 * memory is looked at then, the front of each code; of the best the back too, and only the best of
 * that are compared as they are.
 */

#include <stddef.h>
#include <stdint.h>

enum { SCAN_DIM_MAX = 8192 };

struct scan_hit {
	uint32_t row;
	float score;		/* query . (scale * row) */
};

struct scan_segment {
	const int8_t *rows;
	const float *scales;
	const uint8_t *fronts, *backs;	/* scan_code of each; fronts NULL: none */
	const float *steps;	/* of the codes */
	size_t n;
};

/*
 * Rows in one or several parts; they are numbered on from one part to the next.  All parts have
 * codes, or none.
 */
struct scan_rows {
	const struct scan_segment *v;
	size_t parts, dim;
	/* what a score counts when rows are compared, at most 1; 0: it is not found.  NULL: 1 */
	const float *worth;
};

/*
 * scale * row is about v; the largest |v[i]| becomes 127.  Zeros (and what is no number) give
 * scale 0.
 */
void scan_quantise(const float *v, size_t dim, int8_t *row, float *scale);

/*
 * The code of a row, and its step: step * (-3, -1, 1 or 3) is about scale * row, larger than its
 * root mean square is 3.  Of 128 numbers each, byte j has those at j, j + 32, j + 64 and j + 96,
 * the first in the lowest bits; none of the rest are there.  The front has the first half of them,
 * rounded up, the back the others.
 */
size_t scan_front_size(size_t dim);	/* bytes, a multiple of 32 */
size_t scan_back_size(size_t dim);	/* so, or 0 */
void scan_code(
    const int8_t *row, float scale, size_t dim, uint8_t *front, uint8_t *back, float *step);

/*
 * The `want` best rows by score * worth, best first, ties by row; how many (`out` has room for
 * `want`).  `keep`: a bitmap of as many bits (bit i of word i / 64) of the rows that may be found,
 * NULL for all.  dim is at most SCAN_DIM_MAX.  Rows and codes that start at a multiple of 64 bytes
 * are read faster.
 *
 * Every row is compared with the quantised query; the best are then scored with the query itself.
 * Of many rows with codes every front is, then the codes of the best twentieth or so, then the
 * best 4 * want + 160 rows: 0.995 of the nearest are among them (make bench).
 */
size_t scan_best(const struct scan_rows *, const float *query, const uint64_t *keep, size_t want,
    struct scan_hit *out);

/*
 * A query in 30 bits a number, (high << 15 | low) * scale: sums of whole numbers are quick, and
 * the same on every machine.
 */
struct scan_query {
	int16_t high[SCAN_DIM_MAX], low[SCAN_DIM_MAX];
	double scale;
	const struct scan_kernel *way;	/* that scan_score takes; scan_query sets it to the best */
};
void scan_query(struct scan_query *, const float *query, size_t dim);

/* The score of one row of a part. */
float scan_score(const struct scan_segment *, size_t dim, size_t row, const struct scan_query *);

/* ---- the loops over rows, in several ways ---- */

/* out[i] = the dot product of row i and q, for n rows; no element of either is -128. */
typedef void scan_dots_fn(const int8_t *rows, size_t n, size_t dim, const int8_t *q, int32_t *out);

/*
 * out[i] = steps[i] * the dot product of what code i stands for (-3 to 3) and q, for n (half)
 * codes of `size` bytes; q has 4 * size numbers.
 */
typedef void scan_codes_fn(
    const uint8_t *codes, const float *steps, size_t n, size_t size, const int8_t *q, float *out);

/*
 * The numbers of those of n scores that are above `least`, in order; how many.  `out` has room for
 * n + 16.
 */
typedef size_t scan_above_fn(const float *score, size_t n, float least, uint32_t *out);

/* The dot product of a row and the n numbers high << 15 | low. */
enum { SCAN_LOW = 15 };
typedef int64_t scan_sum_fn(const int8_t *row, size_t n, const int16_t *high, const int16_t *low);

/* All that are compiled in, best first; the last needs nothing. */
extern const struct scan_kernel {
	const char *name;
	unsigned needs;		/* of cpu_features() */
	scan_dots_fn *dots;
	scan_above_fn *above;
	scan_codes_fn *codes;	/* NULL: rows are faster */
	scan_sum_fn *sum;
} scan_kernels[];

/* scan_best by one of them. */
size_t scan_best_with(const struct scan_kernel *, const struct scan_rows *, const float *query,
    const uint64_t *keep, size_t want, struct scan_hit *out);
#endif
