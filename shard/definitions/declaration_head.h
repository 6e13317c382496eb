#ifndef SHARD_DEFINITIONS_DECLARATION_HEAD_H
#define SHARD_DEFINITIONS_DECLARATION_HEAD_H
/* The head of a declaration: its text from the first keyword to the body. */

#include <stdbool.h>

#include "shard/syntax/syntax_tree.h"

enum { MAX_NAME_BYTES = 200 };	/* longer names are data */

/* Where the head begins: after annotations. */
uint32_t head_start(const struct syntax_tree *, TSNode);

/*
 * The text between `from` and `to`, with blanks in place of comments.  `whole` is a node around
 * it.  Points into the tree's text if there are no comments, otherwise into its arena.
 */
const char *head_without_comments(
    const struct syntax_tree *, TSNode whole, uint32_t from, uint32_t to);

/* A head of `n` bytes on one line, without the bytes that only open the body. */
const char *head_signature(const struct syntax_tree *, const char *head, size_t n);

/* Whether the head contains each of the comma-separated words. */
bool head_has_words(const char *head, size_t n, const char *words);

/*
 * The name that a node holds; NULL if it holds none.  If `dotted`, names may be `a.b`, and
 * `module.exports.a`, which yields `a` and sets `*exported`.
 */
const char *head_name(const struct syntax_tree *, TSNode, bool dotted, bool *exported);

/*
 * The name that a node holds as written: `operator==`, `ready?`, `[]`.  Parts (A::f, A\B) are
 * joined by dots; template arguments and sigils are dropped.  NULL if it holds none.
 */
const char *head_scoped_name(const struct syntax_tree *, TSNode);

/*
 * Whether the head declares a test, a private member, or something visible to other files.
 * `wrapped`: the declaration is inside an export statement.
 */
bool head_is_test(const struct rules *, const char *name, const char *head, size_t n);
bool head_is_test_type(const struct rules *, const char *name);
bool head_is_hidden(const struct rules *, const char *name, const char *head, size_t n);
bool head_exports(const struct rules *, const char *name, bool wrapped, const char *head, size_t n);
#endif
