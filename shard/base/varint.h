#ifndef SHARD_BASE_VARINT_H
#define SHARD_BASE_VARINT_H
/*
 * Variable-length integers (LEB128): seven bits per byte, lowest first.  Differences are
 * zigzag-encoded, so that small negative ones are short, too.
 */

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/buf.h"

static inline void varint_put(struct buf *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		buf_byte(b, (char)(v | 128));
	buf_byte(b, (char)v);
}

static inline void varint_put_difference(struct buf *b, int64_t v)
{
	varint_put(b, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

/* Read the next number.  False if the bytes end within it, or if it has more than 63 bits. */
static inline bool varint_take(const uint8_t **at, const uint8_t *end, uint64_t *out)
{
	uint64_t v = 0;

	for (int shift = 0; *at < end && shift < 63; shift += 7) {
		uint8_t b = *(*at)++;
		v |= (uint64_t)(b & 127) << shift;
		if (!(b & 128)) {
			*out = v;
			return true;
		}
	}
	return false;
}

static inline bool varint_take_difference(const uint8_t **at, const uint8_t *end, int64_t *out)
{
	uint64_t v;

	if (!varint_take(at, end, &v))
		return false;
	*out = (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
	return true;
}
#endif
