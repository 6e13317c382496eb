#ifndef PROTO_BASE_INT_MAP_H
#define PROTO_BASE_INT_MAP_H
/* A hash map from numbers to pointers, as map.h from strings; iteration in insertion order.  Not thread-safe. */

#include <stddef.h>
#include <stdint.h>

struct numbers;

struct numbers *numbers_new(void);
void numbers_free(struct numbers *);	/* NULL is fine; the values are the caller's */

/* Where the value of `key` is kept; NULL there at first.  Valid until the next numbers_at. */
void **numbers_at(struct numbers *, uint64_t key);

/* How many keys there are, and the value of the i-th of them in insertion order. */
size_t numbers_len(const struct numbers *);
void *numbers_val(const struct numbers *, size_t i);
#endif
