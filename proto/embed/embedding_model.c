#include "proto/embed/embedding_model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/cpu_features.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/embed/subword_tokens.h"
#include "proto/text/tokens.h"
#include "proto/text/word_weights.h"

/* The first 128 bytes of the file. */
struct header {
	char magic[8];
	uint32_t version, size, dim, words, buckets, gram_min, gram_max, longest, row_type;
	float exponent;
	uint32_t scales, rows, offsets, strings, total, head;
	float head_weight;
	uint32_t query_weights;
	uint32_t reserved[4];
	unsigned char sha256[32];
};
_Static_assert(sizeof(struct header) == 128, "as on disk");

enum { SLOTS = 1 << 16, NO_WORD = 0xffff };

struct model {
	const struct header *h;
	const float *scales;
	const int8_t *rows;
	const uint32_t *offsets;
	const char *strings;
	model_sum_fn *sum;
	uint16_t slot[SLOTS];		/* words by hash, the next free slot on collision */
};

struct model_counts {
	struct weighted_row *part;	/* the rows of the text, in order; the weight is the count */
	uint32_t *at;			/* row -> 1 + index in `part`, or 0 */
	size_t n;
};

/* ---- the file ---- */

static bool section_fits(const struct header *h, uint32_t offset, uint64_t count, uint64_t size)
{
	return offset >= h->size && offset % 4 == 0 && offset + count * size <= h->total;
}

static bool is_version_1(const struct header *h, size_t n)
{
	if (n < sizeof *h || memcmp(h->magic, "CODEEMB1", 8))
		return false;
	return h->version == 1 && h->size == sizeof *h;
}

static bool sizes_valid(const struct header *h)
{
	if (!h->dim || h->dim % 64)
		return false;
	if (!h->buckets || !h->words || h->words >= NO_WORD)
		return false;
	return h->gram_min >= 1 && h->gram_max >= h->gram_min;
}

static bool sections_fit(const struct header *h)
{
	uint64_t rows = (uint64_t)h->words + h->buckets;

	if (!section_fits(h, h->scales, rows, 4) || !section_fits(h, h->rows, rows, h->dim))
		return false;
	return section_fits(h, h->offsets, h->words + 1ull, 4) && section_fits(h, h->strings, 0, 1);
}

/* What is wrong with the header, or NULL. */
static const char *wrong(const struct header *h, size_t n)
{
	if ((uintptr_t)h % 4)
		return "not aligned";
	if (!is_version_1(h, n))
		return "not version 1 of CODEEMB1";
	if (h->row_type || h->query_weights || h->longest != SUBTOKEN_MAX)
		return "rows or words of an unknown kind";
	if (!sizes_valid(h))
		return "an impossible size";
	if (h->total != n || !sections_fit(h))
		return "a section outside the file";
	return NULL;
}

static bool words_valid(const struct model *m)
{
	for (uint32_t i = 0; i < m->h->words; i++)
		if (m->offsets[i] > m->offsets[i + 1])
			return false;
	return m->offsets[m->h->words] <= m->h->total - m->h->strings;
}

/* ---- words ---- */

/* FNV-1a, for words and n-grams. */
static uint32_t hash(const char *s, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h;
}

/* The slot of a word, or the one where it would be. */
static uint32_t slot_of(const struct model *m, const char *s, size_t n)
{
	uint32_t i = hash(s, n) % SLOTS;

	for (; m->slot[i] != NO_WORD; i = (i + 1) % SLOTS) {
		uint32_t word = m->slot[i], start = m->offsets[word];
		if (m->offsets[word + 1] - start == n && !memcmp(m->strings + start, s, n))
			break;
	}
	return i;
}

static model_sum_fn *best_kernel(void)
{
	const struct model_sum_kernel *s = model_sum_kernels;

	while ((s->needs & cpu_features()) != s->needs)
		s++;
	return s->sum;
}

static void index_words(struct model *m)
{
	memset(m->slot, 0xff, sizeof m->slot);
	for (uint32_t i = 0; i < m->h->words; i++) {
		const char *word = m->strings + m->offsets[i];
		uint32_t slot = slot_of(m, word, m->offsets[i + 1] - m->offsets[i]);
		m->slot[slot] = (uint16_t)i;
	}
}

struct model *model_open(const void *bytes, size_t n, struct err *e)
{
	const struct header *h = bytes;
	const char *at = bytes, *why = wrong(h, n);

	if (why) {
		err_set(e, ERR_INTERNAL, "the embedding model: %s", why);
		return NULL;
	}
	struct model *m = xmalloc(sizeof *m);
	*m = (struct model){ .h = h,
		.scales = (const float *)(at + h->scales),
		.rows = (const int8_t *)at + h->rows,
		.offsets = (const uint32_t *)(at + h->offsets),
		.strings = at + h->strings,
		.sum = best_kernel() };
	if (!words_valid(m)) {
		free(m);
		err_set(e, ERR_INTERNAL, "the embedding model: a word outside the file");
		return NULL;
	}
	index_words(m);
	return m;
}

void model_free(struct model *m)
{
	free(m);
}

size_t model_dim(const struct model *m)
{
	return m->h->dim;
}

/* ---- counting ---- */

struct model_counts *model_counts_new(const struct model *m)
{
	size_t rows = (size_t)m->h->words + m->h->buckets;
	struct model_counts *c = xcalloc(1, sizeof *c);

	c->part = xmalloc(rows * sizeof *c->part);
	c->at = xcalloc(rows, sizeof *c->at);
	return c;
}

void model_counts_free(struct model_counts *c)
{
	if (!c)
		return;
	free(c->part);
	free(c->at);
	free(c);
}

static void count(const struct model *m, struct model_counts *c, uint32_t row, float weight)
{
	if (!c->at[row]) {
		const int8_t *p = m->rows + (size_t)row * m->h->dim;
		for (size_t i = 0; i < m->h->dim; i += 64)
			__builtin_prefetch(p + i);
		c->part[c->n] = (struct weighted_row){ row, 0 };
		c->at[row] = (uint32_t)++c->n;
	}
	c->part[c->at[row] - 1].weight += weight;
}

/* A word that is not in the vocabulary counts as all the n-grams of <word>. */
static void count_grams(
    const struct model *m, struct model_counts *c, const char *word, size_t n, float weight)
{
	char s[SUBTOKEN_MAX + 2];
	size_t grams = 0;

	s[0] = '<';
	memcpy(s + 1, word, n);
	s[n + 1] = '>';
	n += 2;
	for (size_t k = m->h->gram_min; k <= m->h->gram_max && k <= n; k++)
		grams += n - k + 1;
	for (size_t k = m->h->gram_min; k <= m->h->gram_max && k <= n; k++)
		for (size_t i = 0; i + k <= n; i++)
			count(m, c, m->h->words + hash(s + i, k) % m->h->buckets, weight / (float)grams);
}

/* Turns counts into the weights of the stored rows, and resets `at` for the next text. */
static void apply_weights(const struct model *m, struct model_counts *c)
{
	for (size_t i = 0; i < c->n; i++) {
		struct weighted_row *p = &c->part[i];
		if (p->weight > 1) {
			if (m->h->exponent == 0.5f)
				p->weight = sqrtf(p->weight);
			else
				p->weight = powf(p->weight, m->h->exponent);
		}
		p->weight *= m->scales[p->row];
		c->at[p->row] = 0;
	}
}

void vector_normalize(float *v, size_t dim)
{
	double sum = 0;

	for (size_t i = 0; i < dim; i++)
		sum += (double)v[i] * v[i];
	float by = 0;
	if (sum > 0)
		by = (float)(1 / sqrt(sum));
	for (size_t i = 0; i < dim; i++)
		v[i] *= by;
}

/* Squared, because apply_weights takes the root of the counts. */
static float question_weight(const char *word, size_t n)
{
	char term[SUBTOKEN_MAX + 1];

	memcpy(term, word, n);
	term[token_singular(term, n)] = 0;
	double meaning = word_weight(term).meaning;
	return (float)(meaning * meaning);
}

static size_t embed(const struct model *m, struct model_counts *c, const char *text, size_t n,
    bool question, float *out)
{
	struct subtokens s = { (const unsigned char *)text, (const unsigned char *)text + n };
	char word[SUBTOKEN_MAX];
	size_t len, words = 0;

	c->n = 0;
	while ((len = subtokens_next(&s, word)) > 0) {
		float weight = 1;
		if (words < m->h->head)
			weight = m->h->head_weight;
		if (question)
			weight *= question_weight(word, len);
		words++;
		uint16_t row = m->slot[slot_of(m, word, len)];
		if (row != NO_WORD)
			count(m, c, row, weight);
		else
			count_grams(m, c, word, len, weight);
	}
	apply_weights(m, c);
	m->sum(m->rows, m->h->dim, c->part, c->n, out);
	vector_normalize(out, m->h->dim);
	return words;
}

size_t model_embed(
    const struct model *m, struct model_counts *c, const char *text, size_t n, float *out)
{
	return embed(m, c, text, n, false, out);
}

size_t model_embed_question(
    const struct model *m, struct model_counts *c, const char *text, size_t n, float *out)
{
	return embed(m, c, text, n, true, out);
}
