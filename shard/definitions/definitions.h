#ifndef SHARD_DEFINITIONS_DEFINITIONS_H
#define SHARD_DEFINITIONS_DEFINITIONS_H
/* Finds the definitions of a tree by the rules of its language, in one walk without recursion. */

#include "shard/facts/facts.h"
#include "shard/syntax/syntax_tree.h"

struct found_definition {
	struct definition def;
	uint32_t from, to;	/* its bytes with the comment before it */
	bool has_body;
	bool flat;		/* contains definitions, but does not name them */
	bool nested;		/* in a function */
	bool wrapped;		/* in an export statement */
	bool first;		/* not the second name of one declaration */
	bool hidden;
};

/* Zero-initialise; reused over files. */
struct found_definitions {
	struct found_definition *v;
	size_t n, cap;
};

struct references;

/*
 * Fill `out` in order of start; strings and t->bindings live in t->arena.  Sets t->depth.  `uses`
 * sees every node on the way; the caller ends it.
 */
void definitions_find(struct syntax_tree *, struct found_definitions *out, struct references *uses);

/*
 * The qualified name of the innermost definition around a byte, or NULL; callables before what is
 * in them.
 */
const char *found_enclosing_name(const struct found_definitions *, uint32_t at);
#endif
