#ifndef SHARD_SYNTAX_COMMENT_H
#define SHARD_SYNTAX_COMMENT_H
/* Extracts the prose of comments. */

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { COMMENT_MAX = 2000 };

/*
 * The text of a run of comments or of a doc string, without marks and at most COMMENT_MAX bytes, in
 * the arena; NULL if it is empty.
 */
const char *comment_text(const char *, size_t n, struct arena *);

/* The largest length up to `n` at which the text can be cut without splitting a UTF-8 character. */
size_t text_utf8_truncate(const char *, size_t n);

/* Whether a comment near the top of a file marks it as generated. */
bool comment_says_generated(const char *text, size_t n);
#endif
