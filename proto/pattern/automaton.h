#ifndef PROTO_PATTERN_AUTOMATON_H
#define PROTO_PATTERN_AUTOMATON_H
/*
 * A program as a deterministic automaton, built state by state while a text is read.  When its
 * memory is full, it forgets all states and goes on.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/pattern/alphabet.h"
#include "proto/pattern/pattern_program.h"

struct automaton;

/*
 * What table[state + letter] holds: the next state, and flags.  A match is known one letter late:
 * MOVE_MATCHED says that one ends before this letter.
 */
enum {
	MOVE_STATE = 0x3fffffff,
	MOVE_UNKNOWN = MOVE_STATE, /* ask automaton_move */
	MOVE_DEAD = 0, /* no match any more */
	/* the next state is MOVE_UNKNOWN, MOVE_DEAD, or one in which no match has begun */
	MOVE_SPECIAL = 0x40000000,
};
#define MOVE_MATCHED 0x80000000u

/* The program and the alphabet must outlive it. */
struct automaton *automaton_new(const struct program *, enum program_kind, const struct alphabet *);
void automaton_free(struct automaton *);

/*
 * The state before the first letter, when what was read before is known.  Valid, as every state,
 * until the next call.
 */
uint32_t automaton_start(struct automaton *, enum context before);

/* The move from a state with a letter; also enters it into the table. */
uint32_t automaton_move(struct automaton *, uint32_t state, uint32_t letter);

/* The table; valid until the next call of the functions above. */
const uint32_t *automaton_table(const struct automaton *);

/* How many steps of the program were visited since the last call: the work beside reading. */
uint64_t automaton_take_work(struct automaton *);
#endif
