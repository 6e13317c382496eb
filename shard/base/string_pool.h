#ifndef SHARD_BASE_STRING_POOL_H
#define SHARD_BASE_STRING_POOL_H
/*
 * Interned strings: each distinct string is stored once, so equal strings are the same pointer.
 * Not thread-safe.
 */

struct string_pool;

struct string_pool *string_pool_new(void);
void string_pool_free(struct string_pool *);	/* NULL is fine */

/* The pool's copy of `s`, valid until string_pool_free. */
const char *string_pool_intern(struct string_pool *, const char *s);
#endif
