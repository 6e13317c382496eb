#ifndef SHARD_SYNTAX_TREE_NODES_H
#define SHARD_SYNTAX_TREE_NODES_H
/* The nodes of a tree, in order, and the children of one. */

#include "shard/syntax/syntax_tree.h"

/*
 * Call `each` for every named node from `root` on, before those that are in it; words and signs
 * only count for the depth. Returns how deep the deepest node is; the root is at 0.
 */
uint32_t nodes_each(TSNode root, void (*each)(void *, TSNode, uint32_t depth), void *arg);

/*
 * Call `each` for every child, words and signs too, with its field or 0, until it says false.
 * What a cursor passes, without its cost.
 */
void nodes_children(TSNode, bool (*each)(void *, TSNode, TSFieldId), void *arg);

/* The named children: into `out`, `max` at most; how many there are in all. */
uint32_t nodes_named(TSNode, TSNode *out, uint32_t max);

/* The first of them, null when there is none. */
TSNode nodes_first_named(TSNode n);

/* ts_node_child_by_field_id. */
TSNode nodes_field(TSNode, TSFieldId);
#endif
