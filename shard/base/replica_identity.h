#ifndef SHARD_BASE_REPLICA_IDENTITY_H
#define SHARD_BASE_REPLICA_IDENTITY_H
/* How this shard identifies itself: its name among replicas, its machine, its keys. */

#include "proto/wire/wire.h"

struct arena;
struct err;
struct options;

/*
 * The name of this shard among the replicas of its repository, and the name of its machine.
 * Strings live in `a` or in the options.
 */
const char *identity_replica(const struct options *, const char *data, struct arena *a);
const char *identity_host(const struct options *, struct arena *a);

/*
 * The certificates and keys that the options name.  Strings live in `a` or in the options.
 * INVALID_INPUT if the file of the cluster key cannot be read.
 */
int identity_trust(struct wire_trust *, const struct options *, struct arena *a, struct err *e);
#endif
