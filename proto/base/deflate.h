#ifndef PROTO_BASE_DEFLATE_H
#define PROTO_BASE_DEFLATE_H
/* Compressed bytes.  The one includer of libdeflate. */

#include <stddef.h>

struct arena;
struct buf;

enum deflate_level { DEFLATE_SMALL, DEFLATE_FAST, DEFLATE_LEVELS };

/* Append `n` bytes, compressed.  The output is deterministic for one version of libdeflate. */
void deflate_put(struct buf *out, enum deflate_level, const void *p, size_t n);

/* Frees what deflate_put keeps for the thread, up to 1 MB; the next call makes it again. */
void deflate_release(void);

/*
 * The bytes that deflate_put compressed, in `a`, and their number in *out_n.  NULL if deflate_put
 * did not make the input, or if there are more than `limit` bytes.
 */
void *deflate_get(const void *p, size_t n, size_t limit, struct arena *a, size_t *out_n);
#endif
