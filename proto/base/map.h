#ifndef PROTO_BASE_MAP_H
#define PROTO_BASE_MAP_H
/* A hash map from strings to pointers; iterates in insertion order.  Not thread-safe. */

#include <stddef.h>

struct map;

struct map *map_new(void);
void map_free(struct map *);		/* NULL is fine; the values are the caller's */

/* The value of `key`, or NULL. */
void *map_get(const struct map *, const char *key);

/* The slot for the value of `key`, NULL at first.  Copies the key.  Valid until the next map_at. */
void **map_at(struct map *, const char *key);

/* The number of keys, and the i-th key and value in insertion order. */
size_t map_len(const struct map *);
const char *map_key(const struct map *, size_t i);
void *map_val(const struct map *, size_t i);
#endif
