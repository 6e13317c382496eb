#ifndef PROTO_BASE_ARENA_H
#define PROTO_BASE_ARENA_H
/*
 * Memory that is freed all at once: one arena per request, per file, per page of results.  Not
 * thread-safe.
 */

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *);	/* NULL is fine */

/* Free everything but one chunk, so that a loop over files can reuse the arena. */
void arena_reset(struct arena *);

/* `n` zeroed elements of `size` bytes, aligned for any type.  Never NULL: dies without memory. */
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
 * Record why the contents are incomplete (budget.h).  Only the first reason since the last reset is
 * recorded.  Borrows the text.
 */
void arena_set_truncated(struct arena *, const char *why);

/* The recorded reason, or NULL if there is none. */
const char *arena_truncation_reason(const struct arena *);

/* Die once the arena exceeds this many bytes.  arena_reset removes the limit. */
void arena_set_limit(struct arena *, size_t bytes);
#endif
