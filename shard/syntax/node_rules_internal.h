#ifndef SHARD_SYNTAX_NODE_RULES_INTERNAL_H
#define SHARD_SYNTAX_NODE_RULES_INTERNAL_H
/*
 * Shared by node_rules.c, which reads nodes.tab, node_rules_uses.c, which has the rows for uses,
 * and node_rules_broken.c.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/syntax/node_rules.h"

enum { MAX_WORDS = 24 };

/* The current line of nodes.tab. */
struct rule_line {
	struct rules *r;
	const char *file;
	int number, depth;
	char *word[MAX_WORDS];
	int n;
	struct err *e;
};

/* An option `NAME=...` or `NAME` of a row, and where it goes. */
struct row_option {
	const char *name;
	enum { OPTION_PATH, OPTION_FLAG, OPTION_TEXT, OPTION_COUNT } kind;
	void *to;		/* struct node_path, bool, const char *, int (a flag is 1) */
};

/* Each returns -1 with the line's error on failure; rule_line_error always does. */
int rule_line_error(const struct rule_line *, const char *what, const char *word);
int node_path_read(struct rule_line *, char *text, struct node_path *);

/* The kind of definition that a word names, and whether it can be called (NULL: do not care). */
int kind_find(struct rule_line *, const char *word, const char **kind, bool *callable);

/*
 * Read the words from number `from` on.  Each is an option of the table, or a test that is added to
 * `when` (NULL: tests are not allowed).
 */
int rule_options_read(
    struct rule_line *, int from, const struct row_option *, size_t n, struct condition *when);

/* Call `each` with the rule of every symbol called `type`; `?type` need not exist. */
int rules_each_symbol(
    struct rule_line *, const char *type, void (*each)(struct node_rule *, void *), void *arg);

/* Read `broken WORD|NODE KIND`. */
int row_broken(struct rule_line *);

/* Read the line if it is a row for uses, or for what stands beside an error: returns 1, 0 if it is another row, or -1. */
int row_uses(struct rule_line *);
#endif
