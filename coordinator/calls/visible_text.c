#include "coordinator/calls/visible_text.h"

#include <stdbool.h>

#include "proto/base/buf.h"

/* The fast path: most characters are plain ASCII. */
static bool is_plain(unsigned char c)
{
	return (c >= ' ' && c < 0x7f) || c == '\n';
}

static bool is_between(unsigned char c, unsigned char first, unsigned char last)
{
	return c >= first && c <= last;
}

/* The length of a terminal's escape sequence, which begins with ESC [. */
static size_t escape_sequence(const unsigned char *s)
{
	size_t n = 2;

	while (is_between(s[n], 0x20, 0x3f))
		n++;
	if (is_between(s[n], 0x40, 0x7e))
		n++;
	return n;
}

/* Whether three bytes of UTF-8 are an invisible or a direction mark. */
static bool is_invisible_mark(const unsigned char *s)
{
	if (s[0] == 0xe2 && s[1] == 0x80)	/* U+200B to U+200F, U+202A to U+202E */
		return is_between(s[2], 0x8b, 0x8f) || is_between(s[2], 0xaa, 0xae);
	if (s[0] == 0xe2 && s[1] == 0x81)	/* U+2060 to U+206F */
		return is_between(s[2], 0xa0, 0xaf);
	return s[0] == 0xef && s[1] == 0xbb && s[2] == 0xbf;	/* U+FEFF */
}

/*
 * The number of bytes at `s` that must not be shown: control characters, escape sequences,
 * invisible and direction marks.
 */
static size_t invisible_bytes(const unsigned char *s)
{
	if (s[0] == 0x1b && s[1] == '[')
		return escape_sequence(s);
	if (s[0] == '\n' || s[0] == '\t')
		return 0;
	if (s[0] < ' ' || s[0] == 0x7f)
		return 1;
	if (s[0] == 0xc2 && is_between(s[1], 0x80, 0x9f))
		return 2;
	if (is_invisible_mark(s))
		return 3;
	return 0;
}

void visible_text_put(const char *text, struct buf *out)
{
	const unsigned char *s = (const unsigned char *)text, *from = s;

	while (*s) {
		size_t skip = 0;
		if (!is_plain(*s))
			skip = invisible_bytes(s);
		if (!skip) {
			s++;
			continue;
		}
		buf_put(out, from, (size_t)(s - from));
		s += skip;
		from = s;
	}
	buf_put(out, from, (size_t)(s - from));
}
