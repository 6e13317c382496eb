#include "proto/pattern/pattern_program.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/pattern/alphabet.h"
#include "proto/pattern/pattern.h"

/* The steps are made from the last one to the first, so that each knows what follows it. */
struct maker {
	struct step *steps;
	size_t n, cap;
	uint64_t visits;
	bool backward, too_large, has_places;
	struct set_table *sets;
};

enum { VISITS_A_STEP = 4 };

static uint32_t add(struct maker *m, struct step step)
{
	if (m->n >= PATTERN_MAX_STEPS) {
		m->too_large = true;
		return 0;
	}
	m->steps = grow(m->steps, &m->cap, m->n + 1, sizeof *m->steps);
	m->steps[m->n] = step;
	return (uint32_t)m->n++;
}

static uint32_t add_split(struct maker *m, uint32_t what, uint32_t behind, bool lazy)
{
	struct step split = { .kind = STEP_SPLIT, .next = what, .other = behind };

	if (lazy) {
		split.next = behind;
		split.other = what;
	}
	return add(m, split);
}

static uint32_t make(struct maker *m, const struct node *node, uint32_t next);

static uint32_t make_sequence(struct maker *m, const struct node *node, uint32_t next)
{
	for (size_t i = 0; i < node->nparts; i++) {
		size_t part = m->backward ? i : node->nparts - 1 - i;
		next = make(m, node->parts[part], next);
	}
	return next;
}

static uint32_t make_choice(struct maker *m, const struct node *node, uint32_t next)
{
	uint32_t choice = make(m, node->parts[node->nparts - 1], next);

	for (size_t i = node->nparts - 1; i > 0; i--) {
		uint32_t branch = make(m, node->parts[i - 1], next);
		choice = add_split(m, branch, choice, false);
	}
	return choice;
}

/* At least once, if `once`; then any number of times. */
static uint32_t make_loop(struct maker *m, const struct node *node, uint32_t next, bool once)
{
	uint32_t split = add_split(m, next, next, false);
	uint32_t what = make(m, node->parts[0], split);

	if (m->too_large)
		return 0;
	if (node->lazy)
		m->steps[split].other = what;
	else
		m->steps[split].next = what;
	return once ? what : split;
}

static uint32_t make_repeat(struct maker *m, const struct node *node, uint32_t next)
{
	uint32_t needed = node->min, behind = next;

	if (node->max == REPEAT_FOREVER) {
		bool once = needed == 1;
		next = make_loop(m, node, next, once);
		needed -= once;
	} else {
		for (uint32_t i = node->min; i < node->max && !m->too_large; i++)
			next = add_split(m, make(m, node->parts[0], next), behind, node->lazy);
	}
	for (uint32_t i = 0; i < needed && !m->too_large; i++)
		next = make(m, node->parts[0], next);
	return next;
}

static uint32_t make(struct maker *m, const struct node *node, uint32_t next)
{
	m->visits++;
	m->too_large = m->too_large || m->visits > (uint64_t)VISITS_A_STEP * PATTERN_MAX_STEPS;
	if (m->too_large)
		return 0;
	switch (node->kind) {
	case NODE_EMPTY: return next;
	case NODE_SET:
		return add(m,
		    (struct step){
		        .kind = STEP_SET, .set = set_table_add(m->sets, node->set), .next = next });
	case NODE_PLACE:
		m->has_places = true;
		return add(m, (struct step){ .kind = STEP_PLACE, .place = node->place, .next = next });
	case NODE_SEQUENCE: return make_sequence(m, node, next);
	case NODE_CHOICE: return make_choice(m, node, next);
	case NODE_REPEAT: return make_repeat(m, node, next);
	}
	return next;
}

/* Before the program: read anything, as little as possible. */
static uint32_t make_search(struct maker *m, uint32_t start)
{
	uint32_t any = add(m, (struct step){ .kind = STEP_ANY });
	uint32_t split = add_split(m, start, any, false);

	if (!m->too_large)
		m->steps[any].next = split;
	return split;
}

int program_make(struct program *program, const struct node *tree, enum program_kind kind,
    struct set_table *sets, struct arena *a, struct err *e)
{
	struct maker m = { .sets = sets, .backward = kind == PROGRAM_BACK };
	uint32_t match = add(&m, (struct step){ .kind = STEP_MATCH });
	uint32_t start = make(&m, tree, match);

	if (kind == PROGRAM_SEARCH)
		start = make_search(&m, start);
	struct step *steps = arena_many(a, m.n, struct step);
	memcpy(steps, m.steps, m.n * sizeof *steps);
	free(m.steps);
	if (m.too_large)
		return err_set(e, ERR_INVALID_INPUT,
		    "pattern: it has more than %d parts once its repetitions are written out; "
		    "write a shorter one, or smaller numbers in {}",
		    PATTERN_MAX_STEPS);
	*program = (struct program){ steps, (uint32_t)m.n, start, m.has_places };
	return 0;
}
