#ifndef PROTO_BASE_INT_MAP_H
#define PROTO_BASE_INT_MAP_H
/*
 * A hash map from numbers to pointers, like map.h for strings; iterates in insertion order.  Not
 * thread-safe.
 */

#include <stddef.h>
#include <stdint.h>

struct int_map;

struct int_map *int_map_new(void);
void int_map_free(struct int_map *);	/* NULL is fine; the values are the caller's */

/* The slot for the value of `key`, NULL at first.  Valid until the next int_map_at. */
void **int_map_at(struct int_map *, uint64_t key);

/* The value of `key`, or NULL. */
void *int_map_get(const struct int_map *, uint64_t key);

/* The number of keys, and the value of the i-th key in insertion order. */
size_t int_map_len(const struct int_map *);
void *int_map_val(const struct int_map *, size_t i);
#endif
