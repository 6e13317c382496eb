#ifndef SHARD_SYNTAX_NODE_RULES_INTERNAL_H
#define SHARD_SYNTAX_NODE_RULES_INTERNAL_H
/* Between node_rules.c, which reads nodes.tab, and node_rules_uses.c, which has the rows about what a file uses. */

#include <stdbool.h>
#include <stddef.h>

#include "shard/syntax/node_rules.h"

enum { MAX_WORDS = 24 };

/* The line being read. */
struct line {
	struct rules *r;
	const char *file;
	int number, depth;
	char *word[MAX_WORDS];
	int n;
	struct err *e;
};

/* An option `NAME=...` or `NAME` of a row, and where it goes. */
struct option {
	const char *name;
	enum { OPTION_PATH, OPTION_FLAG, OPTION_TEXT, OPTION_COUNT } kind;
	void *to;		/* struct path, bool, const char *, int (a flag is 1) */
};

/* All -1 with the line's error set. */
int line_bad(const struct line *, const char *what, const char *word);
int path_read(struct line *, char *text, struct path *);

/* Words from the `from`th on: each an option of the table, or a test of `when` (NULL: none allowed). */
int options_read(struct line *, int from, const struct option *, size_t n, struct condition *when);

/* Call `each` with the rule of every symbol called `type`; `?type` need not exist. */
int each_symbol(struct line *, const char *type, void (*each)(struct node_rule *, void *), void *arg);

/* Read the line when it is a row about what a file uses: 1; 0: it is another. */
int row_uses(struct line *);
#endif
