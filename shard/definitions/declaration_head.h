#ifndef SHARD_DEFINITIONS_DECLARATION_HEAD_H
#define SHARD_DEFINITIONS_DECLARATION_HEAD_H
/* What the head of a declaration says: its text from the first keyword to the body. */

#include <stdbool.h>

#include "shard/syntax/syntax_tree.h"

enum { MAX_NAME_BYTES = 200 };	/* longer names are data */

/* Where the head begins: after annotations. */
uint32_t head_start(const struct syntax_tree *, TSNode);

/*
 * What stands between `from` and `to`, white space in place of the comments of `whole`, a node
 * around.
 */
const char *head_without_comments(
    const struct syntax_tree *, TSNode whole, uint32_t from, uint32_t to);

/* A head of `n` bytes on one line, without what only opens the body. */
const char *head_signature(const struct syntax_tree *, const char *head, size_t n);

/* Whether the head holds each of the comma-separated words. */
bool head_has_words(const char *head, size_t n, const char *words);

/*
 * The name that a node holds; NULL: no name.  `dotted` names may be `a.b`, and `module.exports.a`,
 * which is the name `a` and sets `*exported`.
 */
const char *head_name(const struct syntax_tree *, TSNode, bool dotted, bool *exported);

/*
 * The name that a node holds as it is written: `operator==`, `ready?`, `[]`; what qualifies it
 * (A::f, A\B) is joined by dots, arguments of templates and sigils are dropped.  NULL: no name.
 */
const char *head_scoped_name(const struct syntax_tree *, TSNode);

/*
 * Whether the head makes a test, a private member, something visible outside; `wrapped`: in an
 * export statement.
 */
bool head_is_test(const struct rules *, const char *name, const char *head, size_t n);
bool head_is_test_type(const struct rules *, const char *name);
bool head_is_hidden(const struct rules *, const char *name, const char *head, size_t n);
bool head_exports(const struct rules *, const char *name, bool wrapped, const char *head, size_t n);
#endif
