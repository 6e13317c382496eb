#ifndef PROTO_BASE_PLAIN_TEXT_H
#define PROTO_BASE_PLAIN_TEXT_H
/*
 * Text that shows what it is, on a terminal or in a log.  Names and lines of a repository may hold
 * what moves the cursor, changes colours, begins a new line, or turns the direction in which the
 * rest is read: such characters are written as \n, \x1b or \u202e, bytes that are no UTF-8 as
 * \xff.
 */

#include <stddef.h>

struct buf;

enum { PLAIN_ESCAPE = 8 };		/* bytes of an escape at most, with a NUL */

/*
 * How many of the `n` bytes, from the first on, are printable ASCII: most texts are nothing else.
 */
size_t plain_ascii_prefix(const char *s, size_t n);

/*
 * How many bytes the character at `s` has, of `n` at most; `escape` is what stands for it, ""
 * where it may stand itself.
 */
size_t plain_next_char(const char *s, size_t n, char escape[PLAIN_ESCAPE]);

/* Append the text; characters in `keep` stay as they are. */
void plain_put(struct buf *, const char *s, size_t n, const char *keep);

/*
 * As plain_put into JSON that is complete: escapes as JSON has them, which say the same.  What
 * JSON escapes anyhow is escaped already.
 */
void plain_put_json(struct buf *, const char *json);
#endif
