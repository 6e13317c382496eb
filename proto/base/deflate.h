#ifndef PROTO_BASE_DEFLATE_H
#define PROTO_BASE_DEFLATE_H
/* Bytes in less room.  The one includer of libdeflate. */

#include <stddef.h>

struct arena;
struct buf;

enum pack { PACK_SMALL, PACK_QUICK, PACKS };

/* Append `n` bytes, packed.  The same bytes give the same ones, with the same libdeflate. */
void pack_put(struct buf *out, enum pack, const void *p, size_t n);

/* The bytes that pack_put was given, in `a`, and how many in *out_n; NULL: it did not make these, or there are more than `most`. */
void *pack_get(const void *p, size_t n, size_t most, struct arena *a, size_t *out_n);
#endif
