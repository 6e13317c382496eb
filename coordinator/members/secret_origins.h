#ifndef COORDINATOR_MEMBERS_SECRET_ORIGINS_H
#define COORDINATOR_MEMBERS_SECRET_ORIGINS_H
/* Where this coordinator and its shards have their secrets from, never what they are. */

#include <stddef.h>

struct arena;
struct caller;
struct members;
struct secret_origin;
struct secret_use;

/*
 * All of them, shards that say the same together; for a caller that sees everything.  `own`: those
 * of this coordinator (coordinator_secrets, options.h).  In `a`.
 */
struct secret_use *secrets_in_use(struct members *, const struct caller *,
    const struct secret_origin *own, size_t owned, struct arena *a, size_t *n);
#endif
