#ifndef SHARD_SYNTAX_SCRIPT_BLOCKS_H
#define SHARD_SYNTAX_SCRIPT_BLOCKS_H
/*
 * Finds the blocks of a file that are in a programming language: the scripts of a page or
 * component, by the rows of lang/blocks.tab.
 */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct script_blocks;
struct err;

struct script_block {
	uint32_t from, to;	/* bytes */
	size_t lang;		/* row of langs.def */
};

/* Reads lang/blocks.tab.  NULL with INTERNAL, which names the line. */
struct script_blocks *script_blocks_new(struct err *);
void script_blocks_free(struct script_blocks *);	/* NULL is fine */

/*
 * Stores the blocks of a file whose language is row `lang`, in order, in *out (in `a`); returns
 * their number.
 */
size_t script_blocks_find(const struct script_blocks *, size_t lang, const char *text, size_t n,
    struct arena *a, struct script_block **out);
#endif
