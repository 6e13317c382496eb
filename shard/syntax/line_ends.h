#ifndef SHARD_SYNTAX_LINE_ENDS_H
#define SHARD_SYNTAX_LINE_ENDS_H
/*
 * Finds ends of lines that a grammar must not see.  Kotlin's grammar parses an annotation above a
 * class as an expression of its own, because `@Path("/users")` can be the expression ("/users")
 * with an annotation, and an expression can end at the end of a line.  It also ends the head of a
 * class there, even if the constructor is on the next line.
 */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct rules;

struct excluded_range {
	/* bytes to leave out; if from == to, read the end of line right before as a blank */
	uint32_t from, to;
};

/*
 * Finds the end of line after each annotation that begins a line, has arguments, and is followed
 * by a declaration or another annotation; and, as blanks, the ends of lines between the head of a
 * class and a word of a `join` row below it, after modifiers and annotations.  Stores them in
 * order in *out (arena) and returns their number.  Only languages with `carry` or `join` in
 * nodes.tab have any.  There are at most EXCLUDED_MAX: at every token, tree-sitter looks at each.
 */
enum { EXCLUDED_MAX = 4096 };

size_t line_ends_find(
    const struct rules *, const char *text, size_t n, struct arena *, struct excluded_range **out);

/*
 * The text with blanks for the words of `omit` rows, which a grammar does not know before another
 * word: `text` itself, or a copy of the same length in the arena.
 */
const char *line_ends_omit(const struct rules *, const char *text, size_t n, struct arena *);
#endif
