#ifndef SHARD_SYNTAX_C_MACROS_H
#define SHARD_SYNTAX_C_MACROS_H
/*
 * Hides macros in C and similar languages.  A parser that does not know a macro sees one word too
 * many, and loses the declaration around it.  So words in capitals where only a macro can be are
 * replaced by blanks before the text is parsed.
 */

#include <stddef.h>

struct arena;
struct rules;

/* The text for the parser: `text` itself, or a copy of the same length in the arena. */
const char *c_macros_blank(const struct rules *, const char *text, size_t n, struct arena *);
#endif
