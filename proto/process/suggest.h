#ifndef PROTO_PROCESS_SUGGEST_H
#define PROTO_PROCESS_SUGGEST_H
/* Names that somebody may have meant. */

#include <stddef.h>

struct arena;

enum { SUGGEST_MAX = 5 };

/*
 * Those of `names` that are near `typed`, the nearest first; how many.  Near: one holds the other,
 * or a third of the letters differ at most, of the whole or of what stands behind the last slash.
 */
size_t suggest_pick(const char *typed, const char *const *names, size_t n,
    const char *out[SUGGEST_MAX], struct arena *);

/* The same as "`a`, `b`" in the arena; "" when none is. */
const char *suggest_names(const char *typed, const char *const *names, size_t n, struct arena *);
#endif
