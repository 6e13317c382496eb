#ifndef SHARD_SYNTAX_TREE_PARENTS_H
#define SHARD_SYNTAX_TREE_PARENTS_H
/*
 * Parents of nodes.  tree-sitter finds a parent by a search from the root, so that climbing from a
 * node takes time that grows with the square of its depth; here one search serves the whole climb.
 */

#include <tree_sitter/api.h>

/* The same as ts_node_parent; a null node has none.  Each thread remembers what it found. */
TSNode node_parent(TSNode);

/* Forget the parents in trees that are gone: for each new tree, whose address they may have had. */
void node_parents_forget(void);
#endif
