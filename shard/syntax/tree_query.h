#ifndef SHARD_SYNTAX_TREE_QUERY_H
#define SHARD_SYNTAX_TREE_QUERY_H
/*
 * A tree-sitter query with its predicates: #eq? #not-eq? #match? #not-match? #any-of?
 * #not-any-of?, and #set! for properties.  To #match?, a chain of calls that is split over lines
 * stands in one.  Only tree_query.c includes PCRE2.
 */

#include "shard/syntax/syntax_tree.h"

struct err;
struct query;

/*
 * Compiles `text`, which may be freed afterwards.  NULL with INTERNAL, which names `file` and
 * line.
 */
struct query *query_new(const TSLanguage *, const char *file, const char *text, struct err *);
void query_free(struct query *);	/* NULL is fine */

/* The name of a capture by its index in a match; NULL if the index is too large. */
const char *query_capture(const struct query *, uint32_t index);

/* The value of `key` that a pattern sets, or NULL. */
const char *query_property(const struct query *, uint32_t pattern, const char *key);

/* Whether any pattern sets `key`. */
bool query_has_property(const struct query *, const char *key);

/*
 * Call `each` for every match in the tree whose predicates hold, until it returns non-zero or the
 * tree's effort is spent.  The match is valid during the call.
 */
void query_each(struct query *, const struct syntax_tree *,
    int (*each)(void *, const struct query *, const TSQueryMatch *), void *);
#endif
