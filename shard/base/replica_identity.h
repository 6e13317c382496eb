#ifndef SHARD_BASE_REPLICA_IDENTITY_H
#define SHARD_BASE_REPLICA_IDENTITY_H
/* Who this shard is for others: its name among replicas, its machine, its trust. */

#include "proto/wire/wire.h"

struct arena;
struct err;
struct options;

/*
 * How this shard is called among those of its repository, and its machine; strings live in `a` or
 * in the options.
 */
const char *identity_replica(const struct options *, const char *data, struct arena *a);
const char *identity_host(const struct options *, struct arena *a);

/* The trust that the options name; strings live in `a` or in the options.  INVALID_INPUT. */
int identity_trust(struct wire_trust *, const struct options *, struct arena *a, struct err *e);
#endif
