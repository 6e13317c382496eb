#include "shard/trigrams/gram_lists.h"

#include <stdlib.h>

#include "proto/base/die.h"
#include "shard/base/varint.h"

enum { BLOCK_BYTES = 4096, GRAM_BITS = 24, TEXT_BITS = 32 }; /* of a pair */

/* Each pair is a trigram and, below it, the number of a text. */
struct gram_lists {
	uint64_t *v;
	size_t n, cap;
};

struct gram_lists *gram_lists_new(void)
{
	return xcalloc(1, sizeof(struct gram_lists));
}

void gram_lists_free(struct gram_lists *l)
{
	if (!l)
		return;
	free(l->v);
	free(l);
}

void gram_lists_add(struct gram_lists *l, uint32_t text, const uint32_t *grams, size_t n)
{
	l->v = grow(l->v, &l->cap, l->n + n, sizeof *l->v);
	for (size_t i = 0; i < n; i++)
		l->v[l->n++] = (uint64_t)grams[i] << TEXT_BITS | text;
}

static uint32_t gram_of(uint64_t pair)
{
	return (uint32_t)(pair >> TEXT_BITS);
}

static void put_list(struct buf *out, const uint64_t *pairs, size_t n)
{
	uint32_t before = 0;

	varint_put(out, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t text = (uint32_t)pairs[i];
		varint_put(out, text - before);
		before = text;
	}
}

static struct gram_block *begin_block(struct gram_blocks *out, uint32_t first)
{
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n] = (struct gram_block){ .first = first, .at = out->bytes.n };
	return &out->v[out->n++];
}

/* One pass of a radix sort, by eight bits. */
static void sort_pass(const uint64_t *from, uint64_t *to, size_t n, int shift)
{
	size_t at[256], counts[256] = { 0 };

	for (size_t i = 0; i < n; i++)
		counts[from[i] >> shift & 255]++;
	at[0] = 0;
	for (int i = 1; i < 256; i++)
		at[i] = at[i - 1] + counts[i - 1];
	for (size_t i = 0; i < n; i++)
		to[at[from[i] >> shift & 255]++] = from[i];
}

/* Sort by trigram; the pairs are sorted by text, and stay so within a trigram. */
static void sort_by_gram(struct gram_lists *l)
{
	uint64_t *other = xmalloc((l->n + 1) * sizeof *other);

	for (int shift = TEXT_BITS; shift < TEXT_BITS + GRAM_BITS; shift += 8) {
		uint64_t *sorted = other;
		sort_pass(l->v, sorted, l->n, shift);
		other = l->v;
		l->v = sorted;
	}
	l->cap = l->n + 1;
	free(other);
}

void gram_lists_pack(struct gram_lists *l, struct gram_blocks *out)
{
	struct gram_block *block = NULL;
	uint32_t before = 0;

	sort_by_gram(l);
	for (size_t i = 0, end; i < l->n; i = end) {
		uint32_t gram = gram_of(l->v[i]);
		end = i + 1;
		while (end < l->n && gram_of(l->v[end]) == gram)
			end++;
		if (!block || block->n >= BLOCK_BYTES) {
			block = begin_block(out, gram);
			before = gram;
		}
		varint_put(&out->bytes, gram - before);
		before = gram;
		put_list(&out->bytes, l->v + i, end - i);
		block->n = out->bytes.n - block->at;
	}
	l->n = 0;
}

void gram_blocks_free(struct gram_blocks *b)
{
	buf_free(&b->bytes);
	free(b->v);
	*b = (struct gram_blocks){ 0 };
}

static bool skip_list(const uint8_t **at, const uint8_t *end, uint64_t n)
{
	while (n && *at < end)
		n -= !(*(*at)++ & 128);
	return !n;
}

static bool take_list(
    const uint8_t **at, const uint8_t *end, uint64_t n, uint32_t texts, struct text_numbers *out)
{
	uint64_t text = 0, more;

	if (n > texts)
		return false;
	out->v = grow(out->v, &out->cap, n + 1, sizeof *out->v);
	for (out->n = 0; out->n < n; out->n++) {
		if (!varint_take(at, end, &more) || (out->n && !more) || text + more >= texts)
			return false;
		text += more;
		out->v[out->n] = (uint32_t)text;
	}
	return true;
}

bool gram_block_find(const void *block, size_t n, uint32_t first, uint32_t gram, uint32_t texts,
    struct text_numbers *out)
{
	const uint8_t *at = block, *end = at + n;
	uint64_t here = first, more, count;

	out->n = 0;
	while (at < end) {
		if (!varint_take(&at, end, &more) || !varint_take(&at, end, &count))
			return false;
		here += more;
		if (here > gram)
			return true;
		if (here == gram)
			return take_list(&at, end, count, texts, out);
		if (!skip_list(&at, end, count))
			return false;
	}
	return true;
}

bool gram_block_each(
    const void *block, size_t n, uint32_t first, void (*see)(void *arg, uint32_t gram), void *arg)
{
	const uint8_t *at = block, *end = at + n;
	uint64_t here = first, more, count;

	while (at < end) {
		if (!varint_take(&at, end, &more) || !varint_take(&at, end, &count))
			return false;
		if (!skip_list(&at, end, count))
			return false;
		here += more;
		see(arg, (uint32_t)here);
	}
	return true;
}
