#ifndef SHARD_BASE_STRING_POOL_H
#define SHARD_BASE_STRING_POOL_H
/*
 * Strings, each kept once, in little more than their bytes: equal ones are one pointer.  One
 * thread writes.
 */

struct string_pool;

struct string_pool *string_pool_new(void);
void string_pool_free(struct string_pool *);	/* NULL is fine */

/* The kept copy, which lives as long as the strings. */
const char *string_pool_intern(struct string_pool *, const char *s);
#endif
