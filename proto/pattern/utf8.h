#ifndef PROTO_PATTERN_UTF8_H
#define PROTO_PATTERN_UTF8_H
/* Characters of UTF-8, forward and backward. */

#include <stddef.h>
#include <stdint.h>

enum { LAST_CHARACTER = 0x10ffff, UTF8_MAX = 4 };

/*
 * The length of the character that begins the `n` bytes at `s`, and the character; 0 if none
 * does.
 */
size_t utf8_decode(const char *s, size_t n, uint32_t *c);

/* The same for the character that ends at `s + n`. */
size_t utf8_decode_back(const char *s, size_t n, uint32_t *c);

/* Write a character; its length.  A surrogate is written as if it were one. */
size_t utf8_encode(uint32_t c, char out[UTF8_MAX]);
#endif
