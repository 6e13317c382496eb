#ifndef PROTO_BASE_INT_MAP_H
#define PROTO_BASE_INT_MAP_H
/*
 * A hash map from numbers to pointers, as map.h from strings; iteration in insertion order.  Not
 * thread-safe.
 */

#include <stddef.h>
#include <stdint.h>

struct int_map;

struct int_map *int_map_new(void);
void int_map_free(struct int_map *);	/* NULL is fine; the values are the caller's */

/* Where the value of `key` is kept; NULL there at first.  Valid until the next int_map_at. */
void **int_map_at(struct int_map *, uint64_t key);

/* How many keys there are, and the value of the i-th of them in insertion order. */
size_t int_map_len(const struct int_map *);
void *int_map_val(const struct int_map *, size_t i);
#endif
