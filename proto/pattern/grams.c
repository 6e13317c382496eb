#include "proto/pattern/grams.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/pattern/normal_bytes.h"

enum {
	GRAM_BYTES = 3,
	GRAM_BITS = 24,
	GRAM_MASK = (1 << GRAM_BITS) - 1,
	WORD_BITS = 64,
	WORDS = (1 << GRAM_BITS) / WORD_BITS
};

/* A bit for each gram, and a bit for each word of those with a bit. */
struct gram_collector {
	uint64_t grams[WORDS];
	uint64_t words[WORDS / WORD_BITS];
	uint32_t *found;
	size_t nfound, cap;
};

struct gram_collector *gram_collector_new(void)
{
	return xcalloc(1, sizeof(struct gram_collector));
}

void gram_collector_free(struct gram_collector *c)
{
	if (!c)
		return;
	free(c->found);
	free(c);
}

static void mark(struct gram_collector *c, uint32_t gram)
{
	uint32_t word = gram / WORD_BITS;

	c->grams[word] |= (uint64_t)1 << gram % WORD_BITS;
	c->words[word / WORD_BITS] |= (uint64_t)1 << word % WORD_BITS;
}

static void mark_all(struct gram_collector *c, const char *text, size_t n)
{
	uint32_t gram = 0;
	unsigned have = 0; /* normalised bytes since the last line end */

	for (size_t i = 0; i < n;) {
		unsigned char byte;
		i += normal_byte(text + i, n - i, &byte);
		if (byte == '\n') {
			have = 0;
			continue;
		}
		gram = (gram << 8 | byte) & GRAM_MASK;
		if (++have >= GRAM_BYTES)
			mark(c, gram);
	}
}

static void take_word(struct gram_collector *c, uint32_t word)
{
	c->found = grow(c->found, &c->cap, c->nfound + WORD_BITS, sizeof *c->found);
	for (uint64_t bits = c->grams[word]; bits; bits &= bits - 1)
		c->found[c->nfound++] = word * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
	c->grams[word] = 0;
}

/* List the marked grams, and clear the marks. */
static void take_all(struct gram_collector *c)
{
	c->nfound = 0;
	for (uint32_t i = 0; i < WORDS / WORD_BITS; i++) {
		for (uint64_t bits = c->words[i]; bits; bits &= bits - 1)
			take_word(c, i * WORD_BITS + (uint32_t)__builtin_ctzll(bits));
		c->words[i] = 0;
	}
}

const uint32_t *grams_collect(struct gram_collector *c, const char *text, size_t n, size_t *count)
{
	mark_all(c, text, n);
	take_all(c);
	*count = c->nfound;
	return c->found;
}

static bool all_hold(const struct gram_query *q, bool (*has)(void *, uint32_t), void *arg)
{
	for (size_t i = 0; i < q->nparts; i++)
		if (!gram_query_may_match(q->parts[i], has, arg))
			return false;
	return true;
}

static bool one_holds(const struct gram_query *q, bool (*has)(void *, uint32_t), void *arg)
{
	for (size_t i = 0; i < q->nparts; i++)
		if (gram_query_may_match(q->parts[i], has, arg))
			return true;
	return false;
}

bool gram_query_may_match(
    const struct gram_query *q, bool (*has)(void *arg, uint32_t gram), void *arg)
{
	switch (q->kind) {
	case GRAM_QUERY_ANY: return true;
	case GRAM_QUERY_GRAM: return has(arg, q->gram);
	case GRAM_QUERY_ALL: return all_hold(q, has, arg);
	case GRAM_QUERY_ONE: return one_holds(q, has, arg);
	}
	return true;
}
