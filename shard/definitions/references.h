#ifndef SHARD_DEFINITIONS_REFERENCES_H
#define SHARD_DEFINITIONS_REFERENCES_H
/*
 * What a file uses: references, imports, bases, locals and its package, by the rules of its
 * language.  The walk of definitions.c calls it for each node; it does not walk the tree itself.
 */

#include "shard/facts/facts.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/syntax_tree.h"

/* Where the walk is. */
struct walk_position {
	uint32_t depth;
	const TSNode *path;		/* the nodes around, by depth, and the node itself at `depth` */
	int definition, function, type;	/* the innermost around, or -1 */
	const char *doc; /* comment of `function`, or NULL */
	bool local;			/* in a function, named or not */
	bool direct;			/* the innermost function is `function` */
};

struct references;

struct references *references_new(void);
void references_free(struct references *);	/* NULL is fine */
void references_begin(struct references *, struct syntax_tree *);

/* Enter a node of the walk; call it before the other functions of the node. */
void references_enter_node(struct references *, TSNode, uint32_t depth);

/* Record the node if it is an import by its rule; returns whether it is. */
bool references_import(
    struct references *, TSNode, const struct node_rule *, const struct walk_position *);

/* Open the scope of a function at `depth`. */
void references_open_scope(struct references *, uint32_t depth);

/* Set how the names of a node that the walk has not reached yet are treated; null is fine. */
void references_claim(struct references *, TSNode, enum claim);

/* Give the references from byte `from` on to a definition: its decorators precede it. */
void references_set_owner(struct references *, uint32_t from, int definition);

/*
 * Record what the node uses.  `returns`: where the value of a return statement here is stored;
 * NULL if it is not wanted.
 */
void references_collect(struct references *, TSNode, const struct node_rule *,
    const struct walk_position *, const char **returns);

/* Whether a field of that qualified name was marked before; marks it. */
bool references_mark_defined(struct references *, const char *qualified);

/*
 * The normal form of an expression or type, in the tree's arena.  NULL if it has none, or if it
 * begins with a local of unknown origin (if `elsewhere`: with any local).
 */
const char *references_normal_value(struct references *, TSNode, bool elsewhere);
const char *references_normal_type(struct references *, TSNode);

/* Store the results in `out`, whose definitions are complete. */
void references_end(struct references *, struct facts *out);
#endif
