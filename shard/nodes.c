#include "shard/nodes.h"

#include <stdbool.h>
#include <stdlib.h>

#include "language.h"
#include "subtree.h"

#include "proto/base/buf.h"

/*
 * What a TSTreeCursor does, in a fraction of its time: the walk cost as much as all that is found on the way.  The only
 * file that reads tree-sitter's own structures; those of the version that package-lock.json pins (tests/unit/test_nodes.c).
 */

/* The children of a node, as far as they were seen. */
struct level {
	const Subtree *child;
	uint32_t left;			/* how many there are yet */
	uint32_t depth;			/* of those that are visible */
	Length at;			/* of the next one */
	const TSSymbol *alias;		/* of the next one that is no extra; NULL: none has one */
};

struct walk {
	const TSLanguage *language;
	struct level *level;
	size_t n, cap;
};

static void enter(struct walk *w, Subtree parent, Length at, uint32_t depth)
{
	w->level = grow(w->level, &w->cap, w->n + 1, sizeof *w->level);
	w->level[w->n++] = (struct level){ .child = ts_subtree_children(parent), .left = ts_subtree_child_count(parent),
		.depth = depth, .at = at, .alias = ts_language_alias_sequence(w->language, ts_subtree_production_id(parent)) };
}

/* Go on to the child after this one; the alias of this one, or 0. */
static TSSymbol pass(struct level *l)
{
	TSSymbol alias = 0;

	if (!ts_subtree_extra(*l->child) && l->alias)
		alias = *l->alias++;
	l->at = length_add(l->at, ts_subtree_size(*l->child));
	if (--l->left)
		l->at = length_add(l->at, ts_subtree_padding(l->child[1]));
	l->child++;
	return alias;
}

uint32_t nodes_each(TSNode root, void (*each)(void *, TSNode, uint32_t depth), void *arg)
{
	struct walk w = { .language = ts_node_language(root) };
	Length start = { ts_node_start_byte(root), ts_node_start_point(root) };
	uint32_t deepest = 0;

	each(arg, root, 0);
	enter(&w, *(const Subtree *)root.id, start, 1);
	while (w.n) {
		struct level *l = &w.level[w.n - 1];
		if (!l->left) {
			w.n--;
			continue;
		}
		const Subtree *child = l->child;
		uint32_t depth = l->depth;
		Length at = l->at;
		TSSymbol alias = pass(l);
		bool visible = ts_subtree_visible(*child) || alias;
		if (visible && depth > deepest)
			deepest = depth;
		if (visible && (alias ? ts_language_symbol_metadata(w.language, alias).named : ts_subtree_named(*child)))
			each(arg, (TSNode){ { at.bytes, at.extent.row, at.extent.column, alias }, child, root.tree }, depth);
		if (ts_subtree_visible_child_count(*child))
			enter(&w, *child, at, depth + visible);
	}
	free(w.level);
	return deepest;
}
