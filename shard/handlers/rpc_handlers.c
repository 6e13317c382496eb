#include "shard/handlers/rpc_handlers.h"

#define RPC(name, req, res, writes, doc) \
	static int call_##name(struct shard *s, struct index_reader *r, const void *q, void *out, \
	    struct arena *a, struct err *e) \
	{ \
		return rpc_##name(s, r, q, out, a, e); \
	}
#include "proto/record/schema.def"

const struct rpc_handlers rpc_handlers = { .v = {
#define RPC(name, req, res, writes, doc) call_##name,
#include "proto/record/schema.def"
} };
