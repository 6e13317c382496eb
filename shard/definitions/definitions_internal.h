#ifndef SHARD_DEFINITIONS_DEFINITIONS_INTERNAL_H
#define SHARD_DEFINITIONS_DEFINITIONS_INTERNAL_H
/*
 * Shared by the parts of the walk for definitions: definitions.c walks the tree,
 * definitions_frames.c keeps the stack of nodes around, definitions_make.c turns a node into
 * definitions.
 */

#include <ctype.h>

#include "proto/base/arena.h"
#include "shard/definitions/definitions.h"
#include "shard/definitions/references.h"
#include "shard/syntax/node_rules.h"

/* A node around the walk's position that affects the nodes below it. */
struct walk_frame {
	uint32_t depth;
	TSNode node;
	const struct node_rule *rule;
	int def;		/* index of its definition, or -1 */
	/* qualified name of the type that its members belong to, if that is defined elsewhere */
	const char *owner;
	const char *members;	/* visibility of members before any section; or NULL */
	bool local;		/* a function */
	bool wrap;
	bool open;		/* with `owner`: members are visible */
	bool hidden;		/* everything in it is hidden */
	struct walk_position place;	/* of its children */
};

/* A word that sets the visibility of the siblings after it. */
struct section {
	uint32_t depth, from, to;
};

struct definition_walk {
	struct syntax_tree *t;
	struct found_definitions *out;
	struct references *uses;
	struct walk_frame *frame;
	size_t nframes, cap;
	uint32_t depth;
	struct { TSNode *v; size_t cap; } path;	/* the nodes around, by depth */
	struct { uint32_t from, to; } comment;		/* the last run of comments */
	struct { uint32_t from, to, line; } before;	/* the last run of attributes */
	struct { struct section *v; size_t n, cap; } sections;
	struct { const char **v; size_t n, cap; } exports;
	size_t bindings_cap, slashed_cap;
	bool broken;		/* names from errors were added */
};

/* What the names that one node defines have in common. */
struct definition_site {
	const struct def_rule *rule;
	TSNode node, outer, body;
	uint32_t head, head_end;
	uint32_t from;		/* where the statement around it begins */
	bool exported, before;	/* `before`: attributes precede it */
};

static inline const char *walk_copy_text(struct definition_walk *w, uint32_t from, uint32_t to)
{
	return arena_strn(w->t->arena, w->t->text + from, to - from);
}

/* Whether there is only white space between, with at most one newline. */
static inline bool adjacent(const struct syntax_tree *t, uint32_t from, uint32_t to)
{
	int lines = 0;

	for (uint32_t i = from; i < to; i++) {
		lines += t->text[i] == '\n';
		if (!isspace((unsigned char)t->text[i]) || lines > 1)
			return false;
	}
	return from <= to;
}

static inline bool is_type(const char *kind)
{
	return type_in_list(kind, "class|interface|trait|struct|enum");
}

/* ---- definitions_frames.c ---- */

static inline struct walk_frame *frames_top(const struct definition_walk *w)
{
	if (w->nframes)
		return &w->frame[w->nframes - 1];
	return NULL;
}

/* The position of the node that the walk is at. */
static inline struct walk_position frames_position(const struct definition_walk *w)
{
	static const struct walk_position file = { .definition = -1, .function = -1, .type = -1 };
	struct walk_position p = file;

	if (w->nframes)
		p = w->frame[w->nframes - 1].place;
	p.depth = w->depth;
	p.path = w->path.v;
	return p;
}

/* Enter `n`: it affects the nodes below it. */
void frames_push(
    struct definition_walk *, TSNode n, const struct node_rule *, int def, bool local, bool wrap);

/* The innermost frame that qualifies the names of its members; NULL at the top of the file. */
const struct walk_frame *frames_find_naming(const struct definition_walk *);

/* Whether the definition that qualifies names here has one of the kinds. */
bool frames_are_in(const struct definition_walk *, const char *kinds);

/* Whether definitions here are hidden, by the section or by a frame around. */
bool frames_hidden(const struct definition_walk *);

/* The innermost definition around, or -1. */
int frames_definition(const struct definition_walk *);

/* The qualified name before names here, or NULL; `*in_type`: whether they are members of a type. */
const char *frames_prefix(const struct definition_walk *, bool *in_type);

/* ---- definitions_make.c ---- */

/* Add the names that the site's rule finds; returns how many there were. */
int definitions_add(struct definition_walk *, const struct definition_site *);

/* Add the minor names of a node that defines nothing. */
void definitions_add_minors(struct definition_walk *, TSNode, const struct node_rule *);

/* Add a minor name of a kind, which spans the lines of `whole`. */
void definitions_add_minor(struct definition_walk *, const char *kind, TSNode whole, TSNode name);

/* The name in a type's node, without arguments, pointers and qualifiers. */
TSNode definitions_type_name_node(TSNode);

/* ---- broken_names.c ---- */

/*
 * Add the names of definitions whose heads stand in an error, because something behind them cannot
 * be parsed: the name after a word that begins a definition, or before parameters (`broken` in
 * lang/NODES.md). They are minor names, because nobody knows what belongs to them.
 */
void definitions_add_broken(struct definition_walk *, TSNode error);

/* After the walk: put these names where they stand among the other minor names. */
void definitions_order_broken(struct definition_walk *);
#endif
