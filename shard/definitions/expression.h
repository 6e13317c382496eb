#ifndef SHARD_DEFINITIONS_EXPRESSION_H
#define SHARD_DEFINITIONS_EXPRESSION_H
/* Expressions and types of a tree in the normal form of facts.h, by the rules of its language. */

#include <stdbool.h>

#include "shard/syntax/syntax_tree.h"

enum { NORMAL_FORM_MAX = 200 };	/* longer ones have none */

/* Text that is being written. */
struct normal_form {
	char p[NORMAL_FORM_MAX + 1];
	size_t n;
};

/* What the node says, in `f` (which is emptied first); false: it has no normal form. */
bool expression_normalize(const struct syntax_tree *, TSNode, struct normal_form *f);
bool type_normalize(const struct syntax_tree *, TSNode, struct normal_form *f);

/* A name as written, its parts joined by dots; false: not a name. */
bool name_normalize(const struct syntax_tree *, TSNode, struct normal_form *f);

/* What is called when `n` is: without what only wraps it (parentheses, type arguments). */
TSNode expression_unwrap(const struct syntax_tree *, TSNode n);

/*
 * What is called or named by an expression: its last name, and what comes before it ("?": no
 * normal form; empty: nothing). False: neither a name nor a member.
 */
bool expression_split(
    const struct syntax_tree *, TSNode, struct normal_form *name, struct normal_form *receiver);

/* Divide `a.b.C<D>` into C and a.b. */
void normal_form_split(
    const struct normal_form *, struct normal_form *name, struct normal_form *rest);
#endif
