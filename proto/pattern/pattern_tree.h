#ifndef PROTO_PATTERN_PATTERN_TREE_H
#define PROTO_PATTERN_PATTERN_TREE_H
/* The tree of a pattern, and the parser that makes it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/pattern/charset.h"

struct arena;
struct err;
struct pattern_options;

enum node_kind {
	NODE_EMPTY, /* matches the empty text */
	NODE_SET, /* one character of `set` */
	NODE_PLACE, /* the empty text at a `place` */
	NODE_SEQUENCE, /* all parts, one behind the other */
	NODE_CHOICE, /* one of the parts; the first that fits is preferred */
	NODE_REPEAT, /* the one part, `min` to `max` times */
};

enum place {
	PLACE_LINE_START,
	PLACE_LINE_END,
	PLACE_TEXT_START,
	PLACE_TEXT_END,
	PLACE_WORD_EDGE, /* \b */
	PLACE_NO_WORD_EDGE, /* \B */
	PLACE_BEFORE_WORD, /* behind a line start or a character that is in no word */
	PLACE_AFTER_WORD, /* before a line end or a character that is in no word */
};

enum { REPEAT_FOREVER = UINT32_MAX };

struct node {
	enum node_kind kind;
	enum place place;
	const struct charset *set;
	const struct node *const *parts;
	size_t nparts;
	uint32_t min, max; /* max may be REPEAT_FOREVER */
	bool lazy; /* as few times as possible */
	unsigned depth; /* of the tree below */
};

/* The tree of a pattern, in the arena.  NULL with an error that names the column. */
const struct node *pattern_parse(
    const char *text, size_t n, const struct pattern_options *, struct arena *, struct err *);

/*
 * The same with branches that begin alike put together: `abc|xy|abd` is `ab(?:c|d)|xy`.  An
 * automaton of many words is then as small as their number of different first characters.
 */
const struct node *tree_factored(const struct node *, struct arena *);

const struct node *node_pair(
    struct arena *, enum node_kind, const struct node *, const struct node *);
const struct node *node_place(struct arena *, enum place);
#endif
