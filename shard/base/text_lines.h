#ifndef SHARD_BASE_TEXT_LINES_H
#define SHARD_BASE_TEXT_LINES_H
/* Bytes of a blob as lines and as valid UTF-8. */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;

/*
 * The bytes of a file as the UTF-8 that everything here reads: from UTF-16 with a byte order mark,
 * and from Latin-1 when no character beyond ASCII is UTF-8.  Anything else stays as it is.
 */
void text_decode(struct buf *);

/* A copy with every byte that is no UTF-8, and every NUL, replaced by U+FFFD; NUL-terminated. */
char *text_utf8(const char *p, size_t n, struct arena *);

/* The length of the first `n` bytes without a character that is cut at their end. */
size_t text_utf8_prefix(const char *p, size_t n);

/*
 * Where the first `most` lines begin: v[i] for line i + 1, and v[n] behind the last one.  A
 * newline belongs to the line it ends.
 */
struct line_offsets {
	size_t *v;
	size_t n;
};
struct line_offsets text_lines(const char *p, size_t n, size_t most, struct arena *);
#endif
