#ifndef SHARD_HANDLERS_RPC_HANDLERS_H
#define SHARD_HANDLERS_RPC_HANDLERS_H
/*
 * The handlers of requests: for each row of proto/record/schema.def a function rpc_<name> in a file
 * rpc_*.c.
 */

#include "shard/server/rpc_server.h"

/* All handlers, for rpc_server_start. */
extern const struct rpc_handlers rpc_handlers;

/* One function per row. */
#define RPC(name, req, res, writes, doc) \
	int rpc_##name(struct shard *, struct index_reader *, const struct req *, struct res *, \
	    struct arena *, struct err *);
#include "proto/record/schema.def"
#endif
