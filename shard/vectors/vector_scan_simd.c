/* Dot products of int8 rows and of codes, for each processor. */
#include "shard/vectors/vector_scan.h"

#include "proto/base/cpu_features.h"
#include "proto/base/minmax.h"

static int32_t dot_from(size_t j, const int8_t *row, size_t dim, const int8_t *q)
{
	int32_t sum = 0;

	for (; j < dim; j++)
		sum += row[j] * q[j];
	return sum;
}

static void dots_plain(const int8_t *rows, size_t n, size_t dim, const int8_t *q, int32_t *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = dot_from(0, rows + i * dim, dim, q);
}

/* The outcome is unpredictable, so there are no branches. */
static size_t above_plain(const float *score, size_t n, float least, uint32_t *out)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		out[k] = (uint32_t)i;
		k += score[i] > least;
	}
	return k;
}

/* numbers whose sum fits 32 bits; a compiler vectorises a loop of this length */
enum { WIDE = 256 };

static int32_t part_sum(const int8_t *p, const int16_t *q, size_t n)
{
	int32_t sum = 0;

	if (n == WIDE) {
		for (size_t i = 0; i < WIDE; i++)
			sum += p[i] * q[i];
		return sum;
	}
	for (size_t i = 0; i < n; i++)
		sum += p[i] * q[i];
	return sum;
}

static int64_t sum_plain(const int8_t *row, size_t n, const int16_t *high, const int16_t *low)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i += WIDE) {
		size_t m = MIN(n - i, WIDE);
		sum += (int64_t)part_sum(row + i, high + i, m) * (1 << SCAN_LOW) +
		    part_sum(row + i, low + i, m);
	}
	return sum;
}

#if defined __x86_64__
#include <immintrin.h>

static int32_t sum_of(const int8_t *q, size_t n)
{
	int32_t sum = 0;

	while (n--)
		sum += *q++;
	return sum;
}

enum { PART = 32, LEVEL = 3 };	/* bytes of a code for 128 numbers; the bits of one */
/* bytes of codes to prefetch ahead: a processor by itself stops at the end of a page */
enum { AHEAD = 2048 };

__attribute__((target("avx2")))
static int32_t lanes_sum(__m256i v)
{
	__m128i x = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));

	x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4e));
	x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0xb1));
	return _mm_cvtsi128_si32(x);
}

/* |row| * (q with the sign of row): pairs of such products fit 16 bits, as no element is -128. */
__attribute__((target("avx2")))
static void dots_avx2(const int8_t *rows, size_t n, size_t dim, const int8_t *q, int32_t *out)
{
	const __m256i ones = _mm256_set1_epi16(1);

	for (size_t i = 0; i < n; i++, rows += dim) {
		__m256i acc = _mm256_setzero_si256();
		size_t j = 0;
		for (; j + 32 <= dim; j += 32) {
			__m256i r = _mm256_loadu_si256((const __m256i *)(rows + j));
			__m256i s = _mm256_sign_epi8(_mm256_loadu_si256((const __m256i *)(q + j)), r);
			__m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(r), s);
			acc = _mm256_add_epi32(acc, _mm256_madd_epi16(pairs, ones));
		}
		out[i] = lanes_sum(acc) + dot_from(j, rows, dim, q);
	}
}

__attribute__((target("avx2")))
static int64_t sum_avx2(const int8_t *row, size_t n, const int16_t *high, const int16_t *low)
{
	size_t whole = n - n % WIDE;
	int64_t sum = 0;

	for (size_t i = 0; i < whole; i += WIDE) {
		__m256i h = _mm256_setzero_si256(), l = _mm256_setzero_si256();
		for (size_t j = i; j < i + WIDE; j += 16) {
			__m256i r = _mm256_cvtepi8_epi16(
			    _mm_loadu_si128((const __m128i *)(const void *)(row + j)));
			h = _mm256_add_epi32(h,
			    _mm256_madd_epi16(
			        r, _mm256_loadu_si256((const __m256i *)(const void *)(high + j))));
			l = _mm256_add_epi32(l,
			    _mm256_madd_epi16(r, _mm256_loadu_si256((const __m256i *)(const void *)(low + j))));
		}
		sum += (int64_t)lanes_sum(h) * (1 << SCAN_LOW) + lanes_sum(l);
	}
	return sum + sum_plain(row + whole, n - whole, high + whole, low + whole);
}

/*
 * A level l of 0 to 3 stands for 2 * l - 3. Sums of pairs of four levels stay below 4 * 2 * 3 *
 * 127.
 */
__attribute__((target("avx2"))) static void codes_avx2(
    const uint8_t *codes, const float *steps, size_t n, size_t size, const int8_t *q, float *out)
{
	const __m256i ones = _mm256_set1_epi16(1), mask = _mm256_set1_epi8(LEVEL);
	const int32_t less = LEVEL * sum_of(q, 4 * size);

	for (size_t i = 0; i < n; i++, codes += size) {
		__m256i acc = _mm256_setzero_si256();
		for (size_t j = 0; j < size; j += PART) {
			_mm_prefetch((const char *)codes + j + AHEAD, _MM_HINT_T0);
			__m256i c = _mm256_loadu_si256((const __m256i *)(codes + j)),
			        pairs = _mm256_setzero_si256();
			const int8_t *own = q + 4 * j;
			for (size_t k = 0; k < 4; k++, c = _mm256_srli_epi16(c, 2))
				pairs = _mm256_add_epi16(pairs, _mm256_maddubs_epi16(_mm256_and_si256(c, mask),
				    _mm256_loadu_si256((const __m256i *)(own + k * PART))));
			acc = _mm256_add_epi32(acc, _mm256_madd_epi16(pairs, ones));
		}
		out[i] = (float)(2 * lanes_sum(acc) - less) * steps[i];
	}
}

/* The sums of four vectors of 16. */
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
static inline __m128i four_sums(const __m512i *v)
{
	__m512i ab = _mm512_add_epi32(
	    _mm512_unpacklo_epi32(v[0], v[1]), _mm512_unpackhi_epi32(v[0], v[1]));
	__m512i cd = _mm512_add_epi32(
	    _mm512_unpacklo_epi32(v[2], v[3]), _mm512_unpackhi_epi32(v[2], v[3]));
	__m512i x = _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
	__m256i y = _mm256_add_epi32(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));

	return _mm_add_epi32(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
}

/* The dot product of one row; computes 128 * the sum of q on the way. */
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
static inline int32_t dot_vnni(const int8_t *row, size_t dim, const int8_t *q)
{
	const size_t whole = dim - dim % 64;
	const __m512i flip = _mm512_set1_epi8((char)0x80);
	__m512i acc = _mm512_setzero_si512(), more = acc;

	for (size_t j = 0; j < whole; j += 64) {
		__m512i own = _mm512_loadu_si512(q + j);
		acc = _mm512_dpbusd_epi32(acc, _mm512_xor_si512(_mm512_loadu_si512(row + j), flip), own);
		more = _mm512_dpbusd_epi32(more, flip, own);
	}
	return _mm512_reduce_add_epi32(_mm512_sub_epi32(acc, more)) + dot_from(whole, row, dim, q);
}

/*
 * (row + 128) . q - 128 * the sum of q: the instruction wants one side unsigned.  Four rows at a
 * time.
 */
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
static void dots_vnni(const int8_t *rows, size_t n, size_t dim, const int8_t *q, int32_t *out)
{
	if (n == 1) {
		*out = dot_vnni(rows, dim, q);
		return;
	}
	const size_t whole = dim - dim % 64;
	const __m512i flip = _mm512_set1_epi8((char)0x80);
	const __m128i more = _mm_set1_epi32(128 * sum_of(q, whole));

	for (size_t i = 0; i < n; i += 4) {
		__m512i acc[4] = { 0 };
		int32_t sum[4];
#pragma GCC unroll 4
		for (size_t k = 0; k < 4; k++) {
			const int8_t *row = rows + MIN(i + k, n - 1) * dim;
			for (size_t j = 0; j < whole; j += 64)
				acc[k] = _mm512_dpbusd_epi32(acc[k],
				    _mm512_xor_si512(_mm512_loadu_si512(row + j), flip), _mm512_loadu_si512(q + j));
		}
		_mm_storeu_si128((__m128i *)sum, _mm_sub_epi32(four_sums(acc), more));
		for (size_t k = 0; k < 4 && i + k < n; k++)
			out[i + k] = sum[k] + dot_from(whole, rows + (i + k) * dim, dim, q);
	}
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
static int64_t sum_vnni(const int8_t *row, size_t n, const int16_t *high, const int16_t *low)
{
	size_t whole = n - n % WIDE;
	int64_t sum = 0;

	for (size_t i = 0; i < whole; i += WIDE) {
		__m512i h = _mm512_setzero_si512(), l = h;
		for (size_t j = i; j < i + WIDE; j += 32) {
			__m512i r = _mm512_cvtepi8_epi16(
			    _mm256_loadu_si256((const __m256i *)(const void *)(row + j)));
			h = _mm512_dpwssd_epi32(h, r, _mm512_loadu_si512(high + j));
			l = _mm512_dpwssd_epi32(l, r, _mm512_loadu_si512(low + j));
		}
		sum += (int64_t)_mm512_reduce_add_epi32(h) * (1 << SCAN_LOW) + _mm512_reduce_add_epi32(l);
	}
	return sum + sum_plain(row + whole, n - whole, high + whole, low + whole);
}

/* The sums of eight vectors of 8. */
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
static inline __m256i eight_sums(const __m256i *v)
{
	__m256i ab = _mm256_hadd_epi32(v[0], v[1]), cd = _mm256_hadd_epi32(v[2], v[3]);
	__m256i ef = _mm256_hadd_epi32(v[4], v[5]), gh = _mm256_hadd_epi32(v[6], v[7]);
	__m256i x = _mm256_hadd_epi32(ab, cd), y = _mm256_hadd_epi32(ef, gh);

	return _mm256_add_epi32(
	    _mm256_permute2x128_si256(x, y, 0x20), _mm256_permute2x128_si256(x, y, 0x31));
}

/* Eight codes at a time. */
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))) static void codes_vnni(
    const uint8_t *codes, const float *steps, size_t n, size_t size, const int8_t *q, float *out)
{
	const __m256i mask = _mm256_set1_epi8(LEVEL),
	              less = _mm256_set1_epi32(LEVEL * sum_of(q, 4 * size));

	for (size_t i = 0; i < n; i += 8) {
		__m256i acc[8] = { 0 };
#pragma GCC unroll 8
		for (size_t k = 0; k < 8; k++) {
			const uint8_t *code = codes + MIN(i + k, n - 1) * size;
			for (size_t j = 0; j < size; j += PART) {
				const __m256i c = _mm256_loadu_si256((const __m256i *)(code + j)),
				              *own = (const __m256i *)(const void *)(q + 4 * j);
				if (k % 2 || size > PART)	/* a cache line has two of the smallest */
					_mm_prefetch((const char *)code + j + AHEAD, _MM_HINT_T0);
				acc[k] = _mm256_dpbusd_epi32(
				    acc[k], _mm256_and_si256(c, mask), _mm256_loadu_si256(own));
				acc[k] = _mm256_dpbusd_epi32(acc[k],
				    _mm256_and_si256(_mm256_srli_epi16(c, 2), mask), _mm256_loadu_si256(own + 1));
				acc[k] = _mm256_dpbusd_epi32(acc[k],
				    _mm256_and_si256(_mm256_srli_epi16(c, 4), mask), _mm256_loadu_si256(own + 2));
				acc[k] = _mm256_dpbusd_epi32(acc[k],
				    _mm256_and_si256(_mm256_srli_epi16(c, 6), mask), _mm256_loadu_si256(own + 3));
			}
		}
		__m256 dots = _mm256_cvtepi32_ps(
		    _mm256_sub_epi32(_mm256_slli_epi32(eight_sums(acc), 1), less));
		__mmask8 some = (__mmask8)((1u << MIN(n - i, 8)) - 1);
		_mm256_mask_storeu_ps(
		    out + i, some, _mm256_mul_ps(dots, _mm256_maskz_loadu_ps(some, steps + i)));
	}
}

__attribute__((target("avx512f,popcnt")))
static size_t above_avx512(const float *score, size_t n, float least, uint32_t *out)
{
	const __m512 low = _mm512_set1_ps(least);
	__m512i at = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	size_t k = 0;

	for (size_t i = 0; i < n; i += 16, at = _mm512_add_epi32(at, _mm512_set1_epi32(16))) {
		__mmask16 some = (__mmask16)((1u << MIN(n - i, 16)) - 1);
		some = _mm512_mask_cmp_ps_mask(
		    some, _mm512_maskz_loadu_ps(some, score + i), low, _CMP_GT_OQ);
		_mm512_storeu_si512(out + k, _mm512_maskz_compress_epi32(some, at));
		k += (size_t)__builtin_popcount(some);
	}
	return k;
}
#endif

#if defined __aarch64__
#include <arm_neon.h>

/* A product fits 16 bits, a sum of two as well: no element is -128. */
static void dots_neon(const int8_t *rows, size_t n, size_t dim, const int8_t *q, int32_t *out)
{
	for (size_t i = 0; i < n; i++, rows += dim) {
		int32x4_t acc = vdupq_n_s32(0);
		size_t j = 0;
		for (; j + 16 <= dim; j += 16) {
			int8x16_t r = vld1q_s8(rows + j), s = vld1q_s8(q + j);
			int16x8_t two = vmull_s8(vget_low_s8(r), vget_low_s8(s));
			acc = vpadalq_s16(acc, vmlal_s8(two, vget_high_s8(r), vget_high_s8(s)));
		}
		out[i] = vaddvq_s32(acc) + dot_from(j, rows, dim, q);
	}
}
#endif

const struct scan_kernel scan_kernels[] = {
#if defined __x86_64__
	{ "avx512-vnni", CPU_AVX512, dots_vnni, above_avx512, codes_vnni, sum_vnni },
	{ "avx2", CPU_AVX2, dots_avx2, above_plain, codes_avx2, sum_avx2 },
#endif
#if defined __aarch64__
	{ "neon", CPU_NEON, dots_neon, above_plain, NULL, sum_plain },
#endif
	{ "plain", 0, dots_plain, above_plain, NULL, sum_plain },
};
