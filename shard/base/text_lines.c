#include "shard/base/text_lines.h"

#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"

/* The length of a UTF-8 character by its first byte; 0 if no character begins with it. */
static size_t length_by_first(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2)
		return 0;
	if (first < 0xe0)
		return 2;
	if (first < 0xf0)
		return 3;
	if (first < 0xf5)
		return 4;
	return 0;
}

/* Whether the first two bytes begin an overlong form, a surrogate, or a number above U+10FFFF. */
static bool is_forbidden(unsigned char first, unsigned char second)
{
	switch (first) {
	case 0xe0: return second < 0xa0;
	case 0xed: return second > 0x9f;
	case 0xf0: return second < 0x90;
	case 0xf4: return second > 0x8f;
	default: return false;
	}
}

/* The length of the UTF-8 character at `p`; 0 if there is none, or if it is NUL. */
static size_t character(const unsigned char *p, size_t n)
{
	size_t len = length_by_first(*p);

	if (!len || len > n || !*p)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if (len > 1 && is_forbidden(p[0], p[1]))
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

/* `low`: index of the low byte of a unit, 0 or 1. */
static void from_utf16(const unsigned char *s, size_t n, int low, struct buf *out)
{
	for (size_t i = 2; i + 1 < n; i += 2) {
		uint32_t c = unit_at(s + i, low), next = 0;
		if (i + 3 < n)
			next = unit_at(s + i + 2, low);
		if (c >> 10 == 0xd800 >> 10 && next >> 10 == 0xdc00 >> 10) {
			c = 0x10000 + ((c & 0x3ff) << 10 | (next & 0x3ff));
			i += 2;
		}
		if (c >> 11 == 0xd800 >> 11)	/* a surrogate without its partner */
			c = 0xfffd;
		put_character(out, c);
	}
}

/*
 * The length of a prefix that is ASCII without NUL; a multiple of eight, which is quick to check.
 */
static size_t plain(const unsigned char *s, size_t n)
{
	const uint64_t ones = UINT64_MAX / 255, highs = ones << 7;
	size_t i = 0;

	for (uint64_t w; i + sizeof w <= n; i += sizeof w) {
		memcpy(&w, s + i, sizeof w);
		/* if no high bit is set, the subtraction sets one only if some byte is 0 */
		if ((w | (w - ones)) & highs)
			break;
	}
	return i;
}

/* Whether the text has bytes beyond ASCII, none of them part of a UTF-8 character, and no NUL. */
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

/* UTF-32 has the same first two bytes, but is not decoded. */
static bool has_utf16le_mark(const unsigned char *s, size_t n)
{
	if (n < 2 || s[0] != 0xff || s[1] != 0xfe)
		return false;
	return n < 4 || s[2] || s[3];
}

static bool has_utf16be_mark(const unsigned char *s, size_t n)
{
	return n >= 2 && s[0] == 0xfe && s[1] == 0xff;
}

void text_decode(struct buf *b)
{
	const unsigned char *s = (const unsigned char *)b->p;
	struct buf out = { 0 };

	if (has_utf16le_mark(s, b->n))
		from_utf16(s, b->n, 0, &out);
	else if (has_utf16be_mark(s, b->n))
		from_utf16(s, b->n, 1, &out);
	else if (b->n && is_latin1(s, b->n))
		for (size_t i = 0; i < b->n; i++)
			put_character(&out, s[i]);
	else
		return;
	buf_free(b);
	buf_str(&out, "");	/* a text that is only a mark is empty, not NULL */
	*b = out;
}

char *text_utf8(const char *p, size_t n, struct arena *a)
{
	static const char replacement[] = "\xef\xbf\xbd";
	const unsigned char *s = (const unsigned char *)p;
	size_t bad = 0;

	for (size_t i = plain(s, n); i < n;) {
		size_t len = character(s + i, n - i);
		bad += !len;
		i += MAX(len, 1);
	}
	if (!bad)
		return arena_strn(a, p, n);
	char *out = arena_get(a, n + 2 * bad + 1, 1), *w = out;
	for (size_t i = 0; i < n;) {
		size_t len = character(s + i, n - i);
		if (len)
			w = mempcpy(w, p + i, len);
		else
			w = mempcpy(w, replacement, strlen(replacement));
		i += MAX(len, 1);
	}
	return out;
}

size_t text_utf8_prefix(const char *p, size_t n)
{
	for (size_t back = 1; back <= 4 && back <= n; back++) {
		unsigned char c = (unsigned char)p[n - back];
		if ((c & 0xc0) == 0x80)
			continue;
		size_t len = 4;
		if (c < 0xc0)
			len = 1;
		else if (c < 0xe0)
			len = 2;
		else if (c < 0xf0)
			len = 3;
		return len > back ? n - back : n;
	}
	return n;
}

/* The start of the next line, or `end`. */
static const char *next_line(const char *s, const char *end)
{
	const char *newline = memchr(s, '\n', (size_t)(end - s));

	if (!newline)
		return end;
	return newline + 1;
}

struct line_offsets text_lines(const char *p, size_t n, size_t max_lines, struct arena *a)
{
	const char *end = p + n;
	struct line_offsets l = { 0 };
	size_t count = 0;

	for (const char *s = p; s < end && count < max_lines; s = next_line(s, end))
		count++;
	l.v = arena_many(a, count + 1, size_t);
	*l.v = 0;
	for (const char *s = p; l.n < count;) {
		s = next_line(s, end);
		l.v[++l.n] = (size_t)(s - p);
	}
	return l;
}

size_t text_line_start(const char *p, size_t n, size_t line)
{
	enum { BLOCK = 4096 }; /* bytes whose newlines are counted without looking where they are */
	size_t at = 0, before = 1;

	for (size_t newlines; n - at > BLOCK; at += BLOCK) {
		newlines = 0;
		for (size_t i = 0; i < BLOCK; i++)
			newlines += p[at + i] == '\n';
		if (before + newlines >= line)
			break;
		before += newlines;
	}
	for (; before < line && at < n; before++)
		at = (size_t)(next_line(p + at, p + n) - p);
	return at;
}

uint32_t *text_line_starts(const char *p, uint32_t n, uint32_t *lines, struct arena *a)
{
	uint32_t count = 1;

	for (uint32_t i = 0; i < n; i++)
		count += p[i] == '\n';
	uint32_t *v = arena_many(a, count + 1, uint32_t);
	for (uint32_t i = 0, k = 1; i < n; i++)
		if (p[i] == '\n')
			v[k++] = i + 1;
	v[count] = n;
	*lines = count;
	return v;
}
