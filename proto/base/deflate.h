#ifndef PROTO_BASE_DEFLATE_H
#define PROTO_BASE_DEFLATE_H
/* Bytes in less room.  The one includer of libdeflate. */

#include <stddef.h>

struct arena;
struct buf;

enum deflate_level { DEFLATE_SMALL, DEFLATE_FAST, DEFLATE_LEVELS };

/* Append `n` bytes, packed.  The same bytes give the same ones, with the same libdeflate. */
void deflate_put(struct buf *out, enum deflate_level, const void *p, size_t n);

/*
 * The bytes that deflate_put was given, in `a`, and how many in *out_n; NULL: it did not make
 * these, or there are more than `most`.
 */
void *deflate_get(const void *p, size_t n, size_t most, struct arena *a, size_t *out_n);
#endif
