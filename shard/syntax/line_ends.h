#ifndef SHARD_SYNTAX_LINE_ENDS_H
#define SHARD_SYNTAX_LINE_ENDS_H
/*
 * Ends of lines that a grammar must not see.  Kotlin's takes annotations above a class for
 * expressions of their own, since `@Path("/users")` may be the expression ("/users") with an
 * annotation, and an expression may end where the line does. And the head of a class ends for it
 * where the line does, also when the constructor stands in the next one.
 */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct rules;

struct excluded_range {
	/* bytes that are left out; none: the end of line right before is to be read as a blank */
	uint32_t from, to;
};

/*
 * Behind each annotation that begins a line, has arguments, and has a declaration or another one
 * below it: what ends its line. Between the head of a class and, below it, the word of a `join`
 * row behind modifiers and annotations: the ends of lines, as blanks. In order, into *out (arena);
 * how many.  Only languages with `carry` or `join` in their nodes.tab have any.
 */
size_t line_ends_find(
    const struct rules *, const char *text, size_t n, struct arena *, struct excluded_range **out);
#endif
