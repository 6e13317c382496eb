#ifndef COORDINATOR_MEMBERS_SECRET_ORIGINS_H
#define COORDINATOR_MEMBERS_SECRET_ORIGINS_H
/* Where this coordinator and its shards get their secrets from; never the secrets themselves. */

#include <stddef.h>

struct arena;
struct caller;
struct members;
struct secret_origin;
struct secret_use;

/*
 * The origins of the secrets of this coordinator, `own` (coordinator_secrets, options.h), and of
 * the shards that `caller` may see; equal ones of several shards are one row.  Lives in `a`.
 */
struct secret_use *secrets_in_use(struct members *, const struct caller *,
    const struct secret_origin *own, size_t owned, struct arena *a, size_t *n);
#endif
