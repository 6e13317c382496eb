#ifndef PROTO_RECORD_CODEC_H
#define PROTO_RECORD_CODEC_H
/* Records to and from msgpack: a map keyed by field name.  The one includer of msgpack. */

#include <stddef.h>

struct arena;
struct buf;
struct err;
struct record;

/*
 * Append the record at `m`.  Absent strings, nested records and empty lists are left out.  Cannot
 * fail.
 */
void codec_put(const struct record *, const void *m, struct buf *out);

/*
 * Decode exactly `n` bytes into the record at `m`, which the caller provides.  Strings, bytes and
 * lists are copied into `a`.  Unknown fields are skipped; a field that is nil counts as absent.
 * What becomes of an absent one, in nested records and those of lists too, is decided here alone,
 * so that nobody who reads a record asks for it again:
 *
 *   numbers, flags, lists, bytes   zero, empty (`p` of bytes is never NULL): the encoder leaves out what is
 *   strings and nested records     MUST: "" and a record filled like this one, or, in a request, the refusal of it all;
 *                                  else: NULL, as in record.h
 *
 * So a string whose row says MUST, and each string of a list, is never NULL.  codec_get fills: for
 * answers, which may come from an older peer, and for what is stored.  codec_get_request refuses:
 * what is asked for cannot be made up.  A peer one release older lacks what was added since, so a
 * new string of a request is not MUST.
 *
 * Counts, depth, objects and the memory that the record takes are checked against the bytes before
 * anything is allocated.  0, or -1 with INVALID_INPUT that names record and field; `m` is then
 * zero.
 */
int codec_get(
    const struct record *, void *m, const void *p, size_t n, struct arena *a, struct err *e);
int codec_get_request(const struct record *, void *m, const void *p, size_t n, struct arena *a,
    struct err *e);
#endif
