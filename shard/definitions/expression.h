#ifndef SHARD_DEFINITIONS_EXPRESSION_H
#define SHARD_DEFINITIONS_EXPRESSION_H
/* Expressions and types of a tree in the normal form of facts.h, by the rules of its language. */

#include <stdbool.h>

#include "shard/syntax/syntax_tree.h"

enum { NORMAL_FORM_MAX = 200 };	/* bytes; longer expressions have no normal form */

/* A normal form, NUL-terminated, while it is written. */
struct normal_form {
	char p[NORMAL_FORM_MAX + 1];
	size_t n;
};

/* Write the node's normal form to `f`, which is emptied first; false if it has none. */
bool expression_normalize(const struct syntax_tree *, TSNode, struct normal_form *f);
bool type_normalize(const struct syntax_tree *, TSNode, struct normal_form *f);

/* The same for a name: its parts joined by dots; false if it is not a name. */
bool name_normalize(const struct syntax_tree *, TSNode, struct normal_form *f);

/* The expression inside wrappers that do not change what it calls: parentheses, type arguments. */
TSNode expression_unwrap(const struct syntax_tree *, TSNode n);

/*
 * Split what an expression calls or names into its last name and the receiver before it (empty if
 * there is none, "?" if it has no normal form).  False if it is neither a name nor a member.
 */
bool expression_split(
    const struct syntax_tree *, TSNode, struct normal_form *name, struct normal_form *receiver);

/* Append a text; false if the form gets too long. */
bool normal_form_append(struct normal_form *, const char *text);

/* Split `a.b.C<D>` into C and a.b. */
void normal_form_split(
    const struct normal_form *, struct normal_form *name, struct normal_form *rest);
#endif
