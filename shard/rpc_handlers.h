#ifndef SHARD_RPC_HANDLERS_H
#define SHARD_RPC_HANDLERS_H
/* What answers requests: one row of proto/schema.def, one function rpc_<name> in a file rpc_*.c. */

#include "shard/rpc.h"

/* All of them, for rpc_serve. */
extern const struct rpc_handlers rpc_handlers;

/* One function per row. */
#define RPC(name, req, res, writes, doc) \
	int rpc_##name(struct shard *, struct reader *, const struct req *, struct res *, struct arena *, struct err *);
#include "proto/schema.def"
#endif
