#include "shard/syntax/syntax_tree.h"

#include <stdatomic.h>
#include <stdint.h>

enum { REMEMBERED_BITS = 10 };

struct known_parent {
	const void *id;		/* of the child */
	const TSTree *tree;
	uint32_t since;		/* the number of trees so far, when it was found */
	TSNode parent;
};

static _Thread_local struct known_parent known[1 << REMEMBERED_BITS];
static _Atomic uint32_t trees = 1;

void node_parents_forget(void)
{
	atomic_fetch_add(&trees, 1);
}

uint32_t node_parents_forgotten(void)
{
	return atomic_load_explicit(&trees, memory_order_relaxed);
}

static struct known_parent *place_of(const void *id)
{
	uint64_t hash = ((uint64_t)(uintptr_t)id >> 3) * 0x9e3779b97f4a7c15u;

	return &known[hash >> (64 - REMEMBERED_BITS)];
}

static TSNode search(TSNode n, uint32_t now)
{
	TSNode parent = ts_tree_root_node(n.tree);

	if (parent.id == n.id)
		return (TSNode){ 0 };
	for (;;) {
		TSNode below = ts_node_child_with_descendant(parent, n);
		if (ts_node_is_null(below))
			return parent;
		*place_of(below.id) = (struct known_parent){ below.id, n.tree, now, parent };
		if (below.id == n.id)
			return parent;
		parent = below;
	}
}

TSNode node_parent(TSNode n)
{
	uint32_t now = node_parents_forgotten();

	if (ts_node_is_null(n))
		return n;
	if (ts_node_start_byte(n) == ts_node_end_byte(n))	/* others may end there, too */
		return ts_node_parent(n);
	const struct known_parent *k = place_of(n.id);
	if (k->id == n.id && k->tree == n.tree && k->since == now)
		return k->parent;
	return search(n, now);
}
