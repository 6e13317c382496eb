#ifndef SHARD_BASE_TEXT_LINES_H
#define SHARD_BASE_TEXT_LINES_H
/* Converts the bytes of a blob to valid UTF-8 and to lines. */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;

/*
 * Convert a file to UTF-8, in place: from UTF-16 with a byte order mark, and from Latin-1 if no
 * character beyond ASCII is UTF-8.  Anything else does not change.
 */
void text_decode(struct buf *);

/* A copy in which U+FFFD replaces every byte that is not UTF-8, and every NUL; NUL-terminated. */
char *text_utf8(const char *p, size_t n, struct arena *);

/* `n`, or less if the first `n` bytes end within a character: then it is left out. */
size_t text_utf8_prefix(const char *p, size_t n);

/*
 * Where the first `max_lines` lines begin: v[i] is the offset of line i + 1, and v[n] the end of
 * the last one.  A newline belongs to the line that it ends.
 */
struct line_offsets {
	size_t *v;
	size_t n;
};
struct line_offsets text_lines(const char *p, size_t n, size_t max_lines, struct arena *);

/* Where line `line` begins, from 1 on; `n` if the text has fewer lines. Quicker than text_lines. */
size_t text_line_start(const char *p, size_t n, size_t line);

/*
 * Where each line begins, and after them the end of the text.  A text has one line more than it has
 * newlines.
 */
uint32_t *text_line_starts(const char *p, uint32_t n, uint32_t *lines, struct arena *);
#endif
