#ifndef SHARD_SYNTAX_TREE_NODES_H
#define SHARD_SYNTAX_TREE_NODES_H
/* Visits the nodes of a tree in order, and the children of a node. */

#include "shard/syntax/syntax_tree.h"

/*
 * Call `each` for `root` and every named node in it, parents first.  Returns the depth of the
 * deepest node, which may be an unnamed one (a word or sign); the root has depth 0.
 */
uint32_t nodes_each(TSNode root, void (*each)(void *, TSNode, uint32_t depth), void *arg);

/*
 * Call `each` for every child, including words and signs, with its field or 0, until it returns
 * false.  Visits the same nodes as a cursor, but faster.
 */
void nodes_children(TSNode, bool (*each)(void *, TSNode, TSFieldId), void *arg);

/* Store at most `max` named children in `out`; returns the number of all named children. */
uint32_t nodes_named(TSNode, TSNode *out, uint32_t max);

/* The first named child, or a null node. */
TSNode nodes_first_named(TSNode n);

/* A faster ts_node_child_by_field_id. */
TSNode nodes_field(TSNode, TSFieldId);
#endif
