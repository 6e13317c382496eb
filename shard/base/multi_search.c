#include "shard/base/multi_search.h"

#include <stdint.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"

struct word_owner {
	unsigned id;
	struct word_owner *next;
};

/* A state is what was read last, as far as it begins a word; 0 is nothing. */
struct automaton_state {
	struct word_owner *owners;		/* of the words that end here */
	uint32_t failure;		/* the longest other end of it that begins a word */
	uint32_t output;			/* the first of it and those `shorter` that has owners; 0: none */
};

struct search_word {
	const char *s;
	size_t n;
	unsigned owner;
	struct search_word *next;
};

struct multi_search {
	struct arena *arena;
	struct search_word *words;
	size_t bytes, longest;		/* of all words; the longest one */
	uint8_t class[256];		/* a byte in no word has class 0 */
	uint32_t nclasses, nstates;
	struct automaton_state *states;
	/* [state * nclasses + class]: a state; when ready, as multi_search_compile says */
	uint32_t *next;
};

struct multi_search *multi_search_new(struct arena *a)
{
	struct multi_search *k = arena_one(a, struct multi_search);

	k->arena = a;
	k->nclasses = 1;
	return k;
}

void multi_search_add(struct multi_search *k, const char *word, size_t n, unsigned owner)
{
	struct search_word *w = arena_one(k->arena, struct search_word);

	*w = (struct search_word){ arena_strn(k->arena, word, n), n, owner, k->words };
	k->words = w;
	k->bytes += n;
	k->longest = MAX(n, k->longest);
	for (size_t i = 0; i < n; i++)
		if (!k->class[(uint8_t)word[i]])
			k->class[(uint8_t)word[i]] = (uint8_t)k->nclasses++;
}

static uint32_t *step(const struct multi_search *k, uint32_t state, char c)
{
	return &k->next[state * k->nclasses + k->class[(uint8_t)c]];
}

static void insert_word(struct multi_search *k, const struct search_word *w)
{
	struct word_owner *o = arena_one(k->arena, struct word_owner);
	uint32_t at = 0;

	for (size_t i = 0; i < w->n; i++) {
		uint32_t *to = step(k, at, w->s[i]);
		if (!*to)
			*to = k->nstates++;
		at = *to;
	}
	*o = (struct word_owner){ w->owner, k->states[at].owners };
	k->states[at].owners = o;
}

/*
 * Where `state` has no way on, its `shorter` one leads; shorter states come first, so that theirs
 * are known.
 */
static void link_state(struct multi_search *k, uint32_t state, uint32_t *queue, uint32_t *end)
{
	struct automaton_state *s = &k->states[state];

	if (s->owners)
		s->output = state;
	else
		s->output = k->states[s->failure].output;
	for (uint32_t c = 0; c < k->nclasses; c++) {
		uint32_t *to = &k->next[state * k->nclasses + c];
		uint32_t other = 0;
		if (state)
			other = k->next[s->failure * k->nclasses + c];
		if (*to) {
			k->states[*to].failure = other;
			queue[(*end)++] = *to;
		} else {
			*to = other;
		}
	}
}

void multi_search_compile(struct multi_search *k)
{
	size_t most = k->bytes + 1;
	uint32_t *queue = arena_many(k->arena, most, uint32_t), end = 1;

	k->states = arena_many(k->arena, most, struct automaton_state);
	k->next = arena_many(k->arena, most * k->nclasses, uint32_t);
	k->nstates = 1;
	for (const struct search_word *w = k->words; w; w = w->next)
		if (w->n)
			insert_word(k, w);
	for (uint32_t i = 0; i < end; i++)
		link_state(k, queue[i], queue, &end);
	/*
	 * From now on twice the place of the state's row, odd where a word ends: one look for a byte.
	 */
	for (size_t i = 0; i < (size_t)k->nstates * k->nclasses; i++)
		k->next[i] = k->next[i] * k->nclasses * 2 + (k->states[k->next[i]].output > 0);
}

static void report_owners(const struct multi_search *k, uint32_t state, bool *found)
{
	for (uint32_t s = k->states[state].output; s; s = k->states[k->states[s].failure].output)
		for (const struct word_owner *o = k->states[s].owners; o; o = o->next)
			found[o->id] = true;
}

/* The state after a byte. */
static inline uint32_t advance_state(const struct multi_search *k, uint32_t at, char c, bool *found)
{
	at = k->next[at / 2 + k->class[(uint8_t)c]];
	if (__builtin_expect(at & 1, 0))
		report_owners(k, at / 2 / k->nclasses, found);
	return at;
}

/*
 * Each look for a byte waits for the one before it; so a long text is read at four places at once,
 * each of which begins as far before the end of the one before it as a word that goes on may.
 */
void multi_search_find(const struct multi_search *k, const char *text, size_t n, bool *found)
{
	enum { FEW = 256 };
	size_t part = n / 4, back = k->longest;
	uint32_t a = 0, b = 0, c = 0, last = 0;

	if (n < FEW + 4 * back)
		part = 0;
	const char *s = text, *t = s + part - (part ? back : 0), *u = t + part, *v = u + part;
	for (size_t i = 0; part && i < part + back; i++) {
		a = advance_state(k, a, s[i], found);
		b = advance_state(k, b, t[i], found);
		c = advance_state(k, c, u[i], found);
		last = advance_state(k, last, v[i], found);
	}
	for (size_t i = 4 * part; i < n; i++)
		last = advance_state(k, last, text[i], found);
}
