#ifndef SHARD_NODES_H
#define SHARD_NODES_H
/* Every node of a tree, in order. */

#include "shard/tree.h"

/*
 * Call `each` for every named node from `root` on, before those that are in it; words and signs only count for the depth.
 * Returns how deep the deepest node is; the root is at 0.
 */
uint32_t nodes_each(TSNode root, void (*each)(void *, TSNode, uint32_t depth), void *arg);
#endif
