#ifndef PROTO_TEXT_GATEWAY_RULES_H
#define PROTO_TEXT_GATEWAY_RULES_H
/*
 * What people write down of gateways and hosts, in a repository's atoll.yaml and in the
 * coordinator's own file.
 */

#include <stddef.h>

#include "proto/record/record.h"
#include "proto/text/yaml_flat.h"

/* The keys of a list of gateways, for flat_check. */
#define GATEWAY_RULES \
	{ "gateways[].path", FLAT_PATH, true }, { "gateways[].to", FLAT_TARGET, true }, { "gateways[].hosts[]", FLAT_NAME, false }

/* Its rows as facts of the side `forwards`, without a file, in the arena; how many. */
size_t gateway_rules_to_facts(
    const struct flat_entry *, size_t n, const char *framework, struct arena *, struct fact **out);

/* A host as a name of who answers there: a port of this machine alone, `:8080`. */
const char *gateway_normalize_host(const char *host);
#endif
