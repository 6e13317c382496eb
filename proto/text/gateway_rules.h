#ifndef PROTO_TEXT_GATEWAY_RULES_H
#define PROTO_TEXT_GATEWAY_RULES_H
/*
 * Gateways and hosts that people declare, in a repository's atoll.yaml and in the coordinator's own
 * file.
 */

#include <stddef.h>

#include "proto/record/record.h"
#include "proto/text/yaml_flat.h"

/* The keys of a list of gateways, for flat_check. */
#define GATEWAY_RULES \
	{ "gateways[].path", FLAT_PATH, true }, { "gateways[].to", FLAT_TARGET, true }, \
	    { "gateways[].hosts[]", FLAT_NAME, false }

/*
 * Turn the list, which flat_check has accepted, into facts of the side `forwards` without a file,
 * in the arena.  Returns their number.
 */
size_t gateway_rules_to_facts(
    const struct flat_entry *, size_t n, const char *framework, struct arena *, struct fact **out);

/* A host as the name of a service.  Of this machine's hosts only the port counts: `:8080`. */
const char *gateway_normalize_host(const char *host);
#endif
