#ifndef PROTO_BASE_ARENA_H
#define PROTO_BASE_ARENA_H
/*
 * Memory that is given back all at once: one per request, per file, per page of results.  Not
 * thread-safe.
 */

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *);	/* NULL is fine */

/* Forget everything but keep one chunk, for a loop over files. */
void arena_reset(struct arena *);

/* `n` zeroed elements of `size` bytes, aligned for any type.  Never NULL: out of memory aborts. */
void *arena_get(struct arena *, size_t n, size_t size);
#define arena_one(a, T) ((T *)arena_get(a, 1, sizeof(T)))
#define arena_many(a, n, T) ((T *)arena_get(a, n, sizeof(T)))

/* Copies, NUL-terminated.  arena_str(a, NULL) is NULL. */
char *arena_str(struct arena *, const char *);
char *arena_strn(struct arena *, const char *, size_t n);
char *arena_join_dotted(struct arena *, const char *, const char *);	/* with a dot between */
char *arena_printf(struct arena *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Bytes handed out since the last reset. */
size_t arena_used(const struct arena *);

/*
 * Keep why what is in it is not all that there is (budget.h): the first reason of all since the
 * last reset.  Borrows the text.
 */
void arena_set_truncated(struct arena *, const char *why);

/* That reason; NULL: there is none. */
const char *arena_truncation_reason(const struct arena *);

/*
 * Beyond as many bytes the process aborts, as it does without memory; a reset takes the bound
 * away.
 */
void arena_set_limit(struct arena *, size_t bytes);
#endif
