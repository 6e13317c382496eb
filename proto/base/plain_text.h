#ifndef PROTO_BASE_PLAIN_TEXT_H
#define PROTO_BASE_PLAIN_TEXT_H
/*
 * Text made safe for a terminal or a log.  Names and lines of a repository may hold characters that
 * move the cursor, change colours, begin a new line, or reverse the reading direction.  Such
 * characters are written as \n, \x1b or \u202e; bytes that are not UTF-8 as \xff.
 */

#include <stddef.h>

struct buf;

enum { PLAIN_ESCAPE = 8 };		/* maximum size of an escape, with its NUL */

/* How many of the `n` bytes at the start are printable ASCII; in most texts, all of them. */
size_t plain_ascii_prefix(const char *s, size_t n);

/*
 * The length of the character at `s`, at most `n` bytes.  `escape` receives its escape, or "" if it
 * needs none.
 */
size_t plain_next_char(const char *s, size_t n, char escape[PLAIN_ESCAPE]);

/* Append the text, escaped except for the characters in `keep`. */
void plain_put(struct buf *, const char *s, size_t n, const char *keep);

/*
 * Append a complete JSON text, with JSON's own escapes, so that its values do not change.  The
 * text must already escape what JSON requires.
 */
void plain_put_json(struct buf *, const char *json);
#endif
