#ifndef SHARD_HANDLERS_RPC_HANDLERS_H
#define SHARD_HANDLERS_RPC_HANDLERS_H
/*
 * What answers requests: one row of proto/record/schema.def, one function rpc_<name> in a file
 * rpc_*.c.
 */

#include "shard/server/rpc_server.h"

/* All of them, for rpc_server_start. */
extern const struct rpc_handlers rpc_handlers;

/* One function per row. */
#define RPC(name, req, res, writes, doc) \
	int rpc_##name(struct shard *, struct index_reader *, const struct req *, struct res *, struct arena *, struct err *);
#include "proto/record/schema.def"
#endif
