#include "shard/text.h"

#include <string.h>

#include "proto/base/arena.h"

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

char *text_utf8(const char *p, size_t n, struct arena *a)
{
	const unsigned char *s = (const unsigned char *)p;
	size_t bad = 0;

	for (size_t i = 0, len; i < n; i += len ? len : 1)
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

size_t text_whole(const char *p, size_t n)
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

struct lines text_lines(const char *p, size_t n, size_t most, struct arena *a)
{
	const char *end = p + n;
	struct lines l = { 0 };
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
