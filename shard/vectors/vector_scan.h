#ifndef SHARD_VECTORS_VECTOR_SCAN_H
#define SHARD_VECTORS_VECTOR_SCAN_H
/*
 * Finds the rows nearest to a query by dot product, by brute force. Rows are int8 with one scale
 * each. Each row may also have a code of two bits per number, in two halves, so that the scan reads
 * an eighth of the memory: first the front half of each code, for the best of these the back half
 * too, and only the best of those are compared as rows.
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
	const uint8_t *fronts, *backs;	/* scan_code of each row; fronts is NULL if there are none */
	const float *steps;		/* of the codes */
	size_t n;
};

/*
 * Rows in one or several parts; they are numbered consecutively across parts. Either all parts have
 * codes or none has.
 */
struct scan_rows {
	const struct scan_segment *v;
	size_t parts, dim;
	/* by row: the weight of its score, at most 1; 0 = never found.  NULL: all are 1 */
	const float *worth;
};

/*
 * Quantises v so that scale * row approximates it; the largest |v[i]| becomes 127. A vector of
 * zeros, or with infinities, gets scale 0; NaN becomes 0.
 */
void scan_quantise(const float *v, size_t dim, int8_t *row, float *scale);

/*
 * Computes the code of a row and its step: step * (-3, -1, 1 or 3) approximates scale * row, where
 * numbers above the root mean square become 3. Byte j of 128 numbers has those at j, j + 32, j + 64
 * and j + 96, the first in the lowest bits; missing numbers are 0. The front has the first half of
 * the bytes, rounded up, the back the others.
 */
size_t scan_front_size(size_t dim);	/* bytes, a multiple of 32 */
size_t scan_back_size(size_t dim);	/* bytes, a multiple of 32, maybe 0 */
void scan_code(
    const int8_t *row, float scale, size_t dim, uint8_t *front, uint8_t *back, float *step);

/*
 * Finds the `want` best rows by score * worth, best first, ties by row, and returns their number
 * (`out` has room for `want`). `keep` is a bitmap of the rows that may be found (bit i of word i /
 * 64), NULL for all. dim is at most SCAN_DIM_MAX. Rows and codes that start at a multiple of 64
 * bytes are read faster.
 *
 * Rows are compared with the quantised query; the best are then scored with the query itself. If
 * there are many rows with codes, the fronts of all are scored, then the full codes of about the
 * best twentieth, then the best 4 * want + 160 rows: 0.995 of the nearest are among them (make
 * bench).
 */
size_t scan_best(const struct scan_rows *, const float *query, const uint64_t *keep, size_t want,
    struct scan_hit *out);

/*
 * A query in 30 bits per number, (high << 15 | low) * scale: sums of integers are fast, and the
 * same on every machine.
 */
struct scan_query {
	int16_t high[SCAN_DIM_MAX], low[SCAN_DIM_MAX];
	double scale;
	const struct scan_kernel *way;	/* used by scan_score; scan_query sets the best one */
};
void scan_query(struct scan_query *, const float *query, size_t dim);

/* The score of one row of a part. */
float scan_score(const struct scan_segment *, size_t dim, size_t row, const struct scan_query *);

/* ---- the loops over rows, for several processors ---- */

/* out[i] = the dot product of row i and q, for n rows; no element of either is -128. */
typedef void scan_dots_fn(const int8_t *rows, size_t n, size_t dim, const int8_t *q, int32_t *out);

/*
 * out[i] = steps[i] * the dot product of the numbers of code i (-3 to 3) and q, for n (half) codes
 * of `size` bytes; q has 4 * size numbers.
 */
typedef void scan_codes_fn(
    const uint8_t *codes, const float *steps, size_t n, size_t size, const int8_t *q, float *out);

/*
 * Writes the indexes of those of n scores that are above `least`, in order, and returns their
 * number. `out` has room for n + 16.
 */
typedef size_t scan_above_fn(const float *score, size_t n, float least, uint32_t *out);

/* The dot product of a row and the n numbers high << 15 | low. */
enum { SCAN_LOW = 15 };
typedef int64_t scan_sum_fn(const int8_t *row, size_t n, const int16_t *high, const int16_t *low);

/* All kernels that are compiled in, best first; the last one runs everywhere. */
extern const struct scan_kernel {
	const char *name;
	unsigned needs;		/* bits of cpu_features() */
	scan_dots_fn *dots;
	scan_above_fn *above;
	scan_codes_fn *codes;	/* NULL if rows are faster */
	scan_sum_fn *sum;
} scan_kernels[];

/* scan_best with one of the kernels. */
size_t scan_best_with(const struct scan_kernel *, const struct scan_rows *, const float *query,
    const uint64_t *keep, size_t want, struct scan_hit *out);
#endif
