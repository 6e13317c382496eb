#include "proto/wire/protocol_features.h"

#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/wire/wire.h"

static const char *names[] = {
#define FEATURE(name, doc) #name,
#include "proto/wire/protocol_features.def"
};

t_strs features_supported(void)
{
	return (t_strs){ names, LEN(names) };
}

uint32_t features_mask(const t_strs *v)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < v->n; i++)
		for (size_t k = 0; k < LEN(names); k++)
			if (!strcmp(v->v[i], names[k]))
				bits |= 1u << k;
	return bits;
}

uint32_t features_required(const char *rpc)
{
	return features_mask(&(t_strs){ &rpc, 1 });
}

uint64_t features_version(uint64_t lowest, uint64_t highest, const char *who, struct err *e)
{
	uint64_t both = MIN(highest, WIRE_VERSION);
	const char *older = "this program";

	if (!lowest)
		lowest = highest;
	if (both >= lowest && both >= WIRE_LOWEST)
		return both;
	if (highest < WIRE_LOWEST)
		older = who;
	err_set(e, ERR_SCHEMA_MISMATCH, "%s speaks protocol %llu to %llu, this program %d to %d", who,
	    (unsigned long long)lowest, (unsigned long long)highest, WIRE_LOWEST, WIRE_VERSION);
	err_hint(e, "Upgrade %s.", older);
	return 0;
}
