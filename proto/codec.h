#ifndef PROTO_CODEC_H
#define PROTO_CODEC_H
/* Records to and from msgpack: a map keyed by field name.  The one includer of msgpack. */

#include <stddef.h>

struct arena;
struct buf;
struct err;
struct record;

/* Append the record at `m`.  Absent strings, nested records and empty lists are left out.  Cannot fail. */
void codec_put(const struct record *, const void *m, struct buf *out);

/*
 * Decode exactly `n` bytes into the record at `m`, which the caller provides.  Strings, bytes and lists are copied
 * into `a`.  Absent fields are zero; unknown ones are skipped.  Declared counts and depth are checked against the
 * bytes before anything is allocated.  0, or -1 with INVALID_INPUT; `m` is then unspecified.
 */
int codec_get(const struct record *, void *m, const void *p, size_t n, struct arena *a, struct err *e);
#endif
