#ifndef SHARD_DEFINITIONS_DEFINITIONS_INTERNAL_H
#define SHARD_DEFINITIONS_DEFINITIONS_INTERNAL_H
/*
 * Between the parts of the walk for definitions: definitions.c goes through the tree,
 * definitions_frames.c knows what it is inside of, definitions_make.c makes a definition of a
 * node.
 */

#include <ctype.h>

#include "proto/base/arena.h"
#include "shard/definitions/definitions.h"
#include "shard/definitions/references.h"
#include "shard/syntax/node_rules.h"

/* A node that the walk is inside of and that matters to what is below. */
struct walk_frame {
	uint32_t depth;
	TSNode node;
	const struct node_rule *rule;
	int def;		/* index, or -1 */
	/* qualified name of the type that its members belong to, which stands elsewhere; NULL */
	const char *owner;
	const char *members;	/* their visibility before any section; NULL */
	bool local;		/* a function */
	bool wrap;
	bool open;		/* with `owner`: members are visible */
	bool hidden;		/* what is in it is */
	struct walk_position place;	/* of what is right inside */
};

/* A word that says how visible the siblings after it are. */
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
	struct { uint32_t from, to; } comment;	/* the run of comments seen last */
	struct { uint32_t from, to, line; } before;	/* the run of attributes seen last */
	struct { struct section *v; size_t n, cap; } sections;
	struct { const char **v; size_t n, cap; } exports;
	size_t bindings_cap;
};

/* What a definition's node gives to each of its names. */
struct definition_site {
	const struct def_rule *rule;
	TSNode node, outer, body;
	uint32_t head, head_end;
	uint32_t from;		/* of the statement around it */
	bool exported, before;	/* before: attributes stand there */
};

static inline const char *walk_copy_text(struct definition_walk *w, uint32_t from, uint32_t to)
{
	return arena_strn(w->t->arena, w->t->text + from, to - from);
}

/* Whether only white space with at most one line end lies between. */
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

/* What is around the node that the walk is at. */
static inline struct walk_position frames_position(const struct definition_walk *w)
{
	static const struct walk_position file = { .definition = -1, .function = -1, .type = -1 };
	struct walk_position p = file;

	if (w->nframes)
		p = w->frame[w->nframes - 1].place;
	p.depth = w->depth;
	return p;
}

/* The walk goes on inside of `n`. */
void frames_push(
    struct definition_walk *, TSNode n, const struct node_rule *, int def, bool local, bool wrap);

/* The innermost frame that gives its members a name; NULL: the file. */
const struct walk_frame *frames_find_naming(const struct definition_walk *);

/* Whether the section that the walk is in, or what is around it, hides. */
bool frames_hidden(const struct definition_walk *);

/* The definition around, or -1. */
int frames_definition(const struct definition_walk *);

/*
 * What comes before the names of members here, NULL: nothing; whether they are members of a type.
 */
const char *frames_prefix(const struct definition_walk *, bool *in_type);

/* ---- definitions_make.c ---- */

/* Add the names that the site's rule leads to; how many there were. */
int definitions_add(struct definition_walk *, const struct definition_site *);

/* The name that a type's node holds, without arguments, pointers and what qualifies it. */
TSNode definitions_type_name_node(TSNode);
#endif
