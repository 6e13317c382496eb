#ifndef PROTO_RECORD_CODEC_H
#define PROTO_RECORD_CODEC_H
/* Records to and from msgpack: a map keyed by field name.  The one includer of msgpack. */

#include <stddef.h>

struct arena;
struct buf;
struct err;
struct record;

/*
 * Append the record at `m`.  Zero numbers and flags, absent strings and nested records, and empty
 * lists are omitted.  Cannot fail.
 */
void codec_put(const struct record *, const void *m, struct buf *out);

/*
 * Decode exactly `n` bytes into the record at `m`, which the caller provides.  Strings, bytes and
 * lists are copied into `a`.  Unknown fields are skipped; nil counts as absent.  Absent fields,
 * also those of nested records, are filled here, so that readers of a record need no checks:
 *
 *   numbers, flags, lists, bytes   zero or empty (`p` of bytes is never NULL)
 *   MUST strings                   "" from codec_get; an error from codec_get_request
 *   MUST nested records            a record filled by these rules; an error from codec_get_request
 *   other strings and records      NULL
 *
 * So MUST strings and the strings of a list are never NULL.  codec_get is for answers, which may
 * come from an older peer, and for stored records; codec_get_request is for requests, where a
 * missing value cannot be made up.  A new string of a request must not be MUST, because clients of
 * the previous release do not send it.
 *
 * Counts, depth, objects and memory are checked against the size of the message before anything is
 * allocated.  0, or -1 with INVALID_INPUT, naming record and field; `m` is then zeroed.
 */
int codec_get(
    const struct record *, void *m, const void *p, size_t n, struct arena *a, struct err *e);
int codec_get_request(const struct record *, void *m, const void *p, size_t n, struct arena *a,
    struct err *e);
#endif
