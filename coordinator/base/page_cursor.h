#ifndef COORDINATOR_BASE_PAGE_CURSOR_H
#define COORDINATOR_BASE_PAGE_CURSOR_H
/* Cursors: where the next page of a list begins.  Each is valid for the list it was made for. */

#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct err;

/*
 * The fingerprint of a list: of the arguments of its tool, except `limit` and `cursor`, and of
 * `more`, which is whatever else the list depends on, or NULL.
 */
const char *cursor_fingerprint(
    const struct record *in, const void *args, const char *more, struct arena *);

/* A cursor for `offset` in a list; opaque text. */
const char *cursor_make(const char *list, size_t offset, size_t depth, struct arena *);

/*
 * A cursor that also carries numbers: v[i] belongs to the i-th entry of a list that the reader
 * knows.  At most CURSOR_NUMBERS numbers other than 0 are stored.  cursor_numbers fills `v`, with 0
 * where the cursor has no number.
 */
enum { CURSOR_NUMBERS = 64 };
const char *cursor_make_with_numbers(
    const char *list, size_t offset, size_t depth, const uint32_t *v, size_t n, struct arena *);
void cursor_numbers(const char *cursor, uint32_t *v, size_t n);

/* The depth that a cursor was made with; 0 if it is NULL or invalid.  Works without the list. */
size_t cursor_depth(const char *cursor);

/* The offset of a cursor (0 for NULL or ""); -1 with INVALID_INPUT if it is for another list. */
int cursor_read(const char *cursor, const char *list, size_t *offset, struct err *);
#endif
