#ifndef PROTO_PATTERN_ALPHABET_H
#define PROTO_PATTERN_ALPHABET_H
/*
 * The letters of an automaton: characters that no set of a pattern tells apart are one letter.
 * Most patterns have fewer than twenty.
 */

#include <stddef.h>
#include <stdint.h>

#include "proto/pattern/charset.h"

struct arena;
struct err;

/* The distinct sets of a pattern. */
struct set_table;

struct set_table *set_table_new(struct arena *);
void set_table_free(struct set_table *); /* its sets stay: they belong to the arena */
uint32_t set_table_add(struct set_table *, const struct charset *); /* the set's number */

/* What a place looks at. */
enum context {
	CONTEXT_EDGE,
	CONTEXT_LINE_END,
	CONTEXT_WORD,
	CONTEXT_OTHER,
	CONTEXT_INVALID,
	NCONTEXTS
};

enum { LETTER_INVALID, LETTER_EDGE, LETTER_FIRST, ASCII_CHARACTERS = 128 };

/* Immutable. */
struct alphabet {
	uint32_t nletters;
	uint16_t ascii[ASCII_CHARACTERS];
	/* The letters of all characters: letter[i] from starts[i] to before starts[i + 1]. */
	const uint32_t *starts;
	const uint16_t *letters;
	size_t nstarts;
	const uint32_t *example; /* by letter: one of its characters */
	const uint8_t *contexts; /* by letter */
	const struct charset *const *sets; /* by number */
};

/*
 * The letters that tell the sets of the table, words and line ends apart.  -1 with an error if
 * there are too many.
 */
int alphabet_make(struct alphabet *, const struct set_table *, struct arena *, struct err *);

uint32_t alphabet_letter(const struct alphabet *, uint32_t c);
#endif
