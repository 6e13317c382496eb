#ifndef PROTO_WIRE_PROTOCOL_FEATURES_H
#define PROTO_WIRE_PROTOCOL_FEATURES_H
/*
 * Older and newer programs side by side: which protocol version both speak, and what the other one
 * can do.
 */

#include <stdbool.h>
#include <stdint.h>

#include "proto/record/record.h"

struct err;

enum feature {
#define FEATURE(name, doc) FEATURE_##name,
#include "proto/wire/protocol_features.def"
	FEATURES
};

/* Names of all that this program has.  Static. */
t_strs features_supported(void);

/* A bit, 1 << feature, for each of these names that is known here. */
uint32_t features_mask(const t_strs *names);

/* The bit of the feature that an RPC is; 0: every program has it. */
uint32_t features_required(const char *rpc);

/*
 * The highest version that both speak, of one that speaks `lowest` to `highest` (lowest 0: that
 * one alone); or 0 with SCHEMA_MISMATCH, which names both and says which program to upgrade.
 */
uint64_t features_version(uint64_t lowest, uint64_t highest, const char *who, struct err *e);
#endif
