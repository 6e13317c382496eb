#ifndef SHARD_SYNTAX_C_MACROS_H
#define SHARD_SYNTAX_C_MACROS_H
/*
 * Macros in sources like C's: a parser that does not know them sees a word too many and loses the
 * declaration around. Words in capitals that stand where only a macro can are blanked before the
 * text is parsed.
 */

#include <stddef.h>

struct arena;
struct rules;

/* The text for the parser: `text` itself, or a copy of the same length in the arena. */
const char *c_macros_blank(const struct rules *, const char *text, size_t n, struct arena *);
#endif
