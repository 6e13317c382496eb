#include "shard/search/phrase_match.h"

#include <stdint.h>
#include <string.h>

#include "proto/text/tokens.h"

/* Bit i is set if the first i + 1 words of the phrase end at this position. */
struct phrase_state {
	const struct phrase *phrase;
	uint64_t before, here;
};

static int step(void *arg, const struct token *t)
{
	struct phrase_state *m = arg;

	if (!t->same_position) {
		m->before = m->here;
		m->here = 0;
	}
	for (size_t i = 0; i < m->phrase->n; i++)
		if (!strncmp(m->phrase->word[i], t->text, t->n) && !m->phrase->word[i][t->n])
			m->here |= (m->before << 1 | 1) & (uint64_t)1 << i;
	return m->here >> (m->phrase->n - 1) & 1;
}

bool phrase_matches(const struct phrase *p, const char *text, size_t n)
{
	struct phrase_state m = { .phrase = p };

	return p->n && tokens_each(text, n, true, step, &m);
}
