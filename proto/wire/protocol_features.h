#ifndef PROTO_WIRE_PROTOCOL_FEATURES_H
#define PROTO_WIRE_PROTOCOL_FEATURES_H
/*
 * Compatibility of older and newer programs: which protocol version both speak, and what the peer
 * supports.
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

/* The names of all features of this program.  Static. */
t_strs features_supported(void);

/* A bit, 1 << feature, for each name that this program knows. */
uint32_t features_mask(const t_strs *names);

/* The bit of the feature that an RPC requires; 0 if every program has the RPC. */
uint32_t features_required(const char *rpc);

/*
 * The highest protocol version that this program shares with `who`, which speaks `lowest` (0 = the
 * same as `highest`) to `highest`.  0 with SCHEMA_MISMATCH if there is none; the message contains
 * both ranges, the hint which program to upgrade.
 */
uint64_t features_version(uint64_t lowest, uint64_t highest, const char *who, struct err *e);
#endif
