#include "shard/base/text_lines.h"

#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* The length of the UTF-8 character at `p`, or 0. */
static size_t character(const unsigned char *p, size_t n)
{
	size_t len = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3 :
	    *p >= 0xf0 && *p < 0xf5 ? 4 : 0;

	if (!len || len > n || !*p)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) || (*p == 0xf0 && p[1] < 0x90) ||
	    (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return len;
}

static void put_character(struct buf *out, uint32_t c)
{
	if (c < 0x80) {
		buf_byte(out, (char)c);
		return;
	}
	if (c >= 0x10000)
		buf_put(out, (char[]){ (char)(0xf0 | c >> 18), (char)(0x80 | (c >> 12 & 63)) }, 2);
	else if (c >= 0x800)
		buf_byte(out, (char)(0xe0 | c >> 12));
	if (c >= 0x800)
		buf_byte(out, (char)(0x80 | (c >> 6 & 63)));
	else
		buf_byte(out, (char)(0xc0 | c >> 6));
	buf_byte(out, (char)(0x80 | (c & 63)));
}

static uint32_t unit_at(const unsigned char *s, int low)
{
	return (uint32_t)(s[low] | s[!low] << 8);
}

/* `low`: which byte of a unit is the lower one. */
static void from_utf16(const unsigned char *s, size_t n, int low, struct buf *out)
{
	for (size_t i = 2; i + 1 < n; i += 2) {
		uint32_t c = unit_at(s + i, low), next = i + 3 < n ? unit_at(s + i + 2, low) : 0;
		if (c >> 10 == 0xd800 >> 10 && next >> 10 == 0xdc00 >> 10) {
			c = 0x10000 + ((c & 0x3ff) << 10 | (next & 0x3ff));
			i += 2;
		}
		put_character(out, c >> 11 == 0xd800 >> 11 ? 0xfffd : c);
	}
}

/* How many bytes from `s` on are ASCII and none of them 0, counted eight at a time. */
static size_t plain(const unsigned char *s, size_t n)
{
	const uint64_t ones = UINT64_MAX / 255, highs = ones << 7;
	size_t i = 0;

	for (uint64_t w; i + sizeof w <= n; i += sizeof w) {
		memcpy(&w, s + i, sizeof w);
		/* without high bits a subtraction borrows first where a byte is 0 */
		if ((w | (w - ones)) & highs)
			break;
	}
	return i;
}

/* Whether there is something beyond ASCII, no byte 0, and nothing of it is UTF-8. */
static bool is_latin1(const unsigned char *s, size_t n)
{
	bool beyond = false;

	for (size_t i = plain(s, n); i < n; i++) {
		if (!s[i] || (s[i] >= 0x80 && character(s + i, n - i)))
			return false;
		beyond |= s[i] >= 0x80;
	}
	return beyond;
}

void text_decode(struct buf *b)
{
	const unsigned char *s = (const unsigned char *)b->p;
	struct buf out = { 0 };

	if (b->n >= 2 && s[0] == 0xff && s[1] == 0xfe && !(b->n >= 4 && !s[2] && !s[3]))
		from_utf16(s, b->n, 0, &out);
	else if (b->n >= 2 && s[0] == 0xfe && s[1] == 0xff)
		from_utf16(s, b->n, 1, &out);
	else if (b->n && is_latin1(s, b->n))
		for (size_t i = 0; i < b->n; i++)
			put_character(&out, s[i]);
	else
		return;
	buf_free(b);
	*b = out;
}

char *text_utf8(const char *p, size_t n, struct arena *a)
{
	const unsigned char *s = (const unsigned char *)p;
	size_t bad = 0;

	for (size_t i = plain(s, n), len; i < n; i += len ? len : 1)
		bad += !(len = character(s + i, n - i));
	if (!bad)
		return arena_strn(a, p, n);
	char *out = arena_get(a, n + 2 * bad + 1, 1), *w = out;
	for (size_t i = 0; i < n;) {
		size_t len = character(s + i, n - i);
		memcpy(w, len ? p + i : "\xef\xbf\xbd", len ? len : 3);
		w += len ? len : 3;
		i += len ? len : 1;
	}
	return out;
}

size_t text_utf8_prefix(const char *p, size_t n)
{
	for (size_t back = 1; back <= 4 && back <= n; back++) {
		unsigned char c = (unsigned char)p[n - back];
		if ((c & 0xc0) == 0x80)
			continue;
		size_t len = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
		return len > back ? n - back : n;
	}
	return n;
}

struct line_offsets text_lines(const char *p, size_t n, size_t most, struct arena *a)
{
	const char *end = p + n;
	struct line_offsets l = { 0 };
	size_t count = 0;

	for (const char *s = p; s < end && count < most; count++) {
		const char *eol = memchr(s, '\n', (size_t)(end - s));
		s = eol ? eol + 1 : end;
	}
	l.v = arena_many(a, count + 1, size_t);
	*l.v = 0;
	for (const char *s = p; l.n < count;) {
		const char *eol = memchr(s, '\n', (size_t)(end - s));
		s = eol ? eol + 1 : end;
		l.v[++l.n] = (size_t)(s - p);
	}
	return l;
}
