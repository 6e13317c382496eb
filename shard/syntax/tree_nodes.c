#include "shard/syntax/tree_nodes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "language.h"
#include "subtree.h"
#include <tree.h>		/* not the one beside this file */

#include "proto/base/buf.h"
#include "shard/syntax/syntax_tree.h"

/*
 * Does the work of a TSTreeCursor in a fraction of its time; the walk by cursor took as long as
 * all the work on the nodes.  This is the only file that reads tree-sitter's internal structures,
 * in the version that package-lock.json pins (tests/unit/shard/syntax/test_nodes.c).
 */

/* A position among the children of a node. */
struct node_level {
	const Subtree *child;		/* the next one */
	uint32_t left;			/* number of children from this one on */
	uint32_t depth;			/* of the visible children */
	Length at;			/* position of the next child */
	const TSSymbol *alias;		/* of the next child that is not an extra; NULL if none has one */
};

struct node_walk {
	const TSLanguage *language;
	struct node_level *level;
	size_t n, cap;
};

static void push_level(struct node_walk *w, Subtree parent, Length at, uint32_t depth)
{
	w->level = grow(w->level, &w->cap, w->n + 1, sizeof *w->level);
	w->level[w->n++] = (struct node_level){ .child = ts_subtree_children(parent),
		.left = ts_subtree_child_count(parent),
		.depth = depth,
		.at = at,
		.alias = ts_language_alias_sequence(w->language, ts_subtree_production_id(parent)) };
}

/* Move to the next child; returns the alias of this one, or 0. */
static inline __attribute__((always_inline)) TSSymbol advance_level(struct node_level *l)
{
	TSSymbol alias = 0;

	if (!ts_subtree_extra(*l->child) && l->alias)
		alias = *l->alias++;
	l->at = length_add(l->at, ts_subtree_size(*l->child));
	if (--l->left) {
		if (l->left > 1 && !l->child[2].data.is_inline)
			__builtin_prefetch(l->child[2].ptr);
		l->at = length_add(l->at, ts_subtree_padding(l->child[1]));
	}
	l->child++;
	return alias;
}

static inline TSNode node_at(TSNode of, const Subtree *child, Length at, TSSymbol alias)
{
	return (TSNode){ { at.bytes, at.extent.row, at.extent.column, alias }, child, of.tree };
}

/* Whether a child is a visible named node. */
static inline bool is_named(const TSLanguage *language, Subtree child, TSSymbol alias)
{
	if (alias)
		return ts_language_symbol_metadata(language, alias).named;
	return ts_subtree_visible(child) && ts_subtree_named(child);
}

uint32_t nodes_each(TSNode root, void (*each)(void *, TSNode, uint32_t depth), void *arg)
{
	struct node_walk w = { .language = ts_node_language(root) };
	Length start = { ts_node_start_byte(root), ts_node_start_point(root) };
	uint32_t deepest = 0;

	each(arg, root, 0);
	push_level(&w, *(const Subtree *)root.id, start, 1);
	while (w.n) {
		struct node_level *l = &w.level[w.n - 1];
		if (!l->left) {
			w.n--;
			continue;
		}
		const Subtree *child = l->child;
		uint32_t depth = l->depth;
		Length at = l->at;
		TSSymbol alias = advance_level(l);
		bool visible = ts_subtree_visible(*child) || alias;
		if (visible && depth > deepest)
			deepest = depth;
		if (is_named(w.language, *child, alias))
			each(arg, node_at(root, child, at, alias), depth);
		if (ts_subtree_visible_child_count(*child))
			push_level(&w, *child, at, depth + visible);
	}
	free(w.level);
	return deepest;
}

/* ---- children ---- */

/* The position before the first child of a node. */
static inline struct node_level level_of(TSNode n)
{
	Subtree parent = *(const Subtree *)n.id;

	return (struct node_level){ .child = ts_subtree_children(parent),
		.left = ts_subtree_child_count(parent),
		.at = { n.context[0], { n.context[1], n.context[2] } },
		.alias = ts_language_alias_sequence(n.tree->language, ts_subtree_production_id(parent)) };
}

/* The field that a production assigns to a child, or `otherwise`. */
static inline TSFieldId object_field(
    const TSFieldMapEntry *map, const TSFieldMapEntry *end, uint32_t index, TSFieldId otherwise)
{
	for (; map < end; map++)
		if (!map->inherited && map->child_index == index)
			return map->field_id;
	return otherwise;
}

/* `outer`: the field of the hidden node that contains the children. */
static bool children(
    TSNode parent, TSFieldId outer, bool (*each)(void *, TSNode, TSFieldId), void *arg)
{
	const TSLanguage *language = parent.tree->language;
	const TSFieldMapEntry *map, *end;
	struct node_level l = level_of(parent);
	uint32_t index = 0;

	ts_language_field_map(
	    language, ts_subtree_production_id(*(const Subtree *)parent.id), &map, &end);
	while (l.left) {
		const Subtree *child = l.child;
		Length at = l.at;
		TSSymbol alias = advance_level(&l);
		TSFieldId field = 0;
		if (!ts_subtree_extra(*child))
			field = object_field(map, end, index++, outer);
		TSNode n = node_at(parent, child, at, alias);
		if (ts_subtree_visible(*child) || alias) {
			if (!each(arg, n, field))
				return false;
		} else if (ts_subtree_visible_child_count(*child) && !children(n, field, each, arg)) {
			return false;
		}
	}
	return true;
}

void nodes_children(TSNode n, bool (*each)(void *, TSNode, TSFieldId), void *arg)
{
	children(n, 0, each, arg);
}

static uint32_t named(TSNode parent, TSNode *out, uint32_t max, uint32_t found)
{
	const TSLanguage *language = parent.tree->language;

	for (struct node_level l = level_of(parent); l.left && found < max;) {
		const Subtree *child = l.child;
		Length at = l.at;
		TSSymbol alias = advance_level(&l);
		if (is_named(language, *child, alias))
			out[found++] = node_at(parent, child, at, alias);
		else if (ts_subtree_child_count(*child) && child->ptr->named_child_count)
			found = named(node_at(parent, child, at, alias), out, max, found);
	}
	return found;
}

TSNode nodes_first_named(TSNode n)
{
	TSNode first = { 0 };

	named(n, &first, 1, 0);
	return first;
}

uint32_t nodes_named(TSNode n, TSNode *out, uint32_t max)
{
	uint32_t count = ts_node_named_child_count(n);

	if (count)
		named(n, out, max, 0);
	return count;
}

/* ts_node_child(n, 0). */
static TSNode first_child(TSNode n)
{
	for (struct node_level l = level_of(n); l.left;) {
		const Subtree *child = l.child;
		Length at = l.at;
		TSSymbol alias = advance_level(&l);
		TSNode here = node_at(n, child, at, alias);
		if (ts_subtree_visible(*child) || alias)
			return here;
		if (ts_subtree_visible_child_count(*child))
			return first_child(here);
	}
	return (TSNode){ 0 };
}

/*
 * Like ts_node_child_by_field_id: the first visible node among the children to which the production
 * assigns the field, and among the children of those that are hidden.
 */
static TSNode field_at(
    TSNode n, TSFieldId field, const TSFieldMapEntry *map, const TSFieldMapEntry *end)
{
	struct node_level l = level_of(n);

	for (uint32_t index = 0; l.left && map < end;) {
		const Subtree *child = l.child;
		Length at = l.at;
		TSSymbol alias = advance_level(&l);
		if (ts_subtree_extra(*child) || index++ < map->child_index)
			continue;
		TSNode here = node_at(n, child, at, alias);
		if (map->inherited) {
			TSNode found = nodes_field(here, field);
			if (found.id || map + 1 == end)
				return found;
		} else if (ts_subtree_visible(*child) || alias) {
			return here;
		} else if (ts_subtree_visible_child_count(*child)) {
			return first_child(here);
		}
		map++;
	}
	return (TSNode){ 0 };
}

TSNode nodes_field(TSNode n, TSFieldId field)
{
	const TSFieldMapEntry *map, *end;
	const Subtree *parent = n.id;

	if (!ts_subtree_visible_child_count(*parent))
		return (TSNode){ 0 };
	ts_language_field_map(n.tree->language, ts_subtree_production_id(*parent), &map, &end);
	while (map < end && map->field_id != field)	/* the map is sorted by field, then by child */
		map++;
	while (map < end && end[-1].field_id != field)
		end--;
	if (map == end)
		return (TSNode){ 0 };
	return field_at(n, field, map, end);
}

enum { FIELD_BITS = 8, LONGEST_FIELD = 29 };

/*
 * The field of that name.  Each thread remembers what it found, because a language compares the
 * name with those of all its fields.
 */
static TSFieldId field_named(const TSLanguage *language, const char *name)
{
	static _Thread_local struct known_field {
		const TSLanguage *language;
		TSFieldId id;
		char name[LONGEST_FIELD + 1];
	} known[1 << FIELD_BITS];
	uint64_t hash = (uint64_t)(uintptr_t)language;
	size_t n = 0;

	for (; name[n]; n++)
		hash = (hash ^ (unsigned char)name[n]) * 0x100000001b3u;
	if (n > LONGEST_FIELD)
		return ts_language_field_id_for_name(language, name, (uint32_t)n);
	struct known_field *k = &known[hash * 0x9e3779b97f4a7c15u >> (64 - FIELD_BITS)];
	if (k->language == language && !strcmp(k->name, name))
		return k->id;
	k->language = language;
	memcpy(k->name, name, n + 1);
	k->id = ts_language_field_id_for_name(language, name, (uint32_t)n);
	return k->id;
}

TSNode node_field(TSNode n, const char *name)
{
	TSFieldId field = 0;

	if (ts_node_is_null(n))
		return n;
	field = field_named(n.tree->language, name);
	if (!field)
		return (TSNode){ 0 };
	return nodes_field(n, field);
}
