#ifndef COORDINATOR_NEAR_H
#define COORDINATOR_NEAR_H
/* Names that somebody may have meant. */

#include <stddef.h>

struct arena;

/*
 * At most five of `names` that are near `typed`, as "`a`, `b`" in the arena; "" when none is.  Near: one holds the other,
 * or a third of the letters differ at most.
 */
const char *near_names(const char *typed, const char *const *names, size_t n, struct arena *);
#endif
