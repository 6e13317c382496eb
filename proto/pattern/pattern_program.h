#ifndef PROTO_PATTERN_PATTERN_PROGRAM_H
#define PROTO_PATTERN_PATTERN_PROGRAM_H
/*
 * A tree as a non-deterministic automaton: steps that read a character, split, or look at the
 * place.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/pattern/pattern_tree.h"

struct arena;
struct err;
struct set_table;

enum step_kind {
	STEP_SET, /* reads a character of a set */
	STEP_ANY, /* reads anything, bytes that are no UTF-8 too */
	STEP_SPLIT, /* goes on at `next`, and with less preference at `other` */
	STEP_PLACE, /* goes on if the place fits */
	STEP_MATCH,
};

struct step {
	enum step_kind kind;
	enum place place;
	uint32_t set; /* its number in the table of sets */
	uint32_t next, other;
};

/* Immutable. */
struct program {
	const struct step *steps;
	uint32_t nsteps, start;
	bool has_places;
};

enum program_kind {
	PROGRAM_SEARCH, /* reads forward; the match may begin anywhere, the leftmost is preferred */
	PROGRAM_BACK, /* reads backward from the end of a match */
};

/*
 * In the arena; the sets that it reads are added to the table.  -1 with an error if it would be
 * too large.
 */
int program_make(struct program *, const struct node *, enum program_kind, struct set_table *,
    struct arena *, struct err *);
#endif
