#ifndef COORDINATOR_SECRETS_H
#define COORDINATOR_SECRETS_H
/* Where this coordinator and its shards have their secrets from, never what they are. */

#include <stddef.h>

struct arena;
struct call;
struct secret_use;

/* All of them, shards that say the same together; for a caller that sees everything. */
struct secret_use *secrets_in_use(struct call *, size_t *n);
#endif
