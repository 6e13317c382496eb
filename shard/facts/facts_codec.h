#ifndef SHARD_FACTS_FACTS_CODEC_H
#define SHARD_FACTS_FACTS_CODEC_H
/*
 * The part of a blob's facts that resolve needs (definitions without doc and signature, imports,
 * references, bases, locals, package), as compact bytes: one table of distinct strings, then
 * numbers as varints, packed.  Same facts, same bytes.
 */

#include <stddef.h>

struct arena;
struct buf;
struct err;
struct facts;

void facts_encode(const struct facts *, struct buf *out);

/* Into `out`, all of it in `a`.  DB_ERROR when they are not what facts_encode made. */
int facts_decode(const void *bytes, size_t n, struct arena *a, struct facts *out, struct err *e);
#endif
