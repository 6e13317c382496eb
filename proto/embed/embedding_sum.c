/* The inner loop of the builtin embedding, for each kind of processor. */
#include "proto/embed/embedding_model.h"

#include <string.h>

#include "proto/base/cpu_features.h"

enum { BLOCK = 64 };

static void sum_plain(
    const int8_t *rows, size_t dim, const struct weighted_row *v, size_t n, float *out)
{
	memset(out, 0, dim * sizeof *out);
	for (size_t i = 0; i < n; i++) {
		const int8_t *row = rows + v[i].row * dim;
		for (size_t j = 0; j < dim; j++)
			out[j] += v[i].weight * row[j];
	}
}

#if defined __x86_64__
#include <immintrin.h>

__attribute__((target("avx2,fma"))) static void sum_avx2(
    const int8_t *rows, size_t dim, const struct weighted_row *v, size_t n, float *out)
{
	for (size_t j = 0; j < dim; j += BLOCK) {
		__m256 acc[8] = { 0 };
		for (size_t i = 0; i < n; i++) {
			const int8_t *row = rows + v[i].row * dim + j;
			__m256 w = _mm256_set1_ps(v[i].weight);
#pragma GCC unroll 8
			for (int k = 0; k < 8; k++) {
				__m256i x = _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(row + 8 * k)));
				acc[k] = _mm256_fmadd_ps(w, _mm256_cvtepi32_ps(x), acc[k]);
			}
		}
#pragma GCC unroll 8
		for (int k = 0; k < 8; k++)
			_mm256_storeu_ps(out + j + 8 * k, acc[k]);
	}
}

__attribute__((target("avx512f"))) static void sum_avx512(
    const int8_t *rows, size_t dim, const struct weighted_row *v, size_t n, float *out)
{
	for (size_t j = 0; j < dim; j += BLOCK) {
		__m512 acc[4] = { 0 };
		for (size_t i = 0; i < n; i++) {
			const int8_t *row = rows + v[i].row * dim + j;
			__m512 w = _mm512_set1_ps(v[i].weight);
#pragma GCC unroll 4
			for (int k = 0; k < 4; k++) {
				__m512i x = _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(row + 16 * k)));
				acc[k] = _mm512_fmadd_ps(w, _mm512_cvtepi32_ps(x), acc[k]);
			}
		}
#pragma GCC unroll 4
		for (int k = 0; k < 4; k++)
			_mm512_storeu_ps(out + j + 16 * k, acc[k]);
	}
}
#endif

#if defined __aarch64__
#include <arm_neon.h>

static void sum_neon(
    const int8_t *rows, size_t dim, const struct weighted_row *v, size_t n, float *out)
{
	for (size_t j = 0; j < dim; j += BLOCK / 2) {
		float32x4_t acc[8] = { 0 };
		for (size_t i = 0; i < n; i++) {
			const int8_t *row = rows + v[i].row * dim + j;
#pragma GCC unroll 4
			for (int k = 0; k < 4; k++) {
				int16x8_t x = vmovl_s8(vld1_s8(row + 8 * k));
				acc[2 * k] = vfmaq_n_f32(
				    acc[2 * k], vcvtq_f32_s32(vmovl_s16(vget_low_s16(x))), v[i].weight);
				acc[2 * k + 1] = vfmaq_n_f32(
				    acc[2 * k + 1], vcvtq_f32_s32(vmovl_s16(vget_high_s16(x))), v[i].weight);
			}
		}
#pragma GCC unroll 8
		for (int k = 0; k < 8; k++)
			vst1q_f32(out + j + 4 * k, acc[k]);
	}
}
#endif

const struct model_sum_kernel model_sum_kernels[] = {
#if defined __x86_64__
	{ "avx512", CPU_AVX512, sum_avx512 },
	{ "avx2", CPU_AVX2, sum_avx2 },
#endif
#if defined __aarch64__
	{ "neon", CPU_NEON, sum_neon },
#endif
	{ "plain", 0, sum_plain },
};
