#ifndef COORDINATOR_BASE_PAGE_CURSOR_H
#define COORDINATOR_BASE_PAGE_CURSOR_H
/*
 * Where the next page begins, and in which result: a cursor fits only the list that it was made
 * for.
 */

#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct err;

/*
 * A fingerprint of a list: start with the arguments of its tool (all but `limit` and `cursor`),
 * add what else it depends on.
 */
const char *cursor_fingerprint(
    const struct record *in, const void *args, const char *more, struct arena *);

/* The cursor for `offset` of a list; opaque text. */
const char *cursor_make(const char *list, size_t offset, size_t depth, struct arena *);

/*
 * Numbers that a cursor carries beside that: `v[i]` belongs to the i-th of a list that its reader
 * knows, 0: none.  At most CURSOR_NUMBERS that are not 0 are kept.  cursor_numbers fills `v`, with
 * zeros where the cursor has none.
 */
enum { CURSOR_NUMBERS = 64 };
const char *cursor_make_with_numbers(
    const char *list, size_t offset, size_t depth, const uint32_t *v, size_t n, struct arena *);
void cursor_numbers(const char *cursor, uint32_t *v, size_t n);

/* The depth that a cursor was made with, or 0 when it is none: needed before the list exists. */
size_t cursor_depth(const char *cursor);

/*
 * The offset of a cursor (0 for NULL or ""); -1 with INVALID_INPUT when it does not fit the list.
 */
int cursor_read(const char *cursor, const char *list, size_t *offset, struct err *);
#endif
