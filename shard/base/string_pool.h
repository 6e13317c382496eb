#ifndef SHARD_BASE_STRING_POOL_H
#define SHARD_BASE_STRING_POOL_H
/* Strings, each kept once, in little more than their bytes: equal ones are one pointer.  One thread writes. */

struct strings;

struct strings *strings_new(void);
void strings_free(struct strings *);	/* NULL is fine */

/* The kept copy, which lives as long as the strings. */
const char *strings_put(struct strings *, const char *s);
#endif
