#include "proto/base/buf.h"
#include "proto/base/die.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *grow(void *v, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return v;
	/* of bytes, mostly a sentence */
	size_t least = size == 1 ? 128 : 16, n = *cap < least ? least : *cap * 2;
	if (n < need)
		n = need;
	if (n > SIZE_MAX / 2 / size || !(v = realloc(v, n * size)))
		die("out of memory");
	*cap = n;
	return v;
}

void buf_put(struct buf *b, const void *p, size_t n)
{
	b->p = grow(b->p, &b->cap, b->n + n + 1, 1);
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = 0;
}

void buf_str(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s));
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	size_t room = b->cap - b->n;	/* mostly enough */
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(room ? b->p + b->n : NULL, room, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n >= room) {
		b->p = grow(b->p, &b->cap, b->n + (size_t)n + 1, 1);
		vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
	}
	b->n += n > 0 ? (size_t)n : 0;
	va_end(again);
}

void buf_u64(struct buf *b, uint64_t v)
{
	char digits[20], *p = digits + sizeof digits;

	do
		*--p = (char)('0' + v % 10);
	while (v /= 10);
	buf_put(b, p, (size_t)(digits + sizeof digits - p));
}

void buf_free(struct buf *b)
{
	free(b->p);
	*b = (struct buf){ 0 };
}

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void buf_base64(struct buf *b, const void *v, size_t n)
{
	const uint8_t *p = v;

	for (size_t i = 0; i < n; i += 3) {
		uint32_t w = (uint32_t)p[i] << 16 | (i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0) |
		    (i + 2 < n ? p[i + 2] : 0);
		buf_byte(b, base64[w >> 18]);
		buf_byte(b, base64[w >> 12 & 63]);
		buf_byte(b, i + 1 < n ? base64[w >> 6 & 63] : '=');
		buf_byte(b, i + 2 < n ? base64[w & 63] : '=');
	}
}

int buf_unbase64(struct buf *b, const char *s, size_t n)
{
	uint32_t w = 0;
	int bits = 0;

	while (n && s[n - 1] == '=')
		n--;
	for (size_t i = 0; i < n; i++) {
		const char *at = NULL;
		if (s[i])
			at = strchr(base64, s[i]);
		if (!at)
			return -1;
		w = w << 6 | (uint32_t)(at - base64);
		if ((bits += 6) >= 8)
			buf_byte(b, (char)(w >> (bits -= 8)));
	}
	return 0;
}
