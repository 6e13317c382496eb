#include "proto/record/record.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/record/record_tables.h"
#include "proto/record/schema.def"

const char *strs_join(const struct strs *s, struct arena *a)
{
	const char *all = "";

	if (s->n)
		all = s->v[0];
	for (size_t i = 1; i < s->n; i++)
		all = arena_printf(a, "%s, %s", all, s->v[i]);
	return all;
}

const struct rpc rpcs[NRPCS] = {
#define RPC(name, req, res, writes, doc) { #name, &rec_##req, &rec_##res, writes, doc },
#include "proto/record/schema.def"
};

enum rpc_id rpc_id(const char *name)
{
	for (int i = 0; name && i < NRPCS; i++)
		if (!strcmp(rpcs[i].name, name))
			return (enum rpc_id)i;
	return NRPCS;
}
