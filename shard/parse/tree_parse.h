#ifndef SHARD_PARSE_TREE_PARSE_H
#define SHARD_PARSE_TREE_PARSE_H
/* Parses a text by a grammar, without what the grammar must not see. */

#include "shard/syntax/syntax_tree.h"

/* Counts lines from the last position on, so positions must not decrease. */
struct line_counter {
	const char *text;
	uint32_t line, start;	/* the current line, and the byte at which it begins */
};

TSRange tree_range_at(struct line_counter *, uint32_t from, uint32_t to);

/*
 * Parse t->text by the language of *parser and by t->rules, which may append to the text. Returns
 * the tree, which the caller deletes, or NULL if it costs too much; then *parser is a new one.
 */
TSTree *tree_parse(TSParser **parser, struct syntax_tree *);

/* How many bytes of the text could not be parsed. */
size_t tree_broken_bytes(const TSTree *);
#endif
