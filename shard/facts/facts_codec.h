#ifndef SHARD_FACTS_FACTS_CODEC_H
#define SHARD_FACTS_FACTS_CODEC_H
/*
 * Encodes the part of a blob's facts that resolve needs (definitions without doc and signature,
 * imports, references, bases, locals, package) as compact bytes: one table of distinct strings,
 * then numbers as varints, deflated.  Equal facts yield equal bytes.
 */

#include <stddef.h>

struct arena;
struct buf;
struct err;
struct facts;

void facts_encode(const struct facts *, struct buf *out);

/* Decode into `out`; its memory lives in `a`.  DB_ERROR if facts_encode did not write the bytes. */
int facts_decode(const void *bytes, size_t n, struct arena *a, struct facts *out, struct err *e);

/* The same bytes before they are deflated: many of them together deflate better. */
void facts_encode_plain(const struct facts *, struct buf *out);
int facts_decode_plain(
    const void *bytes, size_t n, struct arena *a, struct facts *out, struct err *e);
#endif
