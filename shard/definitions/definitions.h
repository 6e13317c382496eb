#ifndef SHARD_DEFINITIONS_DEFINITIONS_H
#define SHARD_DEFINITIONS_DEFINITIONS_H
/* Find the definitions of a tree by the rules of its language, in one walk without recursion. */

#include "shard/facts/facts.h"
#include "shard/syntax/syntax_tree.h"

struct found_definition {
	struct definition def;
	uint32_t from, to;	/* its bytes, including the comment before it */
	int outer;		/* for found_around; of definitions that definitions_find found */
	bool has_body;
	bool flat;		/* contains definitions, but does not qualify their names */
	bool nested;		/* in a function */
	bool wrapped;		/* in an export statement */
	bool first;		/* the first name of its declaration */
	bool hidden;
};

/* Zero-initialise; reused over files. */
struct found_definitions {
	struct found_definition *v;
	size_t n, cap;
	struct { struct minor_name *v; size_t n, cap; } minors;	/* they may repeat others */
};

struct references;

/*
 * Fill `out` in order of start, and its minor names; strings and t->bindings live in t->arena.  Sets t->depth.  The
 * same walk feeds `uses`; the caller finishes it with references_end.
 */
void definitions_find(struct syntax_tree *, struct found_definitions *out, struct references *uses);

/*
 * The last definition before the one with the number `before` that begins at or before `from` and
 * ends at or after `to`, or -1.  All of them must be from definitions_find.
 */
int found_around(const struct found_definitions *, uint32_t from, uint32_t to, int before);

/*
 * The qualified name of the innermost definition around a byte, or NULL.  Definitions inside a
 * callable that are not callable themselves do not count.
 */
const char *found_enclosing_name(const struct found_definitions *, uint32_t at);
#endif
