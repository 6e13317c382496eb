#ifndef PROTO_PATTERN_NORMAL_BYTES_H
#define PROTO_PATTERN_NORMAL_BYTES_H
/* The bytes of a text as grams have them. */

#include <stddef.h>
#include <string.h>

#define KELVIN_SIGN "\xe2\x84\xaa"
#define LONG_S "\xc5\xbf"

/*
 * The first normalised byte of the text, which has at least one byte; how many bytes it stands
 * for.
 */
static inline size_t normal_byte(const char *text, size_t n, unsigned char *byte)
{
	unsigned char c = (unsigned char)*text;

	*byte = c;
	if (c >= 'A' && c <= 'Z')
		*byte = c | 0x20;
	if (c < 0x80)
		return 1;
	if (n >= 3 && !memcmp(text, KELVIN_SIGN, 3)) {
		*byte = 'k';
		return 3;
	}
	if (n >= 2 && !memcmp(text, LONG_S, 2)) {
		*byte = 's';
		return 2;
	}
	return 1;
}
#endif
