#ifndef SHARD_DEFINITIONS_REFERENCES_H
#define SHARD_DEFINITIONS_REFERENCES_H
/*
 * What a file uses: references, imports, bases, locals and its package, by the rules of its
 * language.  The walk of definitions.c tells it where it is; it never walks itself.
 */

#include "shard/facts/facts.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/syntax_tree.h"

/* Where the walk is. */
struct walk_position {
	uint32_t depth;
	int definition, function, type;	/* innermost around, or -1 */
	bool local;			/* in a function, with or without a name */
	bool direct;			/* the innermost function is `function` */
};

struct references;

struct references *references_new(void);
void references_free(struct references *);	/* NULL is fine */
void references_begin(struct references *, struct syntax_tree *);

/* The walk comes to a node: before anything else about it. */
void references_enter_node(struct references *, TSNode, uint32_t depth);

/* Whether the node, whose rule it is, is an import; it is then noted. */
bool references_import(
    struct references *, TSNode, const struct node_rule *, const struct walk_position *);

/* A function begins at `depth`. */
void references_open_scope(struct references *, uint32_t depth);

/* Names of the node (null is fine), which the walk will come to, are seen as told. */
void references_claim(struct references *, TSNode, enum claim);

/* What was found from `from` on is of a definition that begins there: what its decorators name. */
void references_set_owner(struct references *, uint32_t from, int definition);

/*
 * Note what the node uses.  `returns`: value of the function that a return statement here belongs
 * to; NULL: none.
 */
void references_collect(struct references *, TSNode, const struct node_rule *,
    const struct walk_position *, const char **returns);

/* Whether a field of that qualified name was defined before; from now on it is. */
bool references_mark_defined(struct references *, const char *qualified);

/*
 * The expression or type in normal form, in the tree's arena; NULL: none, or of a local of which
 * nothing is known, with `elsewhere` of any local.
 */
const char *references_normal_value(struct references *, TSNode, bool elsewhere);
const char *references_normal_type(struct references *, TSNode);

/* Put what was found into `out`; its definitions are complete. */
void references_end(struct references *, struct facts *out);
#endif
