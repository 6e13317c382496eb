#ifndef SHARD_CARRY_H
#define SHARD_CARRY_H
/*
 * Ends of lines that a grammar must not see.  Kotlin's takes annotations above a class for expressions of their own, since
 * `@Path("/users")` may be the expression ("/users") with an annotation, and an expression may end where the line does.
 */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct rules;

struct carried {
	uint32_t from, to;	/* bytes that are left out */
};

/*
 * Behind each annotation that begins a line, has arguments, and has a declaration or another one below it: what ends its line, in
 * order, into *out (arena); how many.  Only languages with `carry` in their nodes.tab have any.
 */
size_t carry_find(const struct rules *, const char *text, size_t n, struct arena *, struct carried **out);
#endif
