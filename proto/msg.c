#include "proto/msg.h"

#include <string.h>

#include "proto/records.h"
#include "proto/schema.def"

const struct rpc rpcs[NRPCS] = {
#define RPC(name, req, res, writes, doc) { #name, &rec_##req, &rec_##res, writes, doc },
#include "proto/schema.def"
};

enum rpc_id rpc_id(const char *name)
{
	for (int i = 0; name && i < NRPCS; i++)
		if (!strcmp(rpcs[i].name, name))
			return (enum rpc_id)i;
	return NRPCS;
}
