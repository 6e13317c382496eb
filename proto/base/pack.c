#include "proto/base/pack.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

enum { LEVEL = 3, HEAD = 4 };	/* the size before, the lowest byte first; then a zlib stream */

void pack_put(struct buf *out, const void *p, size_t n)
{
	uLongf size = compressBound((uLong)n);
	uint8_t *bytes = malloc(HEAD + size);

	if (!bytes || n > UINT32_MAX)
		abort();
	for (int i = 0; i < HEAD; i++)
		bytes[i] = (uint8_t)(n >> 8 * i);
	if (compress2(bytes + HEAD, &size, p ? p : (const void *)"", (uLong)n, LEVEL) != Z_OK)
		abort();
	buf_put(out, bytes, HEAD + size);
	free(bytes);
}

void *pack_get(const void *p, size_t n, size_t most, struct arena *a, size_t *out_n)
{
	const uint8_t *bytes = p;
	uLongf size = 0;

	if (n < HEAD)
		return NULL;
	for (int i = 0; i < HEAD; i++)
		size |= (uLongf)bytes[i] << 8 * i;
	if (size > most || size / 1100 > n)	/* zlib packs at most 1032 bytes into one */
		return NULL;
	*out_n = size;
	void *out = arena_get(a, size + 1, 1);
	return uncompress(out, &size, bytes + HEAD, (uLong)(n - HEAD)) == Z_OK && size == *out_n ? out : NULL;
}
