#include "proto/base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/die.h"
#include "proto/base/minmax.h"

/* The capacity of a new array: room for a sentence when the elements are bytes. */
static size_t first_cap(size_t size)
{
	if (size == 1)
		return 128;
	return 16;
}

void *grow(void *v, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return v;
	size_t n = first_cap(size);
	if (*cap >= n)
		n = *cap * 2;
	n = MAX(n, need);
	if (n > SIZE_MAX / 2 / size)
		die("out of memory: an array exceeds the address space");
	*cap = n;
	return xrealloc(v, n * size);
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
	size_t room = b->cap - b->n;	/* usually enough */
	char *end = NULL;
	va_list ap, again;

	if (room)
		end = b->p + b->n;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(end, room, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n >= room) {
		b->p = grow(b->p, &b->cap, b->n + (size_t)n + 1, 1);
		vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
	}
	if (n > 0)
		b->n += (size_t)n;
	va_end(again);
}

void buf_u64(struct buf *b, uint64_t v)
{
	char digits[20], *p = digits + sizeof digits;

	do {
		*--p = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	buf_put(b, p, (size_t)(digits + sizeof digits - p));
}

void buf_free(struct buf *b)
{
	free(b->p);
	*b = (struct buf){ 0 };
}

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Encodes `n` bytes, 1 to 3, as four characters. */
static void put_base64_group(struct buf *b, const uint8_t *p, size_t n)
{
	uint32_t w = (uint32_t)p[0] << 16;
	char group[4] = { 0, 0, '=', '=' };

	if (n > 1)
		w |= (uint32_t)p[1] << 8;
	if (n > 2)
		w |= p[2];
	group[0] = base64[w >> 18];
	group[1] = base64[w >> 12 & 63];
	if (n > 1)
		group[2] = base64[w >> 6 & 63];
	if (n > 2)
		group[3] = base64[w & 63];
	buf_put(b, group, sizeof group);
}

void buf_base64(struct buf *b, const void *v, size_t n)
{
	const uint8_t *p = v;

	for (size_t i = 0; i < n; i += 3)
		put_base64_group(b, p + i, MIN(n - i, 3));
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
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			buf_byte(b, (char)(w >> bits));
		}
	}
	return 0;
}
