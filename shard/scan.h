#ifndef SHARD_SCAN_H
#define SHARD_SCAN_H
/* The rows nearest to a query by dot product, by looking at every one.  Rows are int8 with one scale each. */

#include <stddef.h>
#include <stdint.h>

enum { SCAN_DIM_MAX = 8192 };

struct scan_hit {
	uint32_t row;
	float score;		/* query . (scale * row) */
};

/* scale * row is about v; the largest |v[i]| becomes 127.  Zeros (and what is no number) give scale 0. */
void scan_quantise(const float *v, size_t dim, int8_t *row, float *scale);

/*
 * The `want` best rows of `n`, best first, ties by row; how many (`out` has room for `want`).  `keep`: a bitmap of n bits
 * (bit i of word i / 64) of the rows that may be found, NULL for all.  dim is at most SCAN_DIM_MAX.  Rows that start at a
 * multiple of 64 bytes are read faster.
 *
 * Every row is compared with the quantised query; the best 4 * want + 64 are then scored with the query itself.
 */
size_t scan_best(const int8_t *rows, const float *scales, size_t n, size_t dim, const float *query, const uint64_t *keep,
    size_t want, struct scan_hit *out);

/* ---- the loop over rows, in several ways ---- */

/* out[i] = the dot product of row i and q, for n rows; no element of either is -128. */
typedef void scan_dots_fn(const int8_t *rows, size_t n, size_t dim, const int8_t *q, int32_t *out);

/* All that are compiled in, best first; the last needs nothing. */
extern const struct scan_way {
	const char *name;
	unsigned needs;		/* of cpu_has() */
	scan_dots_fn *dots;
} scan_ways[];

/* scan_best by one of them. */
size_t scan_best_by(const struct scan_way *, const int8_t *rows, const float *scales, size_t n, size_t dim, const float *query,
    const uint64_t *keep, size_t want, struct scan_hit *out);
#endif
