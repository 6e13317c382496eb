#ifndef SHARD_SYNTAX_COMMENT_H
#define SHARD_SYNTAX_COMMENT_H
/* Comments as prose. */

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { COMMENT_MAX = 2000 };

/*
 * The text of a run of comments or of a doc string, without marks, at most COMMENT_MAX bytes; NULL
 * when it says nothing.
 */
const char *comment_text(const char *, size_t n, struct arena *);

/* The longest length up to `n` at which the text can be cut without parting a UTF-8 character. */
size_t text_utf8_truncate(const char *, size_t n);

/* Whether the head of a file says that a program wrote it. */
bool comment_says_generated(const char *text, size_t n);
#endif
