#include "shard/base/multi_search.h"

#include <stdint.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"

struct word_owner {
	unsigned id;
	struct word_owner *next;
};

/* A state stands for a prefix of a word that was just read; 0 is the empty prefix. */
struct automaton_state {
	struct word_owner *owners;		/* of the words that end here */
	uint32_t failure;		/* the longest proper suffix that is also a prefix of a word */
	uint32_t output;			/* first state on the failure chain that has owners; 0: none */
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
	size_t bytes, longest;		/* of all words together; of the longest word */
	uint8_t class[256];		/* bytes that are in no word have class 0 */
	uint32_t nclasses, nstates;
	struct automaton_state *states;
	/* [state * nclasses + class]: the next state, later encoded by multi_search_compile */
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
 * Complete the transitions of `state` with those of its failure state.  The queue holds shorter
 * states first, so the failure state is already complete.
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
	size_t max_states = k->bytes + 1;
	uint32_t *queue = arena_many(k->arena, max_states, uint32_t), end = 1;

	k->states = arena_many(k->arena, max_states, struct automaton_state);
	k->next = arena_many(k->arena, max_states * k->nclasses, uint32_t);
	k->nstates = 1;
	for (const struct search_word *w = k->words; w; w = w->next)
		if (w->n)
			insert_word(k, w);
	for (uint32_t i = 0; i < end; i++)
		link_state(k, queue[i], queue, &end);
	/*
	 * Encode each entry as twice the offset of the next state's row, plus 1 if a word ends there,
	 * so that the search reads one entry per byte.
	 */
	for (size_t i = 0; i < (size_t)k->nstates * k->nclasses; i++) {
		uint32_t state = k->next[i];
		k->next[i] = state * k->nclasses * 2 + (k->states[state].output > 0);
	}
}

static void report_owners(const struct multi_search *k, uint32_t state, bool *found)
{
	for (uint32_t s = k->states[state].output; s; s = k->states[k->states[s].failure].output)
		for (const struct word_owner *o = k->states[s].owners; o; o = o->next)
			found[o->id] = true;
}

/* The encoded state after a byte. */
static inline uint32_t advance_state(const struct multi_search *k, uint32_t at, char c, bool *found)
{
	at = k->next[at / 2 + k->class[(uint8_t)c]];
	if (__builtin_expect(at & 1, 0))
		report_owners(k, at / 2 / k->nclasses, found);
	return at;
}

/*
 * Search four parts of `part` bytes in parallel and return the state at their end.  Each lookup
 * depends on the one before it in the same part, so the processor can overlap the four.  Each part
 * but the first begins `back` bytes early, to find the words that span a border.
 */
static uint32_t search_four_parts(
    const struct multi_search *k, const char *text, size_t part, size_t back, bool *found)
{
	const char *s = text, *t = s + part - back, *u = t + part, *v = u + part;
	uint32_t a = 0, b = 0, c = 0, d = 0;

	for (size_t i = 0; i < part + back; i++) {
		a = advance_state(k, a, s[i], found);
		b = advance_state(k, b, t[i], found);
		c = advance_state(k, c, u[i], found);
		d = advance_state(k, d, v[i], found);
	}
	return d;
}

void multi_search_find(const struct multi_search *k, const char *text, size_t n, bool *found)
{
	enum { MIN_PARALLEL_BYTES = 256 };
	size_t done = 0;
	uint32_t state = 0;

	if (n >= MIN_PARALLEL_BYTES + 4 * k->longest) {
		state = search_four_parts(k, text, n / 4, k->longest, found);
		done = n / 4 * 4;
	}
	for (size_t i = done; i < n; i++)
		state = advance_state(k, state, text[i], found);
}
