#include "proto/pattern/alphabet.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/int_map.h"
#include "proto/base/sorting.h"
#include "proto/pattern/unicode_sets.h"
#include "proto/pattern/utf8.h"

enum { MAX_LETTERS = 60000 };

struct set_table {
	struct arena *arena;
	struct int_map *by_hash; /* hash of the ranges -> the last set with it */
	struct known_set {
		const struct charset *set;
		struct known_set *next;
		uint32_t number;
	} * sets;
	const struct charset **list;
	size_t n, cap;
};

static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static uint64_t set_hash(const struct charset *set)
{
	uint64_t hash = set->n;

	for (size_t i = 0; i < set->n; i++)
		hash = mix(hash ^ ((uint64_t)set->ranges[i].first << 32 | set->ranges[i].last));
	return hash;
}

struct set_table *set_table_new(struct arena *a)
{
	struct set_table *t = xcalloc(1, sizeof *t);

	t->arena = a;
	t->by_hash = int_map_new();
	return t;
}

void set_table_free(struct set_table *t)
{
	if (!t)
		return;
	int_map_free(t->by_hash);
	free(t->list);
	free(t);
}

uint32_t set_table_add(struct set_table *t, const struct charset *set)
{
	void **slot = int_map_at(t->by_hash, set_hash(set));

	for (struct known_set *known = *slot; known; known = known->next)
		if (charset_equal(known->set, set))
			return known->number;
	struct known_set *added = arena_one(t->arena, struct known_set);
	*added = (struct known_set){ set, *slot, (uint32_t)t->n };
	*slot = added;
	t->list = grow(t->list, &t->cap, t->n + 1, sizeof *t->list);
	t->list[t->n++] = set;
	return added->number;
}

/* A set begins or ends at a character. */
struct border {
	uint32_t at;
	uint64_t set; /* hash of its number */
};

struct borders {
	struct border *v;
	size_t n, cap;
};

static void add_borders(struct borders *b, const struct charset *set, uint64_t number)
{
	b->v = grow(b->v, &b->cap, b->n + 2 * set->n, sizeof *b->v);
	for (size_t i = 0; i < set->n; i++) {
		b->v[b->n++] = (struct border){ set->ranges[i].first, mix(number) };
		b->v[b->n++] = (struct border){ set->ranges[i].last + 1, mix(number) };
	}
}

static int compare_borders(const void *a, const void *b)
{
	const struct border *x = a, *y = b;

	return compare_numbers(x->at, y->at);
}

static enum context context_of(uint32_t c)
{
	if (c == '\n')
		return CONTEXT_LINE_END;
	return charset_has(unicode_word(), c) ? CONTEXT_WORD : CONTEXT_OTHER;
}

/* What alphabet_make fills. */
struct letters {
	struct arena *arena;
	struct int_map *by_sets; /* sum of the sets' hashes -> letter */
	uint32_t *starts, *example;
	uint16_t *letters;
	uint8_t *contexts;
	size_t n;
	uint32_t nletters;
};

/* The letter of the characters that are in these sets; `c` is the first one. */
static uint16_t letter_of(struct letters *l, uint64_t sets, uint32_t c)
{
	void **slot = int_map_at(l->by_sets, sets);

	if (!*slot) {
		l->example[l->nletters] = c;
		l->contexts[l->nletters] = (uint8_t)context_of(c);
		*slot = (void *)(uintptr_t)l->nletters++;
	}
	return (uint16_t)(uintptr_t)*slot;
}

/* Characters between two borders are in the same sets. */
static bool sweep(struct letters *l, const struct borders *b)
{
	uint64_t sets = 0;

	for (size_t i = 0; i < b->n;) {
		uint32_t at = b->v[i].at;
		for (; i < b->n && b->v[i].at == at; i++)
			sets ^= b->v[i].set;
		if (at > LAST_CHARACTER)
			break;
		if (l->nletters >= MAX_LETTERS)
			return false;
		uint16_t letter = letter_of(l, sets, at);
		if (l->n && l->letters[l->n - 1] == letter)
			continue;
		l->starts[l->n] = at;
		l->letters[l->n++] = letter;
	}
	return true;
}

static bool make_letters(struct alphabet *alphabet, const struct borders *b, struct arena *a)
{
	struct letters l = { .arena = a, .by_sets = int_map_new(), .nletters = LETTER_FIRST };

	l.starts = arena_many(a, b->n, uint32_t);
	l.letters = arena_many(a, b->n, uint16_t);
	l.example = arena_many(a, b->n + LETTER_FIRST, uint32_t);
	l.contexts = arena_many(a, b->n + LETTER_FIRST, uint8_t);
	l.contexts[LETTER_INVALID] = CONTEXT_INVALID;
	l.contexts[LETTER_EDGE] = CONTEXT_EDGE;
	bool fits = sweep(&l, b);
	int_map_free(l.by_sets);
	alphabet->nletters = l.nletters;
	alphabet->starts = l.starts;
	alphabet->letters = l.letters;
	alphabet->nstarts = l.n;
	alphabet->example = l.example;
	alphabet->contexts = l.contexts;
	return fits;
}

int alphabet_make(
    struct alphabet *alphabet, const struct set_table *table, struct arena *a, struct err *e)
{
	struct borders b = { 0 };
	const struct charset **sets = arena_many(a, table->n, const struct charset *);
	const struct charset all = { 1, &(struct range){ 0, LAST_CHARACTER } };

	for (size_t i = 0; i < table->n; i++) {
		sets[i] = table->list[i];
		add_borders(&b, sets[i], i);
	}
	add_borders(&b, &all, table->n);
	add_borders(&b, unicode_word(), table->n + 1);
	add_borders(&b, charset_one(a, '\n'), table->n + 2);
	qsort(b.v, b.n, sizeof *b.v, compare_borders);
	bool fits = make_letters(alphabet, &b, a);
	free(b.v);
	if (!fits)
		return err_set(e, ERR_INVALID_INPUT,
		    "pattern: it tells more than %d groups of characters apart; write fewer different ones",
		    MAX_LETTERS);
	alphabet->sets = sets;
	for (uint32_t c = 0; c < ASCII_CHARACTERS; c++)
		alphabet->ascii[c] = (uint16_t)alphabet_letter(alphabet, c);
	return 0;
}

uint32_t alphabet_letter(const struct alphabet *alphabet, uint32_t c)
{
	size_t low = 0, high = alphabet->nstarts;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (c < alphabet->starts[middle])
			high = middle;
		else
			low = middle;
	}
	return alphabet->letters[low];
}
