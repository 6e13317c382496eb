#ifndef SHARD_SYNTAX_MACRO_EXPANSION_H
#define SHARD_SYNTAX_MACRO_EXPANSION_H
/*
 * Expands macros that a file itself defines by example (Rust's macro_rules!) and uses at its top
 * level, if they write paths: what such a macro registers or requests is in no syntax tree, because
 * grammars only see tokens.  The expansions are appended to the text, and are parsed as if they
 * stood on the lines of what the macro was given.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct rules;

/* A part of the new text, and the line, from 0, on which it stands. */
struct expanded_part {
	uint32_t from, to, line;
};

struct macro_expansion {
	const char *text;	/* the old text, followed by the expansions */
	size_t n;
	struct expanded_part *part;
	size_t nparts;		/* EXPANDED_PARTS at most */
};

/*
 * tree-sitter needs lines that do not decrease, so the line of a node in part k is k + 1 in the
 * bits above EXPANDED_LINE_BITS; node_line removes them.
 */
enum { EXPANDED_LINE_BITS = 22, EXPANDED_PARTS = 1000 };

/* False: nothing is expanded, as in languages without the row `macros`.  All lives in the arena. */
bool macros_expand(const struct rules *, const char *text, size_t n, struct arena *,
    struct macro_expansion *out);
#endif
