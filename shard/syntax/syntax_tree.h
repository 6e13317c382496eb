#ifndef SHARD_SYNTAX_SYNTAX_TREE_H
#define SHARD_SYNTAX_SYNTAX_TREE_H
/*
 * A parsed file and the rules of its language, for the modules that read it: definitions, search
 * documents, contracts, URLs.
 */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "shard/syntax/macro_expansion.h"

struct arena;
struct parse_budget;
struct rules;

enum {
	TREE_MAX_DEPTH = 4000	/* deeper trees are hostile or data, and queries skip them */
};

/* A module-level or local name to which a value is assigned. */
struct binding {
	const char *name;
	TSNode value;
	uint32_t from, to;	/* bytes of the innermost function around it, or of the file */
};

struct named_node {
	TSNode n;
	TSSymbol symbol;
};

struct node_list {
	struct named_node *v;
	size_t n, cap;
};

struct syntax_tree {
	const char *text;
	size_t n;
	TSNode root;
	const struct rules *rules;
	struct arena *arena;
	struct { struct binding *v; size_t n; } bindings;	/* in order of appearance */
	struct {
		struct binding *v;
		size_t n;
	} slashed; /* values with a slash more (slash_endings.h) */
	/* the first binding of each hash of a name, and the next of each one, by number from 1 */
	struct { uint32_t *first, *next, mask; } named;
	uint32_t depth;		/* of the deepest node */
	/* all named nodes in order, if queries will run; NULL: each query walks the tree itself */
	struct node_list *seen;
	struct parse_budget *effort;	/* the rest of the budget for this file */
};

/*
 * The same as ts_node_parent, which searches from the root, so that climbing from a node takes time
 * that grows with the square of its depth; here one search serves the whole climb.  A null node has
 * no parent.  Each thread remembers what it found.
 */
TSNode node_parent(TSNode);

/* Forget the parents in trees that are gone: for each new tree, whose address they may have had. */
void node_parents_forget(void);

/* How often that happened: what is remembered of nodes counts only as long as this stays the same. */
uint32_t node_parents_forgotten(void);

/* Index the bindings by name, in t->arena. */
void bindings_index(struct syntax_tree *);

/* The first binding of a name, or the next one after `last`; NULL: there are no more. */
const struct binding *binding_named(
    const struct syntax_tree *, const char *name, size_t n, const struct binding *last);

/*
 * The same as ts_node_start_byte and ts_node_start_point, which are function calls although the
 * value is in the node.
 */
static inline uint32_t node_start_byte(TSNode n)
{
	return n.context[0];
}

static inline uint32_t node_end_byte(TSNode n)
{
	return ts_node_end_byte(n);
}

static inline uint32_t node_len(TSNode n)
{
	return ts_node_end_byte(n) - ts_node_start_byte(n);
}

/* Rows of what macros expand to have more bits (macro_expansion.h). */
static inline uint32_t real_row(uint32_t row)
{
	return row & ((1u << EXPANDED_LINE_BITS) - 1);
}

static inline uint32_t node_line(TSNode n)
{
	return real_row(n.context[1]) + 1;
}

/* The row in which the node ends, from 0. */
static inline uint32_t node_end_row(TSNode n)
{
	return real_row(ts_node_end_point(n).row);
}

static inline bool node_is(const struct syntax_tree *t, TSNode n, const char *text)
{
	return node_len(n) == strlen(text) && !memcmp(t->text + node_start_byte(n), text, node_len(n));
}

static inline bool node_type_is(TSNode n, const char *type)
{
	return !ts_node_is_null(n) && !strcmp(ts_node_type(n), type);
}

/* The child in a field, or a null node; a null node has none. */
TSNode node_field(TSNode, const char *name);

/* The length of a prefix that makes a name a member of the object itself: `this.`, `$this->`. */
static inline size_t self_prefix(const char *s, size_t n)
{
	static const char *const before[] = { "this.", "self.", "$this->", "self::$", "static::$" };

	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		if (n > strlen(before[i]) && !memcmp(s, before[i], strlen(before[i])))
			return strlen(before[i]);
	return 0;
}
#endif
