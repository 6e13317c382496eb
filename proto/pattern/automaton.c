#include "proto/pattern/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"
#include "proto/base/sorting.h"

enum {
	TABLE_BYTES = 2 << 20,
	LISTS_BYTES = 4 << 20,
	MIN_STATES = 16,
	MAX_STATES = 20000,
	NO_STATE = UINT32_MAX
};

/* The steps of the program at which a search may be, in order of preference. */
struct state {
	const uint32_t *steps;
	uint32_t n;
	uint32_t hash;
	enum context before; /* what was read last; CONTEXT_OTHER if no step looks at it */
};

/* A list of distinct steps. */
struct step_list {
	uint32_t *v, n;
	uint32_t *seen; /* by step: the round in which it was added */
	uint32_t round;
};

struct automaton {
	const struct program *program;
	const struct alphabet *alphabet;
	enum program_kind kind;
	struct state *states;
	uint32_t nstates, max_states;
	uint32_t *table;
	uint32_t *by_hash, nslots; /* open addressing; NO_STATE is free */
	uint32_t starts[NCONTEXTS]; /* NO_STATE until needed */
	struct arena *lists;
	struct step_list here, resolved, next, search; /* search: the steps of the start */
	uint32_t *stack;
	uint64_t work;
};

static void list_init(struct step_list *l, uint32_t nsteps)
{
	l->v = xcalloc(nsteps + 1, sizeof *l->v);
	l->seen = xcalloc(nsteps + 1, sizeof *l->seen);
}

static void list_done(struct step_list *l)
{
	free(l->v);
	free(l->seen);
}

static void list_clear(struct step_list *l, uint32_t nsteps)
{
	l->n = 0;
	if (!++l->round) {
		memset(l->seen, 0, (nsteps + 1) * sizeof *l->seen);
		l->round = 1;
	}
}

/* ---- closures ---- */

static bool place_fits(enum place place, enum context before, enum context after)
{
	switch (place) {
	case PLACE_LINE_START: return before == CONTEXT_EDGE || before == CONTEXT_LINE_END;
	case PLACE_LINE_END: return after == CONTEXT_EDGE || after == CONTEXT_LINE_END;
	case PLACE_TEXT_START: return before == CONTEXT_EDGE;
	case PLACE_TEXT_END: return after == CONTEXT_EDGE;
	case PLACE_WORD_EDGE: return (before == CONTEXT_WORD) != (after == CONTEXT_WORD);
	case PLACE_NO_WORD_EDGE: return (before == CONTEXT_WORD) == (after == CONTEXT_WORD);
	case PLACE_BEFORE_WORD: return before != CONTEXT_WORD && before != CONTEXT_INVALID;
	case PLACE_AFTER_WORD: return after != CONTEXT_WORD && after != CONTEXT_INVALID;
	}
	return false;
}

/* Whether a place fits between what was read last and what comes next. */
static bool fits(const struct automaton *t, enum place place, enum context last, enum context next)
{
	if (t->kind == PROGRAM_BACK)
		return place_fits(place, next, last);
	return place_fits(place, last, next);
}

/*
 * Where a closure stands: it knows what comes next only if `resolve`; else places stay in the
 * list.
 */
struct surroundings {
	bool resolve;
	enum context last, next;
};

/* Add a step, or those that it leads to without reading, in order of preference. */
static void add_closure(
    struct automaton *t, struct step_list *to, uint32_t first, const struct surroundings *s)
{
	uint32_t depth = 0;

	t->stack[depth++] = first;
	while (depth) {
		uint32_t at = t->stack[--depth];
		const struct step *step = &t->program->steps[at];
		if (to->seen[at] == to->round)
			continue;
		to->seen[at] = to->round;
		t->work++;
		if (step->kind == STEP_SPLIT) {
			t->stack[depth++] = step->other;
			t->stack[depth++] = step->next;
		} else if (step->kind == STEP_PLACE && s->resolve) {
			if (fits(t, step->place, s->last, s->next))
				t->stack[depth++] = step->next;
		} else {
			to->v[to->n++] = at;
		}
	}
}

/* ---- states ---- */

static void forget(struct automaton *t)
{
	arena_reset(t->lists);
	t->nstates = 0;
	memset(t->by_hash, 0xff, t->nslots * sizeof *t->by_hash);
	for (int i = 0; i < NCONTEXTS; i++)
		t->starts[i] = NO_STATE;
}

static uint32_t hash_steps(const uint32_t *steps, uint32_t n, enum context before)
{
	uint64_t hash = 0x9e3779b97f4a7c15u + before;

	for (uint32_t i = 0; i < n; i++)
		hash = (hash ^ steps[i]) * 0xff51afd7ed558ccdu;
	return (uint32_t)(hash >> 32);
}

static bool same_steps(const struct state *s, const uint32_t *steps, uint32_t n)
{
	return s->n == n && (!n || !memcmp(s->steps, steps, n * sizeof *steps));
}

static uint32_t *slot_of(
    struct automaton *t, const uint32_t *steps, uint32_t n, enum context before, uint32_t hash)
{
	for (uint32_t i = hash % t->nslots;; i = (i + 1) % t->nslots) {
		uint32_t known = t->by_hash[i];
		if (known == NO_STATE)
			return &t->by_hash[i];
		const struct state *s = &t->states[known];
		if (s->hash == hash && s->before == before && same_steps(s, steps, n))
			return &t->by_hash[i];
	}
}

static bool has_places(const struct automaton *t, const uint32_t *steps, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (t->program->steps[steps[i]].kind == STEP_PLACE)
			return true;
	return false;
}

static bool is_full(const struct automaton *t)
{
	return t->nstates == t->max_states || arena_used(t->lists) > LISTS_BYTES;
}

static uint32_t state_number(
    struct automaton *t, const uint32_t *steps, uint32_t n, enum context before)
{
	if (!has_places(t, steps, n))
		before = CONTEXT_OTHER;
	uint32_t hash = hash_steps(steps, n, before);
	uint32_t *slot = slot_of(t, steps, n, before, hash);
	if (*slot != NO_STATE)
		return *slot;
	uint32_t *copy = arena_many(t->lists, n, uint32_t);
	if (n)
		memcpy(copy, steps, n * sizeof *copy);
	*slot = t->nstates;
	t->states[t->nstates] = (struct state){ copy, n, hash, before };
	uint32_t *row = t->table + (size_t)t->nstates * t->alphabet->nletters;
	for (uint32_t i = 0; i < t->alphabet->nletters; i++)
		row[i] = (uint32_t)MOVE_SPECIAL | MOVE_UNKNOWN;
	t->work += t->alphabet->nletters / 8;
	return t->nstates++;
}

/* The dead state is always the first. */
static void begin(struct automaton *t)
{
	forget(t);
	state_number(t, NULL, 0, CONTEXT_OTHER);
}

struct automaton *automaton_new(
    const struct program *program, enum program_kind kind, const struct alphabet *alphabet)
{
	struct automaton *t = xcalloc(1, sizeof *t);
	static const struct surroundings unknown = { 0 };

	t->program = program;
	t->kind = kind;
	t->alphabet = alphabet;
	t->max_states = TABLE_BYTES / (uint32_t)sizeof *t->table / alphabet->nletters;
	t->max_states = MIN(MAX(t->max_states, (uint32_t)MIN_STATES), (uint32_t)MAX_STATES);
	t->states = xcalloc(t->max_states, sizeof *t->states);
	t->table = xmalloc((size_t)t->max_states * alphabet->nletters * sizeof *t->table);
	t->nslots = 2 * t->max_states + 1;
	t->by_hash = xmalloc(t->nslots * sizeof *t->by_hash);
	t->lists = arena_new();
	t->stack = xcalloc(2 * (size_t)program->nsteps + 2, sizeof *t->stack);
	list_init(&t->here, program->nsteps);
	list_init(&t->resolved, program->nsteps);
	list_init(&t->next, program->nsteps);
	list_init(&t->search, program->nsteps);
	list_clear(&t->search, program->nsteps);
	add_closure(t, &t->search, program->start, &unknown);
	begin(t);
	return t;
}

void automaton_free(struct automaton *t)
{
	if (!t)
		return;
	list_done(&t->here);
	list_done(&t->resolved);
	list_done(&t->next);
	list_done(&t->search);
	arena_free(t->lists);
	free(t->stack);
	free(t->by_hash);
	free(t->table);
	free(t->states);
	free(t);
}

uint32_t automaton_start(struct automaton *t, enum context before)
{
	if (t->starts[before] == NO_STATE) {
		if (is_full(t))
			begin(t);
		t->starts[before] = state_number(t, t->search.v, t->search.n, before);
	}
	return t->starts[before] * t->alphabet->nletters;
}

/* ---- moves ---- */

static bool reads(const struct automaton *t, const struct step *step, uint32_t letter)
{
	if (letter == LETTER_EDGE)
		return false;
	if (step->kind == STEP_ANY)
		return true;
	if (step->kind != STEP_SET || letter == LETTER_INVALID)
		return false;
	return charset_has(t->alphabet->sets[step->set], t->alphabet->example[letter]);
}

/* The steps of `from`, with those behind places that fit in place of the places. */
static const struct step_list *resolve(
    struct automaton *t, const struct step_list *from, enum context last, enum context next)
{
	const struct surroundings s = { true, last, next };

	if (!has_places(t, from->v, from->n))
		return from;
	list_clear(&t->resolved, t->program->nsteps);
	for (uint32_t i = 0; i < from->n; i++)
		add_closure(t, &t->resolved, from->v[i], &s);
	return &t->resolved;
}

/*
 * Move all steps on; true if one of them is the match, behind which less preferred steps are
 * dropped.
 */
static bool move_steps(struct automaton *t, const struct step_list *from, uint32_t letter)
{
	static const struct surroundings unknown = { 0 };
	bool matched = false;

	list_clear(&t->next, t->program->nsteps);
	for (uint32_t i = 0; i < from->n; i++) {
		const struct step *step = &t->program->steps[from->v[i]];
		t->work++;
		if (step->kind == STEP_MATCH) {
			matched = true;
			if (t->kind == PROGRAM_SEARCH)
				break;
		} else if (reads(t, step, letter)) {
			add_closure(t, &t->next, step->next, &unknown);
		}
	}
	return matched;
}

static int compare_steps(const void *a, const void *b)
{
	return compare_numbers(*(const uint32_t *)a, *(const uint32_t *)b);
}

uint32_t automaton_move(struct automaton *t, uint32_t row, uint32_t letter)
{
	uint32_t nletters = t->alphabet->nletters, number = row / nletters;
	enum context last = t->states[number].before, read = t->alphabet->contexts[letter];
	uint32_t move;

	list_clear(&t->here, t->program->nsteps);
	t->here.n = t->states[number].n;
	if (t->here.n)
		memcpy(t->here.v, t->states[number].steps, t->here.n * sizeof *t->here.v);
	bool matched = move_steps(t, resolve(t, &t->here, last, read), letter);
	if (t->kind == PROGRAM_BACK && t->next.n > 1)
		qsort(t->next.v, t->next.n, sizeof *t->next.v, compare_steps); /* here all are equal */
	bool forgotten = is_full(t);
	if (forgotten)
		begin(t);
	uint32_t to = state_number(t, t->next.v, t->next.n, read);
	move = to * nletters;
	if (!t->next.n || same_steps(&t->states[to], t->search.v, t->search.n))
		move |= (uint32_t)MOVE_SPECIAL;
	if (matched)
		move |= MOVE_MATCHED;
	if (!forgotten)
		t->table[row + letter] = move;
	return move;
}

const uint32_t *automaton_table(const struct automaton *t)
{
	return t->table;
}

uint64_t automaton_take_work(struct automaton *t)
{
	uint64_t work = t->work;

	t->work = 0;
	return work;
}
