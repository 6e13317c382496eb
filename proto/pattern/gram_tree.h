#ifndef PROTO_PATTERN_GRAM_TREE_H
#define PROTO_PATTERN_GRAM_TREE_H
/*
 * From the tree of a pattern, the grams that a text with a match must have, as in Russ Cox,
 * Regular Expression Matching with a Trigram Index (2012): for each node the texts that it
 * matches if they are few, else how they begin and end.
 */

struct arena;
struct gram_query;
struct node;

const struct gram_query *gram_tree_make(const struct node *, struct arena *);
#endif
